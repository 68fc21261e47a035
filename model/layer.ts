/** The layers of simulcast as people say them; each is twice as wide and high as the one before it. */
export const layerNames = ['low', 'middle', 'high'] as const;
export type LayerName = (typeof layerNames)[number];

/**
 * How much smaller than the camera's each picture is, and its share of the rate of all video. At 2500 kbit/s the shares
 * are 200, 600 and 1700: what apps give pictures of 180, 360 and 720 lines.
 */
const parts: Readonly<Record<LayerName, { readonly shrunkBy: number; readonly ratePercent: number }>> = {
  low: { shrunkBy: 4, ratePercent: 8 },
  middle: { shrunkBy: 2, ratePercent: 24 },
  high: { shrunkBy: 1, ratePercent: 68 },
};

/** One of the layers that a leg sends. */
export interface SentLayer {
  /** RFC 8851. */
  readonly rid: string;
  readonly shrunkBy: number;
  readonly kbps: number;
}

/** The layer of a source that a receiver asks the server for. */
export interface AskedLayer {
  readonly name: LayerName;
  /** Of its picture, pixels. */
  readonly width: number;
  readonly kbps: number;
}

/** What of the media of a plan says how large layers are. */
interface LayeredMedia {
  readonly width: number;
  readonly videoKbps: number;
  readonly simulcast?: { readonly rids: readonly string[]; readonly asked: LayerName } | undefined;
}

/** The lowest first. */
export function sentLayers({ videoKbps, simulcast }: LayeredMedia): readonly SentLayer[] {
  return layerNames.flatMap((name, nth) => {
    const rid = simulcast?.rids[nth];
    if (rid === undefined) return [];
    const { shrunkBy, ratePercent } = parts[name];
    return { rid, shrunkBy, kbps: (videoKbps * ratePercent) / 100 };
  });
}

/** Each picture that is sent as the only one of its media, the lowest layer first. Encoders take even sides. */
export function layerMedia<Of extends LayeredMedia & { readonly height: number }>(media: Of): readonly Of[] {
  const layers = sentLayers(media);
  if (layers.length === 0) return [media];
  const { simulcast: _, ...plain } = media;
  const side = (pixels: number) => 2 * Math.round(pixels / 2);
  return layers.map(({ shrunkBy, kbps }) => ({
    ...(plain as Of),
    width: side(media.width / shrunkBy),
    height: side(media.height / shrunkBy),
    videoKbps: Math.round(kbps),
  }));
}

export function askedLayer({ videoKbps, width }: LayeredMedia, name: LayerName): AskedLayer {
  const { shrunkBy, ratePercent } = parts[name];
  return { name, width: width / shrunkBy, kbps: (videoKbps * ratePercent) / 100 };
}

/** Flags of pictures that make three layers. */
export const largeEnough = '--resolution 1280x720 --video-kbps 2500';

/** `stuck`: all get the lowest and stay there; `wrong`: another one than asked for; `starved`: the highest has gaps. */
export const layerFaults = ['stuck', 'wrong', 'starved'] as const;
export type LayerFault = (typeof layerFaults)[number];
