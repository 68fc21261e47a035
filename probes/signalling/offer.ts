import { randomBytes, randomInt } from 'node:crypto';
import type { VideoCodec } from '../../model/codec.js';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { CandidateTiming, IceCandidate } from '../../model/signalling.js';

const audioFormat = [
  'a=rtpmap:111 opus/48000/2',
  'a=rtcp-fb:111 transport-cc',
  'a=fmtp:111 minptime=10;useinbandfec=1',
];
const videoPayloadTypes: Readonly<Record<VideoCodec, number>> = { VP8: 96, H264: 102, VP9: 98, AV1: 45 };
const h264 = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';

/** What a section offers of a codec, as a browser does, and how its packets are asked for again. */
function videoFormat(codec: VideoCodec): readonly string[] {
  const type = videoPayloadTypes[codec];
  const feedback = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'];
  return [
    `a=rtpmap:${type} ${codec}/90000`,
    ...feedback.map((one) => `a=rtcp-fb:${type} ${one}`),
    ...(codec === 'H264' ? [`a=fmtp:${type} ${h264}`] : []),
  ];
}

const hashBytes = 32;

/**
 * The offer of a participant that signals and sends no media: a whole one (RFC 8829), with credentials and a
 * fingerprint of its own, so that the server makes all that it makes for a browser. Nobody holds the key of the
 * fingerprint: no DTLS would come of it.
 */
export function offerOf(
  leg: Pick<Leg, 'id' | 'sends' | 'receives'>,
  candidates: CandidateTiming = 'trickled',
  codecs: readonly VideoCodec[] = ['VP8'],
): string {
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
    ...kinds.flatMap((kind, mid) => sectionOf({ kind, mid, codecs }, leg, transport)),
  ];
  return `${lines.join('\r\n')}\r\n`;
}

function sectionOf(
  { kind, mid, codecs }: { readonly kind: MediaKind; readonly mid: number; readonly codecs: readonly VideoCodec[] },
  leg: Pick<Leg, 'id' | 'sends' | 'receives'>,
  transport: readonly string[],
): readonly string[] {
  const types = kind === 'audio' ? [111] : codecs.map((codec) => videoPayloadTypes[codec]);
  const [sends, receives] = [leg.sends.includes(kind), leg.receives.includes(kind)];
  const direction = sends ? (receives ? 'sendrecv' : 'sendonly') : 'recvonly';
  const ssrc = randomInt(1, 2 ** 32);
  return [
    `m=${kind} 9 UDP/TLS/RTP/SAVPF ${types.join(' ')}`,
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...transport,
    `a=mid:${mid}`,
    `a=${direction}`,
    ...(sends ? [`a=msid:${leg.id} ${leg.id}-${kind}`] : []),
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...(kind === 'audio' ? audioFormat : codecs.flatMap(videoFormat)),
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
