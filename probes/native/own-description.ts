import type { VideoCodec } from '../../model/codec.js';
import type { MediaKind } from '../../model/scenario.js';
import type { LinkAddress } from '../../rtp/link-address.js';
import { repairedBy } from '../../rtp/rtx.js';
import {
  absSendTimeUri,
  midUri,
  type OfferedMedia,
  repairedRidUri,
  ridUri,
  type SdpDirection,
  transportNumberUri,
} from '../../rtp/sdp.js';
import type { OwnSection, Taken } from './own-sections.js';

export interface OwnTransport {
  readonly iceUfrag: string;
  readonly icePwd: string;
  readonly fingerprint: string;
  /** Those that stand in the description; empty where they are trickled. */
  readonly candidates: readonly LinkAddress[];
}

/** The SSRCs of what a leg may send. */
export interface OwnStreams {
  readonly ssrcs: Readonly<Record<MediaKind, number>>;
  /** Of video that is sent again. */
  readonly resent: number;
  /** Of a video in layers, the lowest first, whose SSRCs are those above; absent: it has one. */
  readonly layers?: readonly OwnLayer[];
  readonly cname: string;
}

interface OwnLayer {
  readonly rid: string;
  readonly ssrc: number;
  readonly resent: number;
}

export interface Own {
  readonly transport: OwnTransport;
  readonly streams: OwnStreams;
  readonly codec: VideoCodec;
  /** Of its session, and how many descriptions of it there were before (RFC 3264, 8). */
  readonly id: number;
  readonly nth: number;
}

const videoFeedback = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'];
const h264 = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const payloadTypes = { audio: 111, video: 96, resent: 97 } as const;
const layerExtensions = [`a=extmap:10 ${ridUri}`, `a=extmap:11 ${repairedRidUri}`];
const extensions = [`a=extmap:2 ${absSendTimeUri}`, `a=extmap:3 ${transportNumberUri}`, `a=extmap:4 ${midUri}`];

/** An offer of these sections, as Chromium's for our codec (RFC 8829). */
export function writeOffer(sections: readonly OwnSection[], own: Own): string {
  return textOf(
    own,
    sections.map(({ mid }) => mid),
    sections.map(({ mid, kind, sends, receives }) => [
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${kind === 'audio' ? payloadTypes.audio : `${payloadTypes.video} ${payloadTypes.resent}`}`,
      ...transportLines(own.transport, 'actpass'),
      `a=mid:${mid}`,
      ...extensions,
      `a=${directionOf(sends, receives)}`,
      ...(sends ? [msidLine(kind, own.streams)] : []),
      'a=rtcp-mux',
      'a=rtcp-rsize',
      ...formatLines(kind, own.codec),
      ...(sends ? sentLines(kind, own.streams) : []),
    ]),
  );
}

/** As from Chromium, layers have no SSRCs in the description, and the highest is preferred (RFC 8853, 5.2). */
function sentLines(kind: MediaKind, streams: OwnStreams): readonly string[] {
  const rids = kind === 'video' ? (streams.layers?.toReversed().map(({ rid }) => rid) ?? []) : [];
  if (rids.length === 0) return sourceLines(kind, streams, kind === 'video');
  return [...layerExtensions, ...rids.map((rid) => `a=rid:${rid} send`), `a=simulcast:send ${rids.join(';')}`];
}

function directionOf(sends: boolean, receives: boolean): SdpDirection {
  if (sends) return receives ? 'sendrecv' : 'sendonly';
  return receives ? 'recvonly' : 'inactive';
}

function formatLines(kind: MediaKind, codec: VideoCodec): readonly string[] {
  const { audio, video, resent } = payloadTypes;
  if (kind === 'audio') {
    const opus = `a=fmtp:${audio} minptime=10;useinbandfec=1`;
    return [`a=rtpmap:${audio} opus/48000/2`, `a=rtcp-fb:${audio} transport-cc`, opus];
  }
  return [
    `a=rtpmap:${video} ${codec}/90000`,
    ...videoFeedback.map((feedback) => `a=rtcp-fb:${video} ${feedback}`),
    ...(codec === 'H264' ? [`a=fmtp:${video} ${h264}`] : []),
    `a=rtpmap:${resent} rtx/90000`,
    `a=fmtp:${resent} apt=${video}`,
  ];
}

const msidLine = (kind: MediaKind, { cname }: OwnStreams): string => `a=msid:${cname} ${cname}-${kind}`;

/** RFC 5576. */
function sourceLines(kind: MediaKind, { ssrcs, resent, cname }: OwnStreams, isResentApart: boolean): readonly string[] {
  const lineOf = (ssrc: number): string[] => [
    `a=ssrc:${ssrc} cname:${cname}`,
    `a=ssrc:${ssrc} msid:${cname} ${cname}-${kind}`,
  ];
  if (!isResentApart) return lineOf(ssrcs[kind]);
  return [`a=ssrc-group:FID ${ssrcs[kind]} ${resent}`, ...lineOf(ssrcs[kind]), ...lineOf(resent)];
}

/**
 * Answers a server's offer: what is taken of each section, and what is refused. A section of data stays,
 * as in a browser's answer: it may be the only one at first, and have the connection of all.
 */
export function writeAnswer(
  sections: readonly OfferedMedia[],
  taken: readonly (Taken | undefined)[],
  own: Own,
): string {
  const mids = sections.flatMap((section, index) => (taken[index] || isOfData(section) ? [section.mid] : []));
  return textOf(
    own,
    mids,
    sections.map((section, index) => {
      const one = taken[index];
      const { kind, protocol, mid } = section;
      if (one) return answerLines(section, one, own);
      if (isOfData(section)) return dataLines(section, own);
      const format = section.codecs[0]?.payloadType ?? (kind === 'application' ? 'webrtc-datachannel' : 0);
      return [`m=${kind} 0 ${protocol} ${format}`, 'a=inactive', `a=mid:${mid}`];
    }),
  );
}

/** A section of data channels over DTLS (RFC 8841). */
const isOfData = ({ kind, protocol, rejected }: OfferedMedia): boolean =>
  kind === 'application' && protocol.endsWith('DTLS/SCTP') && !rejected;

/** The port is that of browsers; nothing listens there. */
function dataLines({ protocol, mid }: OfferedMedia, { transport }: Own): readonly string[] {
  return [
    `m=application 9 ${protocol} webrtc-datachannel`,
    ...transportLines(transport, 'active'),
    `a=mid:${mid}`,
    'a=sctp-port:5000',
  ];
}

function answerLines(section: OfferedMedia, { kind, codecs, sends, receives }: Taken, own: Own): readonly string[] {
  const { protocol, mid, absSendTimeId, transportNumberId, midId } = section;
  const kept = new Set(kind === 'audio' ? ['transport-cc'] : videoFeedback);
  const isResentApart = codecs.some((codec) => repairedBy(codec) !== undefined);
  return [
    `m=${kind} 9 ${protocol} ${codecs.map(({ payloadType }) => payloadType).join(' ')}`,
    ...transportLines(own.transport, 'active'),
    `a=mid:${mid}`,
    ...(absSendTimeId === undefined ? [] : [`a=extmap:${absSendTimeId} ${absSendTimeUri}`]),
    ...(transportNumberId === undefined ? [] : [`a=extmap:${transportNumberId} ${transportNumberUri}`]),
    ...(midId === undefined ? [] : [`a=extmap:${midId} ${midUri}`]),
    `a=${directionOf(sends, receives)}`,
    ...(sends ? [msidLine(kind, own.streams)] : []),
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...codecs.flatMap(({ payloadType, rtpmap, feedback, fmtp }) => [
      `a=rtpmap:${payloadType} ${rtpmap}`,
      ...feedback.filter((text) => kept.has(text)).map((text) => `a=rtcp-fb:${payloadType} ${text}`),
      ...(fmtp === undefined ? [] : [`a=fmtp:${payloadType} ${fmtp}`]),
    ]),
    ...(sends ? sourceLines(kind, own.streams, isResentApart) : []),
  ];
}

function transportLines({ iceUfrag, icePwd, fingerprint, candidates }: OwnTransport, setup: string): readonly string[] {
  return [
    'c=IN IP4 0.0.0.0',
    'a=rtcp:9 IN IP4 0.0.0.0',
    ...candidates.map((one, nth) => `a=${candidateLine(one, nth)}`),
    `a=ice-ufrag:${iceUfrag}`,
    `a=ice-pwd:${icePwd}`,
    'a=ice-options:trickle',
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${setup}`,
  ];
}

const preferences = { host: 126, relay: 0 } as const;

/** A candidate (RFC 8839, 5.1) with the priority of RFC 8445, 5.1.2. */
export function candidateLine({ address, port, relayed }: LinkAddress, nth: number): string {
  const type = relayed ? 'relay' : 'host';
  const priority = preferences[type] * 2 ** 24 + (65_535 - nth) * 2 ** 8 + 255;
  const related = relayed ? ` raddr ${relayed.seenAs.address} rport ${relayed.seenAs.port}` : '';
  return `candidate:${nth + 1} 1 udp ${priority} ${address} ${port} typ ${type}${related} generation 0`;
}

function textOf({ id, nth }: Own, mids: readonly string[], sections: readonly (readonly string[])[]): string {
  const session = ['v=0', `o=- ${id} ${2 + nth} IN IP4 127.0.0.1`, 's=-', 't=0 0', `a=group:BUNDLE ${mids.join(' ')}`];
  return `${[...session, 'a=extmap-allow-mixed', 'a=msid-semantic: WMS', ...sections.flat()].join('\r\n')}\r\n`;
}
