import type { VideoCodec } from '../../model/codec.js';
import { type Leg, type MediaKind, receivedStreams } from '../../model/scenario.js';
import { repairedBy } from '../../rtp/rtx.js';
import { type OfferedCodec, type OfferedMedia, reversed } from '../../rtp/sdp.js';

/** A media section of an offer of ours. */
export interface OwnSection {
  readonly mid: string;
  readonly kind: MediaKind;
  readonly sends: boolean;
  readonly receives: boolean;
  /** Of what is received in it; absent where a leg's streams need no name. */
  readonly stream?: string | undefined;
}

/** As a browser offers a leg: what is sent shares its section with the first received of its kind. */
export function offeredSections(leg: Leg): readonly OwnSection[] {
  const ways = (['audio', 'video'] as const).flatMap((kind) => {
    const [first, ...further] = receivedStreams(leg).filter((stream) => stream.kind === kind);
    const sends = leg.sends.includes(kind);
    const own = sends || first ? [{ kind, sends, receives: first !== undefined, stream: first?.stream }] : [];
    return [...own, ...further.map(({ stream }) => ({ kind, sends: false, receives: true, stream }))];
  });
  return ways.map((way, nth) => ({ ...way, mid: String(nth) }));
}

/** What is taken of a section of a server's offer. */
export interface Taken {
  readonly kind: MediaKind;
  readonly codecs: readonly OfferedCodec[];
  readonly sends: boolean;
  readonly receives: boolean;
}

/**
 * Of each section of a server's offer: sends where asked to, in one section of a kind. Where streams have names, all
 * that is sent is received, as by a browser; else one stream of a kind, and the rest is refused.
 */
export function takenOf(
  sections: readonly OfferedMedia[],
  leg: Leg,
  codec: VideoCodec,
): readonly (Taken | undefined)[] {
  const open = { sends: new Set(leg.sends), receives: new Set(leg.receives) };
  const hasNames = receivedStreams(leg).some(({ stream }) => stream !== undefined);
  return sections.map((section) => {
    const one = takenOfOne(section, codec, open);
    if (one?.sends) open.sends.delete(one.kind);
    if (one?.receives && !hasNames) open.receives.delete(one.kind);
    return one;
  });
}

function takenOfOne(
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
