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
  /** Sections that share a transport, and are not there. */
  readonly bundledOnly: readonly string[];
  /** Feedback may travel without a report in front of it (RFC 5506). */
  readonly reducedSize: boolean;
}

/** `undefined` for what is no description with media, ICE credentials and a fingerprint. */
export function readDescription(sdp: string): RemoteDescription | undefined {
  const read = readOffer(sdp);
  if (!read) return undefined;
  const { setup } = read;
  return {
    transport: read.transport,
    role: setup === 'active' ? 'server' : setup === 'passive' ? 'client' : undefined,
    candidates: [...sdp.matchAll(/^a=(candidate:.*?)\r?$/gm)].map(([, line = '']) => line),
    sections: read.media,
    media: read.media.flatMap((section) => agreedOf(section) ?? []),
    bundledOnly: read.bundle.filter((mid) => read.media.every((section) => section.mid !== mid)),
    reducedSize: /^a=rtcp-rsize\r?$/m.test(sdp),
  };
}

/** The same; throws with what is wrong of what cannot be used. */
export function readWhole(sdp: string): RemoteDescription {
  const read = readDescription(sdp);
  if (!read) throw new Error('the description has no media, no ICE credentials or no fingerprint');
  const [mid] = read.bundledOnly;
  if (mid !== undefined)
    throw new Error(`the BUNDLE group names ${JSON.stringify(mid.slice(0, 40))}, which no media section is`);
  return read;
}
