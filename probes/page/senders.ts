import type { ScalabilityMode } from '../../model/codec.js';
import type { Leg, MediaKind } from '../../model/scenario.js';
import type { PageMedia } from './wire.js';

const encoding = (media: Pick<PageMedia, 'videoKbps' | 'framesPerSecond'>): RTCRtpEncodingParameters => ({
  maxBitrate: media.videoKbps * 1000,
  maxFramerate: media.framesPerSecond,
});

/**
 * One for each layer of the leg, or the one of a video without. The highest is first, as the most preferred (RFC 8853,
 * 5.2); there are servers that number layers by this order, whatever their rids are.
 */
export const encodings = (media: PageMedia, leg: Leg): RTCRtpEncodingParameters[] =>
  leg.layers?.toReversed().map(({ rid, shrunkBy, kbps }) => ({
    ...encoding({ ...media, videoKbps: kbps }),
    rid,
    scaleResolutionDownBy: shrunkBy,
  })) ?? [{ ...encoding(media), ...modeOf(media, leg) }];

/** Of webrtc-svc, which the types of the browser's own interfaces lack. */
type SentMode = RTCRtpEncodingParameters & { readonly scalabilityMode?: string };

/** A screen has one layer. */
const modeOf = ({ svc }: PageMedia, { screen }: Leg): { readonly scalabilityMode?: ScalabilityMode } =>
  svc && !screen ? { scalabilityMode: svc.mode } : {};

/** Throws where a video goes out in other layers than it was to: browsers fall back with another codec. */
export function assertScalable(sender: RTCRtpSender, media: PageMedia, leg: Leg): void {
  const { scalabilityMode: asked } = modeOf(media, leg);
  const [sent]: readonly SentMode[] = sender.getParameters().encodings;
  if (asked === undefined || sender.track?.kind !== 'video' || sent?.scalabilityMode === asked) return;
  throw new Error(`video is sent as ${sent?.scalabilityMode ?? 'one layer'}, and not as ${asked}`);
}

/**
 * A sender short of bandwidth or CPU drops frames and never shrinks the picture: received frame rates stay comparable
 * between sizes of load, and a shortage shows in one number (mst-content-hint, degradationPreference).
 */
export async function keepResolution(sender: RTCRtpSender): Promise<void> {
  if (sender.track?.kind !== 'video') return;
  const parameters = sender.getParameters();
  await sender.setParameters({ ...parameters, degradationPreference: 'maintain-resolution' });
}

/** The same for a section that the server offered, whose sender was made without limits. Those that it has stay. */
export async function keepWithin(sender: RTCRtpSender, media: PageMedia): Promise<void> {
  if (sender.track?.kind !== 'video') return;
  const parameters = sender.getParameters();
  const encodings = parameters.encodings.map((one) => ({ ...encoding(media), ...one }));
  await sender.setParameters({ ...parameters, encodings, degradationPreference: 'maintain-resolution' });
}

/** `outbound-rtp.rtxSsrc` does not tell: Chromium gives it if RTX was offered, even if the answer has none. */
export const resendsApart = (sender: RTCRtpSender, kind: MediaKind): boolean =>
  sender.getParameters().codecs.some(({ mimeType }) => mimeType.toLowerCase() === `${kind}/rtx`);
