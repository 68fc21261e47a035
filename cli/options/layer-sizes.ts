import { type LeastForLayers, largeEnough, leastForSimulcast, spatialLayers, topShare } from '../../model/layer.js';
import { mediaSchema, type Plan } from '../../model/plan.js';
import { usageError } from './usage-error.js';

type Sent = Pick<Plan['media'], 'width' | 'height' | 'videoKbps'>;

/** Throws E_USAGE for layers of pictures that are too small for them, whoever sends them. */
export function assertLayers(isSimulcast: boolean, asked: Partial<Plan['media']>): void {
  const media = { ...mediaSchema.parse({}), ...asked };
  if (isSimulcast) assertLarge(media, '--simulcast', 'three', leastForSimulcast);
  if (media.svc) assertSpatialLayers(media.svc, media);
}

/** The lowest layer of a stream has this size at least (libwebrtc: `kMinVp9SpatialLayerLongSideLength` and its kin). */
const leastSpatial = { width: 240, height: 135 } as const;

/** Throws E_USAGE for pictures of which Chromium makes fewer layers, and for layers asked for that are not there. */
function assertSpatialLayers({ mode, asked, speaker = asked }: NonNullable<Plan['media']['svc']>, sent: Sent): void {
  const names = spatialLayers(mode);
  const missing = [asked, speaker].find((name) => !names.includes(name));
  if (missing !== undefined)
    throw usageError(
      `--svc ${mode} has no ${missing} layer.`,
      ['--svc', '--layer, --layout'],
      [`ask for ${names.join(' or ')}`, { give: { '--svc': 'L3T3' } }],
      `it has ${names.length} spatial ${names.length === 1 ? 'layer' : 'layers'}`,
    );
  if (names.length === 1) return;
  const times = 2 ** (names.length - 1);
  const [leastWidth, leastHeight] = [times * leastSpatial.width, times * leastSpatial.height];
  const least: LeastForLayers = {
    width: leastWidth,
    height: leastHeight,
    isLarge: (width, height) => width >= leastWidth && height >= leastHeight,
    kbpsOf: (pixels) => Math.ceil(leastOfLayer(pixels) / topShare(mode)),
  };
  assertLarge(sent, `--svc ${mode}`, `${names.length} spatial`, least);
}

/** Throws E_USAGE for pictures that are too small for these layers, or sent at too low a rate. */
function assertLarge(sent: Sent, flag: string, layers: string, least: LeastForLayers): void {
  const { width, height, videoKbps } = sent;
  const [name = ''] = flag.split(' ');
  const todo = { give: largeEnough(sent, least) };
  if (!least.isLarge(width, height))
    throw usageError(
      `${flag} needs larger pictures than ${width}x${height}.`,
      [name, '--resolution'],
      todo,
      `Chromium sends ${layers} layers of a camera from ${least.width}x${least.height} on`,
    );
  const kbps = least.kbpsOf(width * height);
  if (videoKbps >= kbps) return;
  throw usageError(
    `${flag} needs --video-kbps ${kbps} or more, not ${videoKbps}.`,
    [name, '--video-kbps'],
    todo,
    'Chromium leaves out the highest layer when its rate is too low for its size',
  );
}

/** kbit/s below which a spatial layer of this many pixels is left out (`ConfigureSvcNormalVideo` of libwebrtc). */
const leastOfLayer = (pixels: number): number => (600 * Math.sqrt(pixels) - 95_000) / 1000;
