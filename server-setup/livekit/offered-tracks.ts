import type { MediaKind } from '../../model/scenario.js';
import { isRejected } from '../../model/sdp-section.js';

export interface OfferedTrack {
  /** The name that its media section gives it (RFC 8830), by which the server knows it again. */
  readonly cid: string;
  readonly kind: MediaKind;
}

export interface OfferedStream {
  readonly mid: string;
  readonly kind: MediaKind;
  /** Of the participant that it is of, in the server's own name for it. */
  readonly sid: string;
  /** The same of its track. */
  readonly trackSid: string;
}

const sectionsIn = (sdp: string): readonly string[] => sdp.split(/^(?=m=)/m).slice(1);
const kindOf = (section: string) => /^m=(audio|video) /.exec(section)?.[1] as MediaKind | undefined;
const isSent = (section: string): boolean => !/^a=(recvonly|inactive)\r?$/m.test(section) && !isRejected(section);

/** What an offer of a participant sends. */
export function tracksIn(offer: string): readonly OfferedTrack[] {
  return sectionsIn(offer).flatMap((section, nth) => {
    const kind = kindOf(section);
    if (kind === undefined || !isSent(section)) return [];
    return [{ kind, cid: /^a=msid:\S+ (\S+)/m.exec(section)?.[1] ?? `${kind}-${nth}` }];
  });
}

/** Whose streams an offer of the server has: its msid begins with the participant, and may go on behind a bar. */
export function streamsIn(offer: string): readonly OfferedStream[] {
  return sectionsIn(offer).flatMap((section) => {
    const kind = kindOf(section);
    const mid = /^a=mid:(\S+)/m.exec(section)?.[1];
    const [, sid, trackSid] = /^a=msid:([^\s|]+)\S* (\S+)/m.exec(section) ?? [];
    if (!kind || !mid || !sid || !trackSid || !isSent(section)) return [];
    return [{ mid, kind, sid, trackSid }];
  });
}
