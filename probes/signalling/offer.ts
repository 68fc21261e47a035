import { randomBytes, randomInt } from 'node:crypto';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { CandidateTiming, IceCandidate } from '../../model/signalling.js';

/** What each section offers, as a browser does: the codec of our probes, and how its packets are asked for again. */
const formats: Readonly<Record<MediaKind, readonly string[]>> = {
  audio: ['a=rtpmap:111 opus/48000/2', 'a=rtcp-fb:111 transport-cc', 'a=fmtp:111 minptime=10;useinbandfec=1'],
  video: [
    'a=rtpmap:96 VP8/90000',
    'a=rtcp-fb:96 goog-remb',
    'a=rtcp-fb:96 transport-cc',
    'a=rtcp-fb:96 ccm fir',
    'a=rtcp-fb:96 nack',
    'a=rtcp-fb:96 nack pli',
  ],
};
const payloadTypes: Readonly<Record<MediaKind, number>> = { audio: 111, video: 96 };
const hashBytes = 32;

/**
 * The offer of a participant that signals and sends no media: a whole one (RFC 8829), with credentials and a
 * fingerprint of its own, so that the server makes all that it makes for a browser. Nobody holds the key of the
 * fingerprint: no DTLS would come of it.
 */
export function offerOf(leg: Leg, candidates: CandidateTiming = 'trickled'): string {
  const kinds = (['audio', 'video'] as const).filter((kind) => leg.sends.includes(kind) || leg.receives.includes(kind));
  const transport = [
    `a=ice-ufrag:${randomBytes(3).toString('base64')}`,
    `a=ice-pwd:${randomBytes(18).toString('base64')}`,
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${fingerprint()}`,
    'a=setup:actpass',
    // All sections share one connection, and so its candidates.
    ...(candidates === 'in-one-message' ? [`a=${onlyCandidate.candidate}`, 'a=end-of-candidates'] : []),
  ];
  const id = randomInt(2 ** 40);
  const lines = [
    'v=0',
    `o=- ${id} 2 IN IP4 127.0.0.1`,
    's=-',
    't=0 0',
    `a=group:BUNDLE ${kinds.map((_, mid) => mid).join(' ')}`,
    'a=extmap-allow-mixed',
    'a=msid-semantic: WMS',
    ...kinds.flatMap((kind, mid) => sectionOf(kind, mid, leg, transport)),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function sectionOf(kind: MediaKind, mid: number, leg: Leg, transport: readonly string[]): readonly string[] {
  const [sends, receives] = [leg.sends.includes(kind), leg.receives.includes(kind)];
  const direction = sends ? (receives ? 'sendrecv' : 'sendonly') : 'recvonly';
  const ssrc = randomInt(1, 2 ** 32);
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${payloadTypes[kind]}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...transport,
    `a=mid:${mid}`,
    `a=${direction}`,
    ...(sends ? [`a=msid:${leg.id} ${leg.id}-${kind}`] : []),
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...formats[kind],
    ...(sends ? [`a=ssrc:${ssrc} cname:${leg.id}`] : []),
  ];
}

function fingerprint(): string {
  const pairs = randomBytes(hashBytes).toString('hex').toUpperCase().match(/../g) ?? [];
  return pairs.join(':');
}

/**
 * The one candidate that it trickles: as browsers name the TCP ports from which they would connect themselves (RFC
 * 6544, 4.5, port 9), at an address that is nobody's (RFC 5737). The server has the message to read, and sends no
 * packet anywhere for it.
 */
export const onlyCandidate: IceCandidate = {
  candidate: 'candidate:1 1 tcp 1518280447 192.0.2.1 9 typ host tcptype active generation 0',
  sdpMid: '0',
  sdpMLineIndex: 0,
};
