/** One of the videos that a leg sends, each in its own size. */
interface RatedLayer {
  readonly width: number;
  readonly height: number;
  /** The most of it. */
  readonly kbps: number;
  /** It is sent now. */
  readonly isOn: boolean;
}

/** What libwebrtc sends a layer with at least, kbit/s, by its size (`kSimulcastFormats`). */
const least = [
  { pixels: 1920 * 1080, kbps: 800 },
  { pixels: 1280 * 720, kbps: 600 },
  { pixels: 960 * 540, kbps: 350 },
  { pixels: 480 * 270, kbps: 150 },
  { pixels: 0, kbps: 30 },
] as const;
/** A layer that was left out comes back where so much more than its least is allowed (libwebrtc, video hysteresis). */
const backTimes = 1.2;

/**
 * What each layer may have of the rate of all, kbit/s, as libwebrtc shares it out (`SimulcastRateAllocator`): the lower
 * ones first, and none above the first that gets less than its least. Zero: it is left out. The lowest never is.
 *
 * @param layers the lowest first
 */
export function sharedRates(allowedKbps: number, layers: readonly RatedLayer[]): readonly number[] {
  let left = allowedKbps;
  let isFull = false;
  return layers.map(({ width, height, kbps, isOn }, nth) => {
    const most = nth === layers.length - 1 ? left : Math.min(left, kbps);
    const needed = leastOf(width * height) * (isOn ? 1 : backTimes);
    isFull ||= nth > 0 && most < Math.min(needed, kbps);
    if (isFull) return 0;
    left -= most;
    return nth === 0 ? Math.max(1, most) : most;
  });
}

/** The rate of all, kbit/s, with which the lowest layer that is left out would be sent; zero: none is. */
export function neededRate(layers: readonly RatedLayer[]): number {
  const off = layers.findIndex(({ isOn }) => !isOn);
  const next = layers[off];
  if (next === undefined) return 0;
  const below = layers.slice(0, off).reduce((sum, { kbps }) => sum + kbps, 0);
  return below + Math.min(next.kbps, backTimes * leastOf(next.width * next.height));
}

const leastOf = (ofPixels: number): number => least.find(({ pixels }) => ofPixels >= pixels)?.kbps ?? 0;
