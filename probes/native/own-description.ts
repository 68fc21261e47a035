import { randomInt } from 'node:crypto';
import type { VideoCodec } from '../../model/codec.js';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { LinkAddress } from '../../rtp/link-address.js';
import { repairedBy } from '../../rtp/rtx.js';
import {
  absSendTimeUri,
  type OfferedCodec,
  type OfferedMedia,
  reversed,
  type SdpDirection,
  transportNumberUri,
} from '../../rtp/sdp.js';
import type { RemoteDescription } from './description.js';

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
  readonly cname: string;
}

export interface Own {
  readonly transport: OwnTransport;
  readonly streams: OwnStreams;
  readonly codec: VideoCodec;
}

type LegDirections = Pick<Leg, 'sends' | 'receives'>;

const kinds: readonly MediaKind[] = ['audio', 'video'];
const videoFeedback = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'];
const h264 = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const payloadTypes = { audio: 111, video: 96, resent: 97 } as const;
const extensions = [`a=extmap:2 ${absSendTimeUri}`, `a=extmap:3 ${transportNumberUri}`];

/** An offer of one stream a kind each way, as Chromium's for our codec (RFC 8829): both ways share a section. */
export function writeOffer(way: LegDirections, own: Own): string {
  const used = kinds.filter((kind) => way.sends.includes(kind) || way.receives.includes(kind));
  return textOf(
    used.map((_, mid) => String(mid)),
    used.map((kind, mid) => [
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${kind === 'audio' ? payloadTypes.audio : `${payloadTypes.video} ${payloadTypes.resent}`}`,
      ...transportLines(own.transport, 'actpass'),
      `a=mid:${mid}`,
      ...extensions,
      `a=${directionOf(way.sends.includes(kind), way.receives.includes(kind))}`,
      ...(way.sends.includes(kind) ? [msidLine(kind, own.streams)] : []),
      'a=rtcp-mux',
      'a=rtcp-rsize',
      ...formatLines(kind, own.codec),
      ...(way.sends.includes(kind) ? sourceLines(kind, own.streams, kind === 'video') : []),
    ]),
  );
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

interface Taken {
  readonly kind: MediaKind;
  readonly codecs: readonly OfferedCodec[];
  readonly sends: boolean;
  readonly receives: boolean;
}

/** Answers a server's offer: takes one stream of each received kind, sends where asked to, refuses the rest. */
export function writeAnswer({ sections }: RemoteDescription, way: LegDirections, own: Own): string {
  const open = { sends: new Set(way.sends), receives: new Set(way.receives) };
  const taken = sections.map((section) => {
    const one = takenOf(section, own.codec, open);
    if (one?.sends) open.sends.delete(one.kind);
    if (one?.receives) open.receives.delete(one.kind);
    return one;
  });
  const mids = sections.flatMap(({ mid }, index) => (taken[index] ? [mid] : []));
  return textOf(
    mids,
    sections.map((section, index) => {
      const one = taken[index];
      const { kind, protocol, mid } = section;
      if (one) return answerLines(section, one, own);
      const format = section.codecs[0]?.payloadType ?? (kind === 'application' ? 'webrtc-datachannel' : 0);
      return [`m=${kind} 0 ${protocol} ${format}`, 'a=inactive', `a=mid:${mid}`];
    }),
  );
}

function takenOf(
  section: OfferedMedia,
  codec: VideoCodec,
  open: { readonly sends: ReadonlySet<MediaKind>; readonly receives: ReadonlySet<MediaKind> },
): Taken | undefined {
  const { kind } = section;
  if (section.rejected || (kind !== 'audio' && kind !== 'video')) return undefined;
  const ours = reversed(section.direction);
  const sends = (ours === 'sendonly' || ours === 'sendrecv') && open.sends.has(kind);
  const receives = (ours === 'recvonly' || ours === 'sendrecv') && open.receives.has(kind);
  // Kept where it rests, as when its publisher has left: Janus takes no answer that refuses all of them.
  if (!sends && !receives && section.direction !== 'inactive') return undefined;
  const name = kind === 'audio' ? 'opus' : codec.toLowerCase();
  const own = section.codecs.filter((one) => one.name.toLowerCase() === name);
  const known = new Set<number | undefined>(own.map(({ payloadType }) => payloadType));
  const repairs = section.codecs.filter((one) => known.has(repairedBy(one)));
  return own.length === 0 ? undefined : { kind, codecs: [...own, ...repairs], sends, receives };
}

function answerLines(section: OfferedMedia, { kind, codecs, sends, receives }: Taken, own: Own): readonly string[] {
  const { protocol, mid, absSendTimeId, transportNumberId } = section;
  const kept = new Set(kind === 'audio' ? ['transport-cc'] : videoFeedback);
  const isResentApart = codecs.some((codec) => repairedBy(codec) !== undefined);
  return [
    `m=${kind} 9 ${protocol} ${codecs.map(({ payloadType }) => payloadType).join(' ')}`,
    ...transportLines(own.transport, 'active'),
    `a=mid:${mid}`,
    ...(absSendTimeId === undefined ? [] : [`a=extmap:${absSendTimeId} ${absSendTimeUri}`]),
    ...(transportNumberId === undefined ? [] : [`a=extmap:${transportNumberId} ${transportNumberUri}`]),
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

function textOf(mids: readonly string[], sections: readonly (readonly string[])[]): string {
  const id = randomInt(2 ** 40);
  const session = ['v=0', `o=- ${id} 2 IN IP4 127.0.0.1`, 's=-', 't=0 0', `a=group:BUNDLE ${mids.join(' ')}`];
  return `${[...session, 'a=extmap-allow-mixed', 'a=msid-semantic: WMS', ...sections.flat()].join('\r\n')}\r\n`;
}
