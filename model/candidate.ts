/** What an ICE candidate says of where to reach its owner (RFC 8839, 5.1). */
export interface Candidate {
  /** host, srflx, prflx or relay. */
  readonly type: string;
  readonly protocol: string;
  /** An address of IPv4 or IPv6, or a name. */
  readonly address: string;
  readonly port: number;
}

/** A leg that never had a connection, with what its probe and the media server offered each other. */
export interface TriedLeg {
  readonly probe: string;
  readonly leg: string;
  readonly ofProbe: readonly Candidate[];
  readonly ofServer: readonly Candidate[];
}

const attribute = /^(a=)?candidate:/;

/** Of a line of SDP, or of what is trickled; undefined where it is none. */
export function readCandidate(line: string): Candidate | undefined {
  if (!attribute.test(line)) return undefined;
  const [, , protocol, , address, port, typ, type] = line.trim().split(' ');
  if (!protocol || !address || !type || typ !== 'typ' || !Number.isInteger(Number(port))) return undefined;
  return { type, protocol: protocol.toLowerCase(), address, port: Number(port) };
}

/** Those of a description. */
export function candidateLines(sdp: string): readonly string[] {
  return sdp.split(/\r?\n/).filter((line) => attribute.test(line));
}
