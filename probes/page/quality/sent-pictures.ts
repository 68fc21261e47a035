import { CameraPictures, loopSeconds, stillTop } from '../../../model/camera-picture.js';
import { type Likeness, likeness } from './likeness.js';

/** A plane of luma. */
interface Plane {
  readonly bytes: Uint8Array;
  readonly stride: number;
  readonly width: number;
  readonly height: number;
}

/** A received picture, as large as the one that was sent, and that one; of both the part that is compared. */
export interface Pair extends Likeness {
  readonly sent: Uint8Array;
  readonly received: Uint8Array;
  readonly width: number;
  /** Which picture of the loop it is. */
  readonly index: number;
}

/** The distance, in shares of the height, between pixels that are compared to find which picture it is. */
const gridShare = 1 / 60;

/**
 * What every camera sends, made again here: pictures of one loop. Which of them a received one is, its moving part
 * says. What is above that is left out: marks may be drawn there.
 */
export class SentPictures {
  private readonly pictures: CameraPictures;
  /** Of the moving part, where each picture is looked at to find it. */
  private readonly places: readonly { readonly x: number; readonly y: number }[];
  /** What is in these places, picture by picture. */
  private readonly found: readonly Uint8Array[];

  constructor(private readonly sent: { readonly width: number; readonly height: number; framesPerSecond: number }) {
    const frames = loopSeconds * sent.framesPerSecond;
    this.pictures = new CameraPictures({ ...sent, frames });
    const { left, right, top } = this.pictures.moving;
    const step = Math.max(1, Math.round(sent.height * gridShare));
    const along = (from: number, to: number) =>
      Array.from({ length: Math.ceil((to - from) / step) }, (_, nth) => from + nth * step);
    this.places = along(top, sent.height).flatMap((y) => along(left, right).map((x) => ({ x, y })));
    this.found = Array.from({ length: frames }, (_, index) => {
      const at = this.pictures.movingAt(index);
      return Uint8Array.from(this.places, ({ x, y }) => at(x, y));
    });
  }

  compare(shown: Plane): Pair {
    const { width, height } = this.sent;
    const from = Math.ceil(height * stillTop) * width;
    const whole = scaled(shown, width, height);
    const index = this.nearest(whole);
    const sent = this.pictures.luma(index).subarray(from);
    const received = whole.subarray(from);
    return { sent, received, width, index, ...likeness(sent, received, width) };
  }

  /** Which picture of the loop it is. */
  nearest(whole: Uint8Array): number {
    const seen = Uint8Array.from(this.places, ({ x, y }) => whole[y * this.sent.width + x] ?? 0);
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (const [index, found] of this.found.entries()) {
      let sum = 0;
      for (let nth = 0; nth < seen.length && sum < least; nth += 1) sum += ((seen[nth] ?? 0) - (found[nth] ?? 0)) ** 2;
      if (sum < least) [best, least] = [index, sum];
    }
    return best;
  }
}

/** Without padding; bilinear, by the middles of pixels. */
export function scaled({ bytes, stride, width, height }: Plane, toWidth: number, toHeight: number): Uint8Array {
  const into = new Uint8Array(toWidth * toHeight);
  if (width === toWidth && height === toHeight) {
    for (let y = 0; y < height; y += 1) into.set(bytes.subarray(y * stride, y * stride + width), y * width);
    return into;
  }
  const columns = Array.from({ length: toWidth }, (_, x) => between(x, toWidth, width));
  const lefts = Int32Array.from(columns, ({ from }) => from);
  const shares = Float32Array.from(columns, ({ share }) => share);
  for (let y = 0; y < toHeight; y += 1) {
    const { from: top, share: down } = between(y, toHeight, height);
    const [upper, lower] = [top * stride, Math.min(top + 1, height - 1) * stride];
    for (let x = 0; x < toWidth; x += 1) {
      const left = lefts[x] as number;
      const [right, share] = [left < width - 1 ? left + 1 : left, shares[x] as number];
      const above = (bytes[upper + left] as number) * (1 - share) + (bytes[upper + right] as number) * share;
      const below = (bytes[lower + left] as number) * (1 - share) + (bytes[lower + right] as number) * share;
      into[y * toWidth + x] = above * (1 - down) + below * down + 0.5;
    }
  }
  return into;
}

/** Between which two pixels, the first and how far to the next, the middle of one lies. */
function between(nth: number, of: number, length: number): { readonly from: number; readonly share: number } {
  const place = Math.min(length - 1, Math.max(0, ((nth + 0.5) * length) / of - 0.5));
  const from = Math.floor(place);
  return { from, share: place - from };
}
