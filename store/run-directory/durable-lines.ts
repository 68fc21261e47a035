import { type FileHandle, open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { writeWholeFile } from '../../host/whole-file.js';

/** A file of JSON lines, each safe on disk (fdatasync(2)) when its write resolves. */
export class DurableLines {
  private constructor(private readonly file: FileHandle) {}

  /** Goes on after the last whole line: what a kill or a full disk tore is cut off, or it would spoil the next line. */
  static async open(path: string): Promise<DurableLines> {
    const file = await open(path, 'a+', 0o600);
    const { size } = await file.stat();
    const whole = await wholeLength(file, size);
    if (whole < size) await file.truncate(whole);
    return new DurableLines(file);
  }

  append(value: unknown): Promise<void> {
    return this.appendPieces([JSON.stringify(value)]);
  }

  /** One line that is JSON already, piece by piece as they come. While it is written, no other line may be. */
  async appendPieces(pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
    for await (const piece of pieces) await this.file.appendFile(piece);
    await this.file.appendFile('\n');
    await this.file.datasync();
  }

  async close(): Promise<void> {
    await this.file.close();
  }
}

const pieceBytes = 1 << 16;

/** Up to the end of the last whole line, looked for from the end. */
async function wholeLength(file: FileHandle, size: number): Promise<number> {
  for (let to = size; to > 0; to -= pieceBytes) {
    const from = Math.max(0, to - pieceBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(to - from), 0, to - from, from);
    const end = buffer.subarray(0, bytesRead).lastIndexOf('\n');
    if (end >= 0) return from + end + 1;
  }
  return 0;
}

/** Writes a whole JSON file or none: to a name of its own first, synced, then renamed over the old one (rename(2)). */
export async function writeWhole(path: string, value: unknown): Promise<void> {
  await writeWholeFile(path, [`${JSON.stringify(value, null, 2)}\n`]);
  await syncFolder(dirname(path));
}

/** The new name itself must be on disk, too (fsync(2): "an explicit fsync on … the directory is also needed"). */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
