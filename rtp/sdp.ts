import type { RemoteTransport } from './link.js';

/** What the server needs of a browser's offer (RFC 8866, RFC 8829), and nothing else. */
export interface Offer {
  /** Session attributes that are repeated in the answer: extmap-allow-mixed, msid-semantic. */
  readonly sessionLines: readonly string[];
  readonly bundle: readonly string[];
  readonly media: readonly OfferedMedia[];
  readonly transport: RemoteTransport;
  /** Of DTLS, by the section that the transport is of. */
  readonly setup: string | undefined;
}

export interface OfferedMedia {
  readonly kind: string;
  readonly protocol: string;
  readonly mid: string;
  readonly direction: SdpDirection;
  /** Its port is 0, and it shares the transport of no other section (RFC 3264, 6). */
  readonly rejected: boolean;
  /** In the offer's order. */
  readonly codecs: readonly OfferedCodec[];
  /** Identifier of the abs-send-time extension, when offered. */
  readonly absSendTimeId: number | undefined;
  /** Of the extension that has transport-wide numbers. */
  readonly transportNumberId: number | undefined;
  /** Of the extension that has the `mid` (RFC 9143, 14). */
  readonly midId: number | undefined;
  /** Of the extensions that have the rid of a layer, and of its resent packets (RFC 8852). */
  readonly ridId: number | undefined;
  readonly repairedRidId: number | undefined;
  /** The rids that it sends and those that it takes, preferred first (RFC 8853). */
  readonly sentRids: readonly string[];
  readonly takenRids: readonly string[];
  /** The SSRCs that it says it sends with (RFC 5576). */
  readonly ssrcs: readonly number[];
}

export type SdpDirection = 'sendrecv' | 'sendonly' | 'recvonly' | 'inactive';

export interface OfferedCodec {
  readonly payloadType: number;
  /** As written: `VP8`, `opus`. */
  readonly name: string;
  readonly clockRate: number;
  /** The whole of `rtpmap` after the payload type: `opus/48000/2`. */
  readonly rtpmap: string;
  readonly fmtp: string | undefined;
  readonly feedback: readonly string[];
}

export const absSendTimeUri = 'http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time';
export const transportNumberUri = 'http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01';
export const ridUri = 'urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id';
export const repairedRidUri = 'urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id';
export const midUri = 'urn:ietf:params:rtp-hdrext:sdes:mid';
/** The one-byte form of header extensions has no room for higher identifiers (RFC 8285, 4.2). */
const highestId = 14;

/** Static payload types that may come without a `rtpmap` (RFC 3551). */
const staticCodecs: ReadonlyMap<string, string> = new Map([
  ['0', 'PCMU/8000'],
  ['8', 'PCMA/8000'],
]);
/** There are 128 payload types (RFC 3550); formats beyond so many could not be received. */
const formatsMost = 200;

/** Reads an offer; `undefined` when it is no SDP with media, ICE credentials and a fingerprint. */
export function readOffer(sdp: string): Offer | undefined {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0') return undefined;
  const starts = lines.flatMap((line, index) => (line.startsWith('m=') ? [index] : []));
  const session = lines.slice(0, starts[0] ?? lines.length);
  const sections = starts.map((start, index) => lines.slice(start, starts[index + 1] ?? lines.length));
  const media = sections.map(readMedia);
  // That of the first section that is not rejected is the transport of all (RFC 8843, 7.3).
  const tagged = sections.find((_, index) => media[index]?.rejected === false) ?? sections[0] ?? [];
  const described = [...tagged, ...session];
  const transport = readTransport(described);
  if (media.length === 0 || transport === undefined) return undefined;
  return {
    sessionLines: session.filter((line) => /^a=(extmap-allow-mixed|msid-semantic:)/.test(line)),
    bundle: attribute(session, 'group:BUNDLE ')?.split(' ') ?? [],
    media,
    transport,
    setup: attribute(described, 'setup:'),
  };
}

function attribute(lines: readonly string[], prefix: string): string | undefined {
  return lines.find((line) => line.startsWith(`a=${prefix}`))?.slice(prefix.length + 2);
}

function attributes(lines: readonly string[], prefix: string): string[] {
  return lines.filter((line) => line.startsWith(`a=${prefix}`)).map((line) => line.slice(prefix.length + 2));
}

function readTransport(lines: readonly string[]): RemoteTransport | undefined {
  const iceUfrag = attribute(lines, 'ice-ufrag:');
  const icePwd = attribute(lines, 'ice-pwd:');
  const fingerprints = attributes(lines, 'fingerprint:').map((text) => {
    const [algorithm = '', value = ''] = text.split(' ');
    return { algorithm, value };
  });
  if (iceUfrag === undefined || icePwd === undefined || fingerprints.length === 0) return undefined;
  return { iceUfrag, icePwd, fingerprints };
}

function readMedia(lines: readonly string[], index: number): OfferedMedia {
  const [kind = '', port, protocol = '', ...formats] = (lines[0] ?? '').slice(2).split(' ');
  const direction = lines.find((line) => /^a=(sendrecv|sendonly|recvonly|inactive)$/.test(line))?.slice(2);
  return {
    kind,
    protocol,
    mid: attribute(lines, 'mid:') ?? String(index),
    direction: (direction ?? 'sendrecv') as SdpDirection,
    rejected: port === '0' && !lines.includes('a=bundle-only'),
    codecs: readCodecs(lines, [...new Set(formats)].slice(0, formatsMost)),
    absSendTimeId: readExtension(lines, absSendTimeUri),
    transportNumberId: readExtension(lines, transportNumberUri),
    midId: readExtension(lines, midUri),
    ridId: readExtension(lines, ridUri),
    repairedRidId: readExtension(lines, repairedRidUri),
    sentRids: readRids(lines, 'send'),
    takenRids: readRids(lines, 'recv'),
    ssrcs: [...new Set(attributes(lines, 'ssrc:').map((text) => Number.parseInt(text, 10)))].filter(isSsrc),
  };
}

/** No codec is sent in more layers; of alternatives the first counts, and a paused one (~) is there, too. */
const layersMost = 4;

function readRids(lines: readonly string[], way: 'send' | 'recv'): readonly string[] {
  const words = (attribute(lines, 'simulcast:') ?? '').split(' ');
  const list = words.includes(way) ? (words[words.indexOf(way) + 1] ?? '') : '';
  const rids = list.split(';').map((layer) => layer.split(',')[0]?.replace(/^~/, '') ?? '');
  return rids.filter((rid) => /^[\w-]{1,32}$/.test(rid)).slice(0, layersMost);
}

const isSsrc = (value: number): boolean => value >= 0 && value < 2 ** 32;

function readExtension(lines: readonly string[], uri: string): number | undefined {
  const id = Number.parseInt(attributes(lines, 'extmap:').find((text) => text.split(' ')[1] === uri) ?? '', 10);
  return id >= 1 && id <= highestId ? id : undefined;
}

/** What the lines of a section say of each format. */
interface OfFormat {
  rtpmap?: string;
  fmtp?: string;
  readonly feedback: string[];
}

function readCodecs(lines: readonly string[], formats: readonly string[]): OfferedCodec[] {
  const said = new Map(formats.map((format): [string, OfFormat] => [format, { feedback: [] }]));
  for (const line of lines) {
    const [, name, format = '', value = ''] = /^a=(rtpmap|fmtp|rtcp-fb):(\S+) (.*)$/.exec(line) ?? [];
    const of = said.get(format);
    if (!of) continue;
    if (name === 'rtpmap') of.rtpmap ??= value;
    else if (name === 'fmtp') of.fmtp ??= value;
    else of.feedback.push(value);
  }
  return formats.flatMap((format) => {
    const { rtpmap = staticCodecs.get(format), fmtp, feedback = [] } = said.get(format) ?? {};
    if (rtpmap === undefined) return [];
    const [name = '', clockRate = ''] = rtpmap.split('/');
    return [{ payloadType: Number(format), name, clockRate: Number(clockRate), rtpmap, fmtp, feedback }];
  });
}

export function reversed(direction: SdpDirection): SdpDirection {
  if (direction === 'sendonly') return 'recvonly';
  return direction === 'recvonly' ? 'sendonly' : direction;
}
