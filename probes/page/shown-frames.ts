import { nowMs } from './clock.js';

/** When a frame was shown, epoch milliseconds, and how many have been so far. */
interface Shown {
  readonly shownMs: number;
  readonly presented: number;
}

/**
 * Looks so often at the next frame that a video element shows, one look at a time. What cannot be read is passed over.
 * Returns what ends it.
 */
export function lookEvery(
  everyMs: number,
  element: HTMLVideoElement,
  look: (frame: VideoFrame, shown: Shown) => Promise<void>,
): () => void {
  let waiting = false;
  const timer = setInterval(() => {
    if (waiting) return;
    waiting = true;
    element.requestVideoFrameCallback((_, { presentationTime, presentedFrames: presented }) => {
      const shownMs = Math.min(performance.timeOrigin + presentationTime, nowMs());
      withFrame(element, (frame) => look(frame, { shownMs, presented }))
        .catch(() => undefined)
        .finally(() => {
          waiting = false;
        });
    });
  }, everyMs);
  return () => clearInterval(timer);
}

async function withFrame(element: HTMLVideoElement, look: (frame: VideoFrame) => Promise<void>): Promise<void> {
  const frame = new VideoFrame(element);
  try {
    await look(frame);
  } finally {
    frame.close();
  }
}

/** The luma of the first lines of a frame, or of all; `undefined` where it cannot be read. */
export async function lumaOf(frame: VideoFrame, linesOf: (height: number) => number = (height) => height) {
  const { format, visibleRect } = frame;
  if (!visibleRect || !(format === 'I420' || format === 'NV12')) return undefined;
  const { x, y, width, height } = visibleRect;
  const rect = { x, y, width: even(width), height: Math.min(even(linesOf(height)), even(height)) };
  const bytes = new Uint8Array(frame.allocationSize({ rect }));
  const [plane] = await frame.copyTo(bytes, { rect });
  return plane && { bytes: bytes.subarray(plane.offset), stride: plane.stride, rect, width, height };
}

const even = (pixels: number): number => Math.floor(pixels / 2) * 2;
