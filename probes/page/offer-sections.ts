import type { MediaKind } from '../../model/scenario.js';
import type { ServerOffer } from '../../model/signalling.js';

/** One media section of a server's offer. */
export interface OfferedSection {
  readonly mid: string;
  readonly kind: MediaKind;
  readonly serverSends: boolean;
  readonly serverReceives: boolean;
  /** Whose stream it carries, as far as the server says. */
  readonly stream: string | undefined;
}

/** Sections with sound or video, in the offer's order: mid (RFC 9143), direction (RFC 8866 6.7), stream (RFC 8830). */
export function sectionsOf({ offer, places = [] }: ServerOffer): readonly OfferedSection[] {
  return offer
    .split(/^(?=m=)/m)
    .slice(1)
    .flatMap((section) => {
      const kind = /^m=(audio|video) /.exec(section)?.[1] as MediaKind | undefined;
      const mid = /^a=mid:(\S+)/m.exec(section)?.[1];
      if (kind === undefined || mid === undefined) return [];
      // A section without a port carries nothing (RFC 3264 6), unless it shares that of another (RFC 9143 6).
      const refused = /^m=\w+ 0 /.test(section) && !/^a=bundle-only\b/m.test(section);
      const said = /^a=(sendrecv|sendonly|recvonly|inactive)\b/m.exec(section)?.[1] ?? 'sendrecv';
      const direction = refused ? 'inactive' : said;
      const msid = /^a=msid:(\S+)/m.exec(section)?.[1];
      const place = places.find((one) => ('mid' in one ? one.mid === mid : one.msid === msid));
      return {
        mid,
        kind,
        serverSends: direction === 'sendrecv' || direction === 'sendonly',
        serverReceives: direction === 'sendrecv' || direction === 'recvonly',
        stream: place?.stream ?? msid,
      };
    });
}
