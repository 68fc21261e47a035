import type { VideoCodec } from '../../model/codec.js';
import type { MediaKind } from '../../model/scenario.js';
import { repairedBy } from '../../rtp/rtx.js';
import type { OfferedCodec, OfferedMedia } from '../../rtp/sdp.js';

/** What was agreed of one media section. */
export interface AgreedMedia {
  readonly kind: MediaKind;
  readonly mid: string;
  /** What the server does in it. */
  readonly theySend: boolean;
  readonly theyTake: boolean;
  /** Names of SDP in lower case, by payload type; the one that is wanted most comes first. */
  readonly codecs: ReadonlyMap<number, AgreedCodec>;
  /** The payload type that one of RTX carries again, by its own. */
  readonly repairs: ReadonlyMap<number, number>;
  readonly transportNumberId: number | undefined;
  readonly absSendTimeId: number | undefined;
  readonly midId: number | undefined;
  /** Those that the server says it sends with, for what is sent again, too. */
  readonly ssrcs: readonly number[];
  readonly takesRemb: boolean;
  /** The layers that the server takes, and the extensions that name them (RFC 8852); absent: it takes one video. */
  readonly layers?: AgreedLayers;
}

interface AgreedLayers {
  readonly rids: readonly string[];
  readonly ridId: number;
  readonly repairedRidId: number | undefined;
}

interface AgreedCodec {
  readonly name: string;
  readonly clockRate: number;
  readonly fmtp: string | undefined;
}

export function agreedOf(section: OfferedMedia): AgreedMedia | undefined {
  const { kind, mid, codecs, direction, transportNumberId, absSendTimeId, midId, ssrcs } = section;
  const { ridId, repairedRidId, takenRids: rids } = section;
  const theySend = direction === 'sendonly' || direction === 'sendrecv';
  const theyTake = direction === 'recvonly' || direction === 'sendrecv';
  if (section.rejected || (!theySend && !theyTake) || (kind !== 'audio' && kind !== 'video')) return undefined;
  const repairs = codecs.flatMap((one) => {
    const repaired = repairedBy(one);
    return repaired === undefined ? [] : [[one.payloadType, repaired] as const];
  });
  const offersNumbers = codecs.some(({ feedback }) => feedback.includes('transport-cc'));
  return {
    kind,
    mid,
    theySend,
    theyTake,
    codecs: new Map(codecs.map((codec) => [codec.payloadType, agreedCodec(codec)])),
    repairs: new Map(repairs),
    transportNumberId: offersNumbers ? transportNumberId : undefined,
    absSendTimeId,
    midId,
    ssrcs,
    takesRemb: codecs.some(({ feedback }) => feedback.includes('goog-remb')),
    ...(rids.length > 0 && ridId !== undefined ? { layers: { rids, ridId, repairedRidId } } : {}),
  };
}

const agreedCodec = ({ name, clockRate, fmtp }: OfferedCodec): AgreedCodec => ({
  name: name.toLowerCase(),
  clockRate,
  fmtp,
});

interface SendingFormat {
  readonly payloadType: number;
  readonly clockRate: number;
  /** The payload type of what is sent again; absent: none was agreed. */
  readonly resentAs: number | undefined;
}

/** As what our sound or video is sent; `undefined` where the server takes none of it. */
export function sendingFormat({ kind, codecs, repairs }: AgreedMedia, video: VideoCodec): SendingFormat | undefined {
  const name = kind === 'audio' ? 'opus' : video.toLowerCase();
  const known = [...codecs].filter(([, codec]) => codec.name === name && canBeSent(codec));
  const [payloadType, codec] = known[0] ?? [];
  if (payloadType === undefined || !codec) return undefined;
  const resentAs = [...repairs].find(([, repaired]) => repaired === payloadType)?.[0];
  return { payloadType, clockRate: codec.clockRate, resentAs };
}

/** The clip's H264 is the constrained baseline, in fragments (RFC 6184, 8.1); an answer to that is not asked again. */
const canBeSent = ({ name, fmtp = '' }: AgreedCodec): boolean =>
  name !== 'h264' || (/packetization-mode=1/.test(fmtp) && /profile-level-id=42(e0|c0|00)/i.test(fmtp));
