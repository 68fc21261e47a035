import type { FileHandle } from 'node:fs/promises';
import { WebmBase } from 'werift/nonstandard';
import type { PlacedFrame } from './interleaver.js';
import type { FrameSink } from './recording.js';
import { openNewFile } from './recording-place.js';

/** A disk that is this far behind will not catch up. */
const unwrittenBytesMax = 64_000_000;
/** A write costs more than what it carries, so what comes in this time is one. */
const gatherMs = 250;

/** VP8 and Opus frames in time order in, a WebM file out. Writes are in order; `close` rejects with their errors. */
export class WebmFile implements FrameSink {
  readonly #file: FileHandle;
  readonly #muxer: Muxer;
  #written = 0;
  /** What waits for the write before it. */
  #unwritten: Buffer[] = [];
  #unwrittenBytes = 0;
  #due: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #header: Buffer | undefined;
  #failed: unknown;
  #closing: Promise<void> | undefined;

  private constructor(file: FileHandle) {
    this.#file = file;
    this.#muxer = new Muxer((output) => {
      if (output.saveToFile !== undefined) this.#append(output.saveToFile);
      else if (output.eol !== undefined) this.#header = output.eol.header;
    });
    this.#muxer.begin();
  }

  /** Creates the file. Rejects with the file system's error (ENOENT, EACCES, EEXIST …). */
  static async create(path: string): Promise<WebmFile> {
    return new WebmFile(await openNewFile(path));
  }

  /** Throws when the disk cannot follow. */
  write({ kind, data, isKeyFrame, timeMs }: PlacedFrame): void {
    if (this.#closing !== undefined || this.#failed !== undefined) return;
    const frame = { data, isKeyframe: isKeyFrame, time: Math.round(timeMs) };
    if (kind === 'video') this.#muxer.processVideoInput({ frame });
    else this.#muxer.processAudioInput({ frame });
    if (this.#unwrittenBytes > unwrittenBytesMax) throw new Error('the disk is too slow for the recording');
  }

  /** Writes the header's duration and closes. Idempotent; rejects with the first error of writing. */
  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  async #finish(): Promise<void> {
    this.#muxer.stop();
    this.#begin();
    await this.#writing;
    // Only the header gets its duration: clusters have no size, so the segment around them may have none either.
    if (this.#header !== undefined) await this.#put(this.#header, 0);
    await this.#file.close();
    if (this.#failed !== undefined) throw this.#failed;
  }

  #append(bytes: Buffer): void {
    this.#unwritten.push(bytes);
    this.#unwrittenBytes += bytes.length;
    if (this.#writing === undefined) this.#due ??= setTimeout(() => this.#begin(), gatherMs);
  }

  #begin(): void {
    clearTimeout(this.#due);
    this.#due = undefined;
    this.#writing ??= this.#writeAll();
  }

  /** One write at a time, each with all that has come by then. */
  async #writeAll(): Promise<void> {
    while (this.#unwritten.length > 0) {
      const bytes = Buffer.concat(this.#unwritten);
      this.#unwritten = [];
      this.#unwrittenBytes = 0;
      await this.#put(bytes, this.#written);
      this.#written += bytes.length;
    }
    this.#writing = undefined;
  }

  async #put(bytes: Buffer, position: number): Promise<void> {
    try {
      for (let at = 0; at < bytes.length && this.#failed === undefined; ) {
        at += (await this.#file.write(bytes, at, bytes.length - at, position + at)).bytesWritten;
      }
    } catch (error) {
      this.#failed = error;
    }
  }
}

class Muxer extends WebmBase {
  constructor(output: ConstructorParameters<typeof WebmBase>[1]) {
    super(
      [
        { kind: 'video', codec: 'VP8', clockRate: 90_000, trackNumber: 1, width: 640, height: 360 },
        { kind: 'audio', codec: 'OPUS', clockRate: 48_000, trackNumber: 2 },
      ],
      output,
      { duration: 24 * 3_600_000 },
    );
  }

  begin(): void {
    this.start();
  }
}
