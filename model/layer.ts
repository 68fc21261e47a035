import type { ScalabilityMode } from './codec.js';
import type { Retyping, Typing } from './remedy.js';

/** The layers of a video as people say them; each is twice as wide and high as the one before it. */
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

/** What a receiver asks of a video: one of its layers, or nothing where it does not show it. */
export const asks = [...layerNames, 'none'] as const;
export type Ask = (typeof asks)[number];

/** From when on it is asked for, ms after the receivers began to change what they show. */
export type AskedTurn = readonly [fromMs: number, ask: Ask];

/** What a receiver asks the server for of the video of a source, as a function of time. */
export interface AskedLayer {
  /** The largest that it asks for. */
  readonly name: LayerName;
  /** Of its picture, pixels. */
  readonly width: number;
  readonly kbps: number;
  /** In order of time, the first from 0; after `turnsMs` they begin anew. Absent: it always asks for that layer. */
  readonly turns?: readonly AskedTurn[];
}

/** So long may a server take from when it is asked for a layer until its first picture comes. */
export const switchMostMs = 2000;

/** After so long all receivers show again what they showed at first, and so on. */
export const turnsMs = 120_000;

/** What is asked for so long after receivers began to change what they show; 0 is before that, too. */
export function askAt({ name, turns }: AskedLayer, afterMs: number): Ask {
  const inTurns = Math.max(0, afterMs) % turnsMs;
  return turns?.findLast(([fromMs]) => fromMs <= inTurns)?.[1] ?? name;
}

/** How wide pictures of a layer of that source are, pixels. */
export const widthOf = ({ name, width }: AskedLayer, layer: LayerName): number =>
  (width * parts[name].shrunkBy) / parts[layer].shrunkBy;

/** What of the media of a plan says how large layers are. */
interface LayeredMedia {
  readonly width: number;
  readonly videoKbps: number;
  readonly simulcast?: { readonly rids: readonly string[] } | undefined;
  readonly svc?: { readonly mode: ScalabilityMode } | undefined;
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

/** Chromium's encoders make so much of what libwebrtc gives to a layer (Chromium 156; 0.96 to 0.97 in four sizes). */
export const layerMadeShare = 0.966;

/** What libwebrtc gives a layer with another above it, whatever more it may have (`kSimulcastFormats`), kbit/s. */
const enough = [
  { pixels: 320 * 180, kbps: 150 },
  { pixels: 480 * 270, kbps: 350 },
  { pixels: 640 * 360, kbps: 500 },
  { pixels: 960 * 540, kbps: 1200 },
  { pixels: 1280 * 720, kbps: 2500 },
  { pixels: 1920 * 1080, kbps: 4000 },
] as const;
/** It is at least this share of the most that the layer may have. */
const enoughShare = 0.75;

function enoughOf(pixels: number, mostKbps: number): number {
  const above = enough.findIndex((one) => one.pixels >= pixels);
  const [high, low] = [enough.at(above), enough[above - 1]];
  const share = high && low ? (pixels - low.pixels) / (high.pixels - low.pixels) : 1;
  const kbps = (low?.kbps ?? 0) * (1 - share) + (high?.kbps ?? 0) * share;
  return Math.min(mostKbps, Math.max(kbps, enoughShare * mostKbps));
}

/** Each picture that is sent as the only one of its media, the lowest layer first. Encoders take even sides. */
export function layerMedia<Of extends LayeredMedia & { readonly height: number }>(media: Of): readonly Of[] {
  const layers = sentLayers(media);
  if (layers.length === 0) return [media];
  const { simulcast: _, ...plain } = media;
  const side = (pixels: number) => 2 * Math.round(pixels / 2);
  return layers.map(({ shrunkBy, kbps }, nth) => {
    const [width, height] = [side(media.width / shrunkBy), side(media.height / shrunkBy)];
    const given = nth === layers.length - 1 ? kbps : enoughOf(width * height, kbps);
    return { ...(plain as Of), width, height, videoKbps: Math.round(layerMadeShare * given) };
  });
}

export function askedLayer({ videoKbps, width, svc }: LayeredMedia, name: LayerName): AskedLayer {
  const { shrunkBy, ratePercent } = parts[name];
  const kbps = svc ? spatialKbps(svc.mode, name, videoKbps) : (videoKbps * ratePercent) / 100;
  return { name, width: width / shrunkBy, kbps };
}

/** The spatial layers of a mode, the lowest first: of two the upper two, so that the highest is the camera's size. */
export const spatialLayers = (mode: ScalabilityMode): readonly LayerName[] => layerNames.slice(-Number(mode[1]));

/** Each spatial layer has so much of the rate of the one above it (`SvcRateAllocator` of libwebrtc). */
const ofAbove = 0.55;
/** The rate of that number of layers together, where the highest has 1. */
const together = (layers: number): number => (1 - ofAbove ** layers) / (1 - ofAbove);

/** The share of the highest spatial layer in the rate of all. */
export const topShare = (mode: ScalabilityMode): number => 1 / together(spatialLayers(mode).length);

/** The rate of a spatial layer with all below it, on which it rests. */
function spatialKbps(mode: ScalabilityMode, name: LayerName, videoKbps: number): number {
  const names = spatialLayers(mode);
  const upTo = names.indexOf(name) + 1;
  return (videoKbps * ofAbove ** (names.length - upTo) * together(upTo)) / together(names.length);
}

/** The layers within one stream, the lowest first, as they are told to a server. Absent: there are none. */
export const spatialParts = (media: LayeredMedia): readonly SentLayer[] | undefined =>
  media.svc &&
  spatialLayers(media.svc.mode).map((name) => ({
    rid: '',
    shrunkBy: parts[name].shrunkBy,
    kbps: askedLayer(media, name).kbps,
  }));

interface Sent {
  readonly width: number;
  readonly height: number;
  readonly videoKbps: number;
}

/** What pictures need for all layers to be sent. */
export interface LeastForLayers {
  readonly width: number;
  readonly height: number;
  readonly isLarge: (width: number, height: number) => boolean;
  readonly kbpsOf: (pixels: number) => number;
}

/**
 * libwebrtc makes two layers of a smaller camera, and leaves the highest out below the least rate of its size
 * (`kSimulcastFormats`): 350 kbit/s of 960x540, 600 of 1280x720, 800 of 1920x1080.
 */
export const leastForSimulcast: LeastForLayers = {
  width: 960,
  height: 540,
  isLarge: (width, height) => width * height >= 960 * 540,
  kbpsOf: (pixels) => (pixels > 1280 * 720 ? 1500 : 1000),
};

/** The flags that make all layers of these pictures, without those that are as they must be. */
export function largeEnough({ width, height, videoKbps }: Sent, least: LeastForLayers): Typing {
  const isLarge = least.isLarge(width, height);
  const kbps = least.kbpsOf(isLarge ? width * height : 1280 * 720);
  return {
    ...(isLarge ? {} : { '--resolution': '1280x720' }),
    ...(videoKbps >= kbps ? {} : { '--video-kbps': Math.max(2500, kbps) }),
  };
}

type Said = { readonly [Name in 'media' | 'record' | 'resolution' | 'videoKbps']?: unknown };

/** "1280x720", also of what was read of it. */
function sizeSaid(resolution: unknown): string | undefined {
  if (typeof resolution !== 'object' || resolution === null)
    return resolution === undefined ? undefined : `${resolution}`;
  const { width, height } = resolution as Partial<Sent>;
  return `${width}x${height}`;
}

/** What makes layers of whatever else was written. */
export function layersAdded({ media, record, resolution, videoKbps }: Said): Retyping {
  const isOfOthers = media === 'encoded' || media === 'none';
  const size = sizeSaid(resolution);
  const [width = 640, height = 360] = size?.match(/\d+/g)?.map(Number) ?? [];
  const larger = largeEnough({ width, height, videoKbps: Number(videoKbps) || 500 }, leastForSimulcast);
  const give: Typing = {
    '--simulcast': true,
    ...larger,
    ...(isOfOthers ? { '--media': 'full' } : {}),
    ...(record === false ? {} : { '--no-record': true }),
  };
  return { give, leave: record === true ? ['--record'] : [] };
}

/**
 * - `stuck`: all get the lowest and stay there.
 * - `wrong`: all get another one than they asked for.
 * - `starved`: the highest has gaps.
 * - `unmoved`: each stays in the layer that it got first.
 * - `keyless`: each turns to another without a key frame.
 */
export const layerFaults = ['stuck', 'wrong', 'starved', 'unmoved', 'keyless'] as const;
export type LayerFault = (typeof layerFaults)[number];
