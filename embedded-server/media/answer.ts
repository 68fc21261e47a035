import type { MediaKind } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import { largestMessage, sctpPort } from '../../rtp/data-link.js';
import { repairedBy } from '../../rtp/rtx.js';
import {
  absSendTimeUri,
  type Offer,
  type OfferedCodec,
  type OfferedMedia,
  reversed,
  ridUri,
  type SdpDirection,
  transportNumberUri,
} from '../../rtp/sdp.js';

const codecNames: Readonly<Record<MediaKind, readonly string[]>> = {
  audio: ['opus', 'pcmu', 'pcma'],
  video: ['vp8', 'h264', 'av1', 'vp9', 'h265'],
};

/** Kept as a Kurento keeps it: no red, ulpfec; RTX and transport-cc only when asked for. */
const feedbackKept = ['goog-remb', 'ccm fir', 'nack', 'nack pli'];
const transportFeedback = 'transport-cc';

/** One m-line of the offer as the server answers it. */
export interface AcceptedMedia {
  readonly kind: MediaKind;
  readonly mid: string;
  readonly lineIndex: number;
  /** From the server's side. */
  readonly direction: SdpDirection;
  readonly codecs: readonly OfferedCodec[];
  /** RTX of these codecs (RFC 4588); empty when packets are resent on the stream itself. */
  readonly repairs: readonly OfferedCodec[];
  readonly absSendTimeId: number | undefined;
  /** The layers that are taken, preferred first, and the extension that names them; empty where there is one. */
  readonly rids: readonly string[];
  readonly ridId: number | undefined;
  /** Of transport-wide numbers, which stand in place of abs-send-time. */
  readonly transportNumberId: number | undefined;
}

/** What is taken of an offer only when it is asked for. */
interface Taken {
  readonly rtx: boolean;
  /** Transport-wide congestion control. Only with RTX: a packet resent as it was has its old number. */
  readonly transportNumbers: boolean;
}

interface AnswerParts {
  readonly sessionId: number;
  readonly ssrcs: Readonly<Record<MediaKind, number>>;
  /** Of what is resent, where an m-line has repairs. */
  readonly rtxSsrc: number;
  /** Data channels are taken where they are offered. */
  readonly takesData: boolean;
  readonly cname: string;
  readonly iceUfrag: string;
  readonly icePwd: string;
  readonly fingerprint: string;
  /** Candidates known by now, as `candidate:…` lines; empty in an answer that trickles. */
  readonly candidates: readonly string[];
  /** The address of the default candidate, once known. */
  readonly defaultAddress: { readonly address: string; readonly port: number } | undefined;
}

/** The first audio and the first video m-line with a codec the server forwards; the others are rejected. */
export function acceptMedia(offer: Offer, taken: Taken): readonly AcceptedMedia[] {
  const accepted: AcceptedMedia[] = [];
  offer.media.forEach((media, lineIndex) => {
    const kind = media.kind;
    if ((kind !== 'audio' && kind !== 'video') || accepted.some((other) => other.kind === kind)) return;
    const codecs = media.codecs.filter((codec) => codecNames[kind].includes(codec.name.toLowerCase()));
    if (codecs.length === 0) return;
    const { mid, ridId } = media;
    const rids = kind === 'video' && ridId !== undefined && media.sentRids.length > 1 ? media.sentRids : [];
    const known = new Set<number | undefined>(codecs.map(({ payloadType }) => payloadType));
    // Sound is not asked for again, so nothing of it is resent.
    // Nor is anything of layers: which of them a stream of RTX repairs is not read here.
    const repairs =
      taken.rtx && kind === 'video' && rids.length === 0
        ? media.codecs.filter((codec) => known.has(repairedBy(codec)))
        : [];
    const isNumbered = taken.transportNumbers && repairs.length > 0 && offersFeedback(codecs);
    const transportNumberId = isNumbered ? media.transportNumberId : undefined;
    const absSendTimeId = transportNumberId === undefined ? media.absSendTimeId : undefined;
    const direction = reversed(media.direction);
    accepted.push({ kind, mid, lineIndex, direction, codecs, repairs, rids, ridId, absSendTimeId, transportNumberId });
  });
  return accepted;
}

const offersFeedback = (codecs: readonly OfferedCodec[]): boolean =>
  codecs.every(({ feedback }) => feedback.includes(transportFeedback));

/** The answer, line by line in the order a Kurento writes it. */
export function writeAnswer(offer: Offer, accepted: readonly AcceptedMedia[], parts: AnswerParts): string {
  const isData = ({ kind }: OfferedMedia): boolean => parts.takesData && kind === 'application';
  const mids = [...accepted, ...offer.media.filter(isData)].map(({ mid }) => mid);
  const bundle = mids.filter((mid) => offer.bundle.includes(mid));
  const lines = those(
    'v=0',
    `o=- ${parts.sessionId} ${parts.sessionId} IN IP4 0.0.0.0`,
    's=Loadline embedded media server',
    parts.defaultAddress === undefined && 'c=IN IP4 0.0.0.0',
    't=0 0',
    ...offer.sessionLines,
    bundle.length > 0 && `a=group:BUNDLE ${bundle.join(' ')}`,
  );
  offer.media.forEach((media, index) => {
    const answer = accepted.find((one) => one.lineIndex === index);
    if (answer) lines.push(...mediaLines(answer, media.protocol, parts));
    else lines.push(...(isData(media) ? dataLines(media, parts) : rejectedLines(media)));
  });
  return `${lines.join('\r\n')}\r\n`;
}

function rejectedLines(media: OfferedMedia): string[] {
  const format = media.codecs[0]?.payloadType ?? (media.kind === 'application' ? 'webrtc-datachannel' : 0);
  return [`m=${media.kind} 0 ${media.protocol} ${format}`, 'a=inactive', `a=mid:${media.mid}`];
}

function mediaLines(media: AcceptedMedia, protocol: string, parts: AnswerParts): string[] {
  const address = parts.defaultAddress;
  const codecs = [...media.codecs, ...media.repairs];
  const payloadTypes = codecs.map((codec) => codec.payloadType).join(' ');
  const kept = new Set([...feedbackKept, ...(media.transportNumberId === undefined ? [] : [transportFeedback])]);
  return those(
    `m=${media.kind} ${address?.port ?? 1} ${protocol} ${payloadTypes}`,
    address !== undefined && `c=IN IP4 ${address.address}`,
    media.absSendTimeId !== undefined && `a=extmap:${media.absSendTimeId} ${absSendTimeUri}`,
    media.transportNumberId !== undefined && `a=extmap:${media.transportNumberId} ${transportNumberUri}`,
    ...layerLines(media),
    `a=${media.direction}`,
    `a=mid:${media.mid}`,
    address === undefined ? 'a=rtcp:9 IN IP4 0.0.0.0' : `a=rtcp:${address.port} IN IP4 ${address.address}`,
    ...codecs.map((codec) => `a=rtpmap:${codec.payloadType} ${codec.rtpmap}`),
    ...media.codecs.flatMap((codec) =>
      codec.feedback.filter((text) => kept.has(text)).map((text) => `a=rtcp-fb:${codec.payloadType} ${text}`),
    ),
    'a=setup:active',
    'a=rtcp-mux',
    ...codecs.flatMap((codec) => (codec.fmtp === undefined ? [] : [`a=fmtp:${codec.payloadType} ${codec.fmtp}`])),
    ...ssrcLines(media, parts),
    ...transportLines(parts),
  );
}

const transportLines = ({ iceUfrag, icePwd, fingerprint, candidates }: AnswerParts): string[] => [
  `a=ice-ufrag:${iceUfrag}`,
  `a=ice-pwd:${icePwd}`,
  `a=fingerprint:sha-256 ${fingerprint}`,
  ...candidates.map((candidate) => `a=${candidate}`),
];

/** RFC 8841. */
const dataLines = ({ mid, protocol }: OfferedMedia, parts: AnswerParts): string[] => [
  `m=application ${parts.defaultAddress?.port ?? 1} ${protocol} webrtc-datachannel`,
  ...(parts.defaultAddress === undefined ? [] : [`c=IN IP4 ${parts.defaultAddress.address}`]),
  `a=mid:${mid}`,
  'a=setup:active',
  `a=sctp-port:${sctpPort}`,
  `a=max-message-size:${largestMessage}`,
  ...transportLines(parts),
];

function layerLines({ rids, ridId }: AcceptedMedia): string[] {
  if (rids.length === 0) return [];
  return [
    `a=extmap:${ridId} ${ridUri}`,
    ...rids.map((rid) => `a=rid:${rid} recv`),
    `a=simulcast:recv ${rids.join(';')}`,
  ];
}

/** The stream, and the one that its packets are resent on (RFC 5576, 4.2, FID). */
function ssrcLines({ kind, repairs }: AcceptedMedia, { ssrcs, rtxSsrc, cname }: AnswerParts): string[] {
  const own = `a=ssrc:${ssrcs[kind]} cname:${cname}`;
  if (repairs.length === 0) return [own];
  return [`a=ssrc-group:FID ${ssrcs[kind]} ${rtxSsrc}`, own, `a=ssrc:${rtxSsrc} cname:${cname}`];
}
