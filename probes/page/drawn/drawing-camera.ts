import { senderOf } from '../../../model/sender-mark.js';
import { nowMs } from '../clock.js';
import { type DrawnMark, drawMark, tickOf } from './drawn-mark.js';

/** mediacapture-transform; the types of the browser's API do not know it yet. */
declare class MediaStreamTrackProcessor {
  constructor(init: { readonly track: MediaStreamTrack; readonly maxBufferSize: number });
  readonly readable: ReadableStream<VideoFrame>;
}
declare const MediaStreamTrackGenerator: {
  new (init: { readonly kind: 'video' }): MediaStreamTrack & { readonly writable: WritableStream<VideoFrame> };
};

/** What one probe sends of the camera's pictures, with its own mark in each. */
export class DrawnPictures {
  /** How many frames have gone out so. */
  frames = 0;

  constructor(
    readonly track: MediaStreamTrack,
    private readonly writer: WritableStreamDefaultWriter<VideoFrame>,
    private readonly sender: number,
    private readonly clock: number,
  ) {}

  /** Draws over what another one drew. */
  draw(bytes: Uint8Array, layout: PlaneLayout, shape: VideoFrameBufferInit): void {
    const { codedWidth: width, codedHeight: height } = shape;
    const mark: DrawnMark = { sender: this.sender, clock: this.clock, tick: tickOf(nowMs()) };
    drawMark(mark, { bytes: bytes.subarray(layout.offset), stride: layout.stride }, { width, height });
    // A track that was stopped takes no more.
    this.writer.write(new VideoFrame(bytes, shape)).catch(() => undefined);
    this.frames += 1;
  }

  stop(): void {
    this.track.stop();
    this.writer.close().catch(() => undefined);
  }
}

/** The page's one camera, each of whose pictures goes to every probe of the page with that probe's mark drawn in. */
export class DrawingCamera {
  private readonly taking = new Set<DrawnPictures>();
  private bytes = new Uint8Array(0);

  constructor(
    camera: MediaStreamTrack,
    private readonly clock: number,
  ) {
    const { readable } = new MediaStreamTrackProcessor({ track: camera, maxBufferSize: 1 });
    void this.run(readable.getReader());
  }

  pictures(participant: string): DrawnPictures {
    const generator = new MediaStreamTrackGenerator({ kind: 'video' });
    const pictures = new DrawnPictures(generator, generator.writable.getWriter(), senderOf(participant), this.clock);
    this.taking.add(pictures);
    return pictures;
  }

  private async run(frames: ReadableStreamDefaultReader<VideoFrame>): Promise<void> {
    for (;;) {
      const { value: frame } = await frames.read();
      if (!frame) return;
      try {
        await this.take(frame);
      } finally {
        frame.close();
      }
    }
  }

  private async take(frame: VideoFrame): Promise<void> {
    const { format, codedWidth, codedHeight, timestamp } = frame;
    for (const one of this.taking) if (one.track.readyState === 'ended') this.taking.delete(one);
    if (this.taking.size === 0 || format === null) return;
    const size = frame.allocationSize();
    if (this.bytes.byteLength !== size) this.bytes = new Uint8Array(size);
    const layout = await frame.copyTo(this.bytes);
    const [luma] = layout;
    if (!luma) return;
    for (const one of this.taking) one.draw(this.bytes, luma, { format, codedWidth, codedHeight, timestamp, layout });
  }
}
