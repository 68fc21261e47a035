import type { ProbeArtifacts } from '../../../model/artifacts.js';
import { isOfCamera } from '../../../model/expected-streams.js';
import type { StreamSample } from '../../../model/sample.js';
import { nowMs } from '../clock.js';
import { lookEvery, lumaOf } from '../shown-frames.js';
import { keyOf, type Shown, type ShownVideo, videosOf } from '../shown-videos.js';
import type { Likeness } from './likeness.js';
import type { Pair, SentPictures } from './sent-pictures.js';
import type { VmafOf } from './vmaf.js';

const everyMs = 1000;
/** The shortest window, so that what is kept is of no time before it. */
const keptMs = 10_000;
const pictureWidth = 320;

/** By each measure that there is for it, by the name that it has in samples. */
interface Quality extends Likeness {
  readonly vmaf: number | undefined;
}

interface Compared extends Pair, Quality {
  readonly atMs: number;
}

/** Compares the pictures that one probe shows with those that were sent, one a second. */
export class PictureQuality {
  private readonly ends = new Map<HTMLVideoElement, () => void>();
  /** Of each stream, since it was read. */
  private found = new Map<string, Quality[]>();
  /** Pictures of the last seconds, each worse than all after it: the first is the worst. */
  private last: readonly Compared[] = [];

  constructor(
    private readonly sentPictures: () => SentPictures,
    private readonly vmafOf: VmafOf,
  ) {}

  /** The samples of the probe with what was found. What has begun to play since is looked at from now on. */
  read(peers: readonly Shown[], streams: readonly StreamSample[]): readonly StreamSample[] {
    for (const video of peers.flatMap(videosOf))
      if (!this.ends.has(video.element)) this.ends.set(video.element, this.begin(video));
    const { found } = this;
    this.found = new Map();
    return streams.map((stream) => {
      if (stream.direction !== 'receive' || stream.metrics.framesDecoded === undefined) return stream;
      const compared = found.get(keyOf(stream.leg, stream.stream));
      if (!compared) return stream;
      const means = Object.fromEntries(
        (['ssim', 'psnrDb', 'vmaf'] as const).flatMap((name) => {
          const values = compared.flatMap((one) => one[name] ?? []);
          return values.length === 0 ? [] : [[name, values.reduce((sum, one) => sum + one, 0) / values.length]];
        }),
      );
      return { ...stream, metrics: { ...stream.metrics, ...means } };
    });
  }

  /** Ends it, and gives the worst picture of its last seconds. */
  close(probe: string): ProbeArtifacts | undefined {
    for (const end of this.ends.values()) end();
    const [worst] = this.last;
    if (!worst) return undefined;
    const vmaf = worst.vmaf === undefined ? '' : `VMAF ${worst.vmaf.toFixed(1)}, `;
    const text = `${vmaf}SSIM ${worst.ssim.toFixed(3)}, PSNR ${worst.psnrDb.toFixed(1)} dB, by luma and without the top of the picture: the worst of its last ${keptMs / 1000} s.`;
    const name = 'The picture: what was shown at the left, what was sent at the right';
    return { probe, atMs: nowMs(), texts: [{ name, text }], picture: sideBySide(worst) };
  }

  private begin({ element, key, source }: ShownVideo): () => void {
    return lookEvery(everyMs, element, async (frame, { shownMs }) => {
      if (!isOfCamera(source())) return;
      const luma = await lumaOf(frame);
      // What comes next waits for others, and a decoder has few frames.
      frame.close();
      if (!luma) return;
      const pair = this.sentPictures().compare({ ...luma, ...luma.rect });
      const vmaf = await this.vmafOf(pair);
      const compared = { ...pair, vmaf, atMs: shownMs };
      // One before that is no worse is never the worst again.
      const before = this.last.filter(({ atMs, ssim }) => atMs > shownMs - keptMs && ssim < compared.ssim);
      this.last = [...before, compared];
      this.found.set(key(), [...(this.found.get(key()) ?? []), { ssim: pair.ssim, psnrDb: pair.psnrDb, vmaf }]);
    });
  }
}

/** A data URL of a small JPEG, in grey. */
function sideBySide({ sent, received, width }: Pair): string {
  const height = sent.length / width;
  const canvas = document.createElement('canvas');
  canvas.width = 2 * pictureWidth;
  canvas.height = Math.round((pictureWidth * height) / width);
  for (const [nth, luma] of [received, sent].entries()) {
    const pixels = Uint8ClampedArray.from({ length: 4 * luma.length }, (_, at) =>
      at % 4 === 3 ? 255 : (luma[at >> 2] ?? 0),
    );
    const whole = Object.assign(document.createElement('canvas'), { width, height });
    whole.getContext('2d')?.putImageData(new ImageData(pixels, width, height), 0, 0);
    canvas.getContext('2d')?.drawImage(whole, nth * pictureWidth, 0, pictureWidth, canvas.height);
  }
  return canvas.toDataURL('image/jpeg', 0.85);
}
