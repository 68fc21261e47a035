import type { MediaKind } from '../../model/scenario.js';
import { isRejected } from '../../model/sdp-section.js';

interface OfferedTrack {
  /** The name that its media section gives it (RFC 8830), by which the server knows it again. */
  readonly cid: string;
  readonly kind: MediaKind;
}

interface OfferedStream {
  readonly mid: string;
  /** Of the participant that it is of, in the server's own name for it. */
  readonly sid: string;
}

const sectionsIn = (sdp: string): readonly string[] => sdp.split(/^(?=m=)/m).slice(1);
const isSent = (section: string): boolean => !/^a=(recvonly|inactive)\r?$/m.test(section) && !isRejected(section);

/** What an offer of a participant sends. */
export function tracksIn(offer: string): readonly OfferedTrack[] {
  return sectionsIn(offer).flatMap((section, nth) => {
    const kind = /^m=(audio|video) /.exec(section)?.[1] as MediaKind | undefined;
    if (kind === undefined || !isSent(section)) return [];
    return [{ kind, cid: /^a=msid:\S+ (\S+)/m.exec(section)?.[1] ?? `${kind}-${nth}` }];
  });
}

/** Whose streams an offer of the server has: its msid begins with the participant, and may go on behind a bar. */
export function streamsIn(offer: string): readonly OfferedStream[] {
  return sectionsIn(offer).flatMap((section) => {
    const mid = /^a=mid:(\S+)/m.exec(section)?.[1];
    const sid = /^a=msid:([^\s|]+)/m.exec(section)?.[1];
    return mid === undefined || sid === undefined || !isSent(section) ? [] : [{ mid, sid }];
  });
}
