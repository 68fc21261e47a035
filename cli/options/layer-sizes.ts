import { largeEnough, spatialLayers, topShare } from '../../model/layer.js';
import type { Plan } from '../../model/plan.js';
import { usageError } from './usage-error.js';

type Sent = Pick<Plan['media'], 'width' | 'height' | 'videoKbps'>;

/**
 * libwebrtc makes two layers of a smaller camera, and leaves the highest out below the least rate of its size
 * (`kSimulcastFormats`): 350 kbit/s of 960x540, 600 of 1280x720, 800 of 1920x1080.
 */
const leastForLayers = { width: 960, height: 540, kbps: 1000, ofLargerKbps: 1500 } as const;

export function assertThreeLayers({ width, height, videoKbps }: Sent): void {
  const least = leastForLayers;
  const todo = `add ${largeEnough}`;
  if (width * height < least.width * least.height) {
    const why = `Chromium sends three layers of a camera from ${least.width}x${least.height} on`;
    throw usageError(
      `--simulcast needs larger pictures than ${width}x${height}.`,
      ['--simulcast', '--resolution'],
      todo,
      why,
    );
  }
  const kbps = width * height > 1280 * 720 ? least.ofLargerKbps : least.kbps;
  if (videoKbps >= kbps) return;
  throw usageError(
    `--simulcast needs --video-kbps ${kbps} or more, not ${videoKbps}.`,
    ['--simulcast', '--video-kbps'],
    todo,
    'Chromium leaves out the highest layer when its rate is too low for its size',
  );
}

/** The lowest layer of a stream has this size at least (`kMinVp9SpatialLayerLongSideLength` of libwebrtc and its kin). */
const leastSpatial = { width: 240, height: 135 } as const;

/** Throws E_USAGE for pictures of which Chromium makes fewer layers, and for layers that are asked for and not there. */
export function assertSpatialLayers(
  { mode, asked, speaker = asked }: NonNullable<Plan['media']['svc']>,
  { width, height, videoKbps }: Sent,
): void {
  const names = spatialLayers(mode);
  const missing = [asked, speaker].find((name) => !names.includes(name));
  if (missing !== undefined)
    throw usageError(
      `--svc ${mode} has no ${missing} layer.`,
      ['--svc', '--layer, --layout'],
      `ask for ${names.join(' or ')}, or give --svc L3T3`,
      `it has ${names.length} spatial ${names.length === 1 ? 'layer' : 'layers'}`,
    );
  if (names.length === 1) return;
  const times = 2 ** (names.length - 1);
  const least = { width: times * leastSpatial.width, height: times * leastSpatial.height };
  if (width < least.width || height < least.height)
    throw usageError(
      `--svc ${mode} needs larger pictures than ${width}x${height}.`,
      ['--svc', '--resolution'],
      `add ${largeEnough}`,
      `Chromium makes ${names.length} spatial layers of a camera from ${least.width}x${least.height} on`,
    );
  const kbps = Math.ceil(leastOfLayer(width * height) / topShare(mode));
  if (videoKbps >= kbps) return;
  throw usageError(
    `--svc ${mode} needs --video-kbps ${kbps} or more, not ${videoKbps}.`,
    ['--svc', '--video-kbps'],
    `add ${largeEnough}`,
    'Chromium leaves out the highest layer when its rate is too low for its size',
  );
}

/** kbit/s below which a spatial layer of this many pixels is left out (`ConfigureSvcNormalVideo` of libwebrtc). */
const leastOfLayer = (pixels: number): number => (600 * Math.sqrt(pixels) - 95_000) / 1000;
