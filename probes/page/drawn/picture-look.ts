import { type MediaSource, senderOfSource } from '../../../model/scenario.js';
import { senderOf } from '../../../model/sender-mark.js';
import { nowMs } from '../clock.js';
import { type DrawnMark, isBlank, type Luma, readDrawn, stripShare, takenMsOf } from './drawn-mark.js';
import { SeenPictures } from './seen-pictures.js';
import { Tiles } from './tiles.js';

const everyMs = 500;

interface Looking {
  readonly clock: number;
  /** The shape of what is sent. */
  readonly sent: { readonly width: number; readonly height: number };
  /** Whose picture is expected now: a section may get another one's. */
  source(): MediaSource | undefined;
}

/** Looks twice a second at what a video element shows. Of pictures that it cannot read nothing is known. */
export class PictureLook {
  private readonly timer: ReturnType<typeof setInterval>;
  private readonly tiles: Tiles;
  private readonly seen: SeenPictures;
  private waiting = false;

  constructor(
    private readonly element: HTMLVideoElement,
    private readonly looking: Looking,
  ) {
    this.tiles = new Tiles(looking.sent);
    this.seen = new SeenPictures(looking.clock);
    this.timer = setInterval(() => this.lookAtNext(), everyMs);
  }

  take(): ReturnType<SeenPictures['take']> {
    return this.seen.take();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private lookAtNext(): void {
    if (this.waiting) return;
    this.waiting = true;
    this.element.requestVideoFrameCallback((_, { presentationTime, presentedFrames }) => {
      const shownMs = performance.timeOrigin + presentationTime;
      this.look(Math.min(shownMs, nowMs()), presentedFrames)
        .catch(() => undefined)
        .finally(() => {
          this.waiting = false;
        });
    });
  }

  private async look(shownMs: number, presented: number): Promise<void> {
    const source = this.looking.source();
    // Slides have no marks, and may begin with white.
    if (source && 'screen' in source) return;
    const isMix = source !== undefined && 'mix' in source;
    const frame = new VideoFrame(this.element);
    try {
      const { format, visibleRect } = frame;
      if (!visibleRect || !(format === 'I420' || format === 'NV12')) return;
      const { x, y, width, height } = visibleRect;
      const lines = isMix ? even(height) : even(height * stripShare) + 2;
      const rect = { x, y, width: even(width), height: Math.min(lines, even(height)) };
      const bytes = new Uint8Array(frame.allocationSize({ rect }));
      const [plane] = await frame.copyTo(bytes, { rect });
      if (!plane) return;
      const luma: Luma = { bytes: bytes.subarray(plane.offset), stride: plane.stride };
      const marks = isMix ? this.tiles.read(luma, { width, height }) : one(luma, width, height);
      const isOneColour = marks.length === 0 && isBlank(luma, rect.width, rect.height);
      const sender = senderOfSource(source);
      const expected = sender === undefined ? undefined : senderOf(sender);
      const takenMs = (mark: DrawnMark) => takenMsOf(mark.tick, shownMs);
      this.seen.note({ marks, isMix, isOneColour, shownMs, presented, expected, takenMs });
    } finally {
      frame.close();
    }
  }
}

const even = (pixels: number): number => Math.floor(pixels / 2) * 2;

function one(luma: Luma, width: number, height: number): readonly DrawnMark[] {
  const mark = readDrawn(luma, { x: 0, y: 0, width, height });
  return mark ? [mark] : [];
}
