import type { RemoteTransport } from '../../rtp/link.js';
import type { DtlsRole } from '../../rtp/native-link.js';
import { type OfferedMedia, readOffer } from '../../rtp/sdp.js';
import { type AgreedMedia, agreedOf } from './agreed-media.js';

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
