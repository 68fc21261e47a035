import { randomInt } from 'node:crypto';
import type { RemoteTransport } from '../../embedded-server/media/link.js';
import { repairedBy } from '../../embedded-server/media/rtx.js';
import {
  absSendTimeUri,
  type OfferedCodec,
  type OfferedMedia,
  readOffer,
  transportNumberUri,
} from '../../embedded-server/media/sdp.js';
import type { VideoCodec } from '../../model/codec.js';
import type { MediaKind } from '../../model/scenario.js';
import type { DtlsRole, LinkAddress } from './native-link.js';

export interface OwnTransport {
  readonly iceUfrag: string;
  readonly icePwd: string;
  readonly fingerprint: string;
  /** Those that stand in the description; empty where they are trickled. */
  readonly candidates: readonly LinkAddress[];
}

/** What was agreed of one media section. */
export interface AgreedMedia {
  readonly kind: MediaKind;
  /** Names of SDP in lower case, by payload type. */
  readonly codecs: ReadonlyMap<number, { readonly name: string; readonly clockRate: number }>;
  /** The payload type that one of RTX carries again, by its own. */
  readonly repairs: ReadonlyMap<number, number>;
  readonly transportNumberId: number | undefined;
  readonly takesRemb: boolean;
}

export interface RemoteDescription {
  readonly transport: RemoteTransport;
  /** What we are in DTLS by what the server says of itself; `undefined`: it leaves the choice to us. */
  readonly role: DtlsRole | undefined;
  readonly candidates: readonly string[];
  readonly sections: readonly OfferedMedia[];
  readonly media: readonly AgreedMedia[];
  /** Feedback may travel without a report in front of it (RFC 5506). */
  readonly reducedSize: boolean;
}

const videoFeedback = ['goog-remb', 'transport-cc', 'ccm fir', 'nack', 'nack pli'];
const h264 = 'level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f';
const payloadTypes = { audio: 111, video: 96, resent: 97 } as const;
const extensions = [`a=extmap:2 ${absSendTimeUri}`, `a=extmap:3 ${transportNumberUri}`];

/** An offer to receive these kinds, one stream each, with what Chromium would offer of our codec (RFC 8829). */
export function writeOffer(kinds: readonly MediaKind[], codec: VideoCodec, own: OwnTransport): string {
  const mids = kinds.map((_, mid) => String(mid));
  return textOf(
    mids,
    kinds.map((kind, mid) => [
      `m=${kind} 9 UDP/TLS/RTP/SAVPF ${kind === 'audio' ? payloadTypes.audio : `${payloadTypes.video} ${payloadTypes.resent}`}`,
      ...transportLines(own, 'actpass'),
      `a=mid:${mid}`,
      ...extensions,
      'a=recvonly',
      'a=rtcp-mux',
      'a=rtcp-rsize',
      ...formatLines(kind, codec),
    ]),
  );
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

/** The answer to an offer of the server: takes one stream of each of these kinds, and refuses the rest. */
export function writeAnswer(
  { sections }: RemoteDescription,
  kinds: readonly MediaKind[],
  codec: VideoCodec,
  own: OwnTransport,
): string {
  const open = new Set(kinds);
  const taken = sections.map((section) => {
    const one = takenOf(section, codec);
    return one && open.delete(one.kind) ? one : undefined;
  });
  const mids = sections.flatMap(({ mid }, index) => (taken[index] ? [mid] : []));
  return textOf(
    mids,
    sections.map((section, index) => {
      const one = taken[index];
      const { kind, protocol, mid } = section;
      if (one) return answerLines(section, one.codecs, own);
      const format = section.codecs[0]?.payloadType ?? (kind === 'application' ? 'webrtc-datachannel' : 0);
      return [`m=${kind} 0 ${protocol} ${format}`, 'a=inactive', `a=mid:${mid}`];
    }),
  );
}

function takenOf(
  section: OfferedMedia,
  codec: VideoCodec,
): { readonly kind: MediaKind; readonly codecs: readonly OfferedCodec[] } | undefined {
  const { kind } = section;
  const sends = section.direction === 'sendonly' || section.direction === 'sendrecv';
  if (!sends || (kind !== 'audio' && kind !== 'video')) return undefined;
  const name = kind === 'audio' ? 'opus' : codec.toLowerCase();
  const own = section.codecs.filter((one) => one.name.toLowerCase() === name);
  const known = new Set<number | undefined>(own.map(({ payloadType }) => payloadType));
  const repairs = section.codecs.filter((one) => known.has(repairedBy(one)));
  return own.length === 0 ? undefined : { kind, codecs: [...own, ...repairs] };
}

function answerLines(section: OfferedMedia, codecs: readonly OfferedCodec[], own: OwnTransport): readonly string[] {
  const { kind, protocol, mid, absSendTimeId, transportNumberId } = section;
  const kept = new Set(kind === 'audio' ? ['transport-cc'] : videoFeedback);
  return [
    `m=${kind} 9 ${protocol} ${codecs.map(({ payloadType }) => payloadType).join(' ')}`,
    ...transportLines(own, 'active'),
    `a=mid:${mid}`,
    ...(absSendTimeId === undefined ? [] : [`a=extmap:${absSendTimeId} ${absSendTimeUri}`]),
    ...(transportNumberId === undefined ? [] : [`a=extmap:${transportNumberId} ${transportNumberUri}`]),
    'a=recvonly',
    'a=rtcp-mux',
    'a=rtcp-rsize',
    ...codecs.flatMap(({ payloadType, rtpmap, feedback, fmtp }) => [
      `a=rtpmap:${payloadType} ${rtpmap}`,
      ...feedback.filter((text) => kept.has(text)).map((text) => `a=rtcp-fb:${payloadType} ${text}`),
      ...(fmtp === undefined ? [] : [`a=fmtp:${payloadType} ${fmtp}`]),
    ]),
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

/** A host candidate (RFC 8839, 5.1) with the priority of RFC 8445, 5.1.2. */
export function candidateLine({ address, port }: LinkAddress, nth: number): string {
  const priority = 126 * 2 ** 24 + (65_535 - nth) * 2 ** 8 + 255;
  return `candidate:${nth + 1} 1 udp ${priority} ${address} ${port} typ host generation 0`;
}

function textOf(mids: readonly string[], sections: readonly (readonly string[])[]): string {
  const id = randomInt(2 ** 40);
  const session = ['v=0', `o=- ${id} 2 IN IP4 127.0.0.1`, 's=-', 't=0 0', `a=group:BUNDLE ${mids.join(' ')}`];
  return `${[...session, 'a=extmap-allow-mixed', 'a=msid-semantic: WMS', ...sections.flat()].join('\r\n')}\r\n`;
}

/** `undefined` for what is no description with media, ICE credentials and a fingerprint. */
export function readDescription(sdp: string): RemoteDescription | undefined {
  const read = readOffer(sdp);
  if (!read) return undefined;
  const setup = /^a=setup:(\w+)/m.exec(sdp)?.[1];
  return {
    transport: read.transport,
    role: setup === 'active' ? 'server' : setup === 'passive' ? 'client' : undefined,
    candidates: [...sdp.matchAll(/^a=(candidate:.*?)\r?$/gm)].map(([, line = '']) => line),
    sections: read.media,
    media: read.media.flatMap((section) => agreedOf(section) ?? []),
    reducedSize: /^a=rtcp-rsize\r?$/m.test(sdp),
  };
}

function agreedOf({ kind, codecs, direction, transportNumberId }: OfferedMedia): AgreedMedia | undefined {
  const sends = direction === 'sendonly' || direction === 'sendrecv';
  if (!sends || (kind !== 'audio' && kind !== 'video')) return undefined;
  const repairs = codecs.flatMap((one) => {
    const repaired = repairedBy(one);
    return repaired === undefined ? [] : [[one.payloadType, repaired] as const];
  });
  const offersNumbers = codecs.some(({ feedback }) => feedback.includes('transport-cc'));
  return {
    kind,
    codecs: new Map(
      codecs.map(({ payloadType, name, clockRate }) => [payloadType, { name: name.toLowerCase(), clockRate }]),
    ),
    repairs: new Map(repairs),
    transportNumberId: offersNumbers ? transportNumberId : undefined,
    takesRemb: codecs.some(({ feedback }) => feedback.includes('goog-remb')),
  };
}
