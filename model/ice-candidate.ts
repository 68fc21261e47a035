/** One candidate of ICE as SDP writes it (RFC 8839, 5.1). */
interface CandidateLine {
  readonly foundation: string;
  readonly component: number;
  readonly transport: 'udp' | 'tcp';
  readonly priority: number;
  /** An address, IPv6 without brackets, or a name. */
  readonly address: string;
  readonly port: number;
  readonly type: 'host' | 'srflx' | 'prflx' | 'relay';
}

const grammar =
  /^(?:a=)?candidate:([\w+/.-]{1,64}) (\d{1,5}) (udp|tcp) (\d{1,10}) ([\w.:-]{1,255}) (\d{1,5}) typ (host|srflx|prflx|relay)(?: [\x20-\x7e]*)?$/i;

/**
 * Reads one line with or without `a=`. Undefined of all that the standard does not write so: one space between fields,
 * printable ASCII, numbers in their bounds. A browser may read such a line all the same, so whoever checks lines takes
 * this for a no.
 */
export function readCandidateLine(line: string): CandidateLine | undefined {
  const [, foundation = '', component, transport = '', priority, address = '', port, type = ''] =
    grammar.exec(line) ?? [];
  if (foundation === '' || Number(component) > 256 || Number(priority) > 0xffffffff || Number(port) > 65_535)
    return undefined;
  return {
    foundation,
    component: Number(component),
    transport: transport.toLowerCase() as CandidateLine['transport'],
    priority: Number(priority),
    address,
    port: Number(port),
    type: type.toLowerCase() as CandidateLine['type'],
  };
}

/**
 * Lines of a description in which a reader might find a candidate, without their ends. Browsers end lines at each line
 * feed, and at nothing else (a lone CR, U+2028).
 */
export function candidateLinesOf(sdp: string): readonly string[] {
  const lines = sdp.split('\n').map((line) => line.replace(/\r$/, ''));
  return lines.filter(
    (line) => /candidate/i.test(line) && !/^a=(?:end-of-candidates|remote-candidates:.*)$/.test(line),
  );
}
