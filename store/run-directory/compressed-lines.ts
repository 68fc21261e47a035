import { createHash } from 'node:crypto';
import { createWriteStream, type WriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip, type Gzip } from 'node:zlib';

const flushEveryMs = 1000;
/** Lines are handed over in pieces of about this many characters, for each piece is a job of the thread pool. */
const pieceLength = 1 << 18;

/**
 * A growing file of JSON lines under gzip. Each second the compressor is made to give out all it holds
 * (Z_SYNC_FLUSH, zlib manual), so that after a kill the file reads back up to a second before it.
 *
 * Writing never blocks: what the disk has not taken yet waits in memory. A failing disk shows in `close` alone.
 */
export class CompressedLines {
  private readonly gzip: Gzip;
  private readonly file: WriteStream;
  private readonly done: Promise<void>;
  private readonly timer: ReturnType<typeof setInterval>;
  private dirty = false;
  private waiting = '';
  private failure: unknown;
  private readonly hash = createHash('sha256');

  constructor(path: string) {
    // Level 1: samples compress about 12:1 already, and the probes need the CPU more than the disk needs the room.
    this.gzip = createGzip({ level: 1 });
    this.file = createWriteStream(path, { flags: 'w', mode: 0o600 });
    this.done = pipeline(this.gzip, this.file).catch((error: unknown) => {
      this.failure = error;
    });
    this.timer = setInterval(() => this.flush(), flushEveryMs);
    this.timer.unref();
  }

  write<T>(values: readonly T[], lineOf: (value: T) => string = (value) => JSON.stringify(value)): void {
    if (values.length === 0 || this.failure !== undefined || this.gzip.writableEnded) return;
    for (const value of values) this.waiting += `${lineOf(value)}\n`;
    this.dirty = true;
    if (this.waiting.length >= pieceLength) this.handOver();
  }

  /** Ends the file. Rejects with the disk's own error when it is not whole. Idempotent. */
  async close(): Promise<void> {
    clearInterval(this.timer);
    if (!this.gzip.writableEnded) {
      this.handOver();
      this.gzip.end();
    }
    await this.done;
    if (this.failure !== undefined) throw this.failure;
  }

  /** Of the lines, not of the compressed file, which is another one each time. Once, after `close`. */
  digest(): string {
    return this.hash.digest('hex');
  }

  private flush(): void {
    if (!this.dirty || this.gzip.writableEnded) return;
    this.dirty = false;
    this.handOver();
    this.gzip.flush(constants.Z_SYNC_FLUSH);
  }

  private handOver(): void {
    if (this.waiting === '') return;
    const bytes = Buffer.from(this.waiting);
    this.hash.update(bytes);
    this.gzip.write(bytes);
    this.waiting = '';
  }
}
