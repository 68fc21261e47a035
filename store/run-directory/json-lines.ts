import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';
import { jsonIn } from '../../model/json-text.js';
import { type LineBounds, leastUnpacked, noBounds, tooMuch } from './run-bounds.js';

const newline = 10;
const pieceBytes = 1 << 20;

interface ReadLines {
  /** What a kill left unfinished: "is torn after line 12". */
  readonly tear?: string;
  /** Number of the first whole line that is not JSON: no kill does that, so nothing after it is believed. */
  readonly damagedLine?: number;
  /** True for a file that is not there. */
  readonly missing?: true;
}

/**
 * Reads a file of JSON lines up to its last whole line, each parsed when the one before it was taken. A missing file
 * has no lines. `before` gets each line before it is parsed. What either throws ends the reading. Throws E_RUN for a
 * file beyond its bounds.
 */
export async function visitJsonLines(
  path: string,
  visit: (value: unknown, number: number) => void,
  { bounds = noBounds, before }: { readonly bounds?: LineBounds; readonly before?: (line: string) => void } = {},
): Promise<ReadLines> {
  const size = await stat(path).then((found) => found.size, undefinedWhenMissing);
  if (size === undefined) return { missing: true };
  if (size > bounds.bytes) throw tooMuch(path, `it has ${size} bytes, and at most ${bounds.bytes} are read`);
  const cutter = new LineCutter();
  const account = new Account(path, bounds, bounds.bytes);
  let number = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: pieceBytes })) {
    const { lines, count } = account.cut(cutter, chunk as Buffer);
    if (count === 0) continue;
    for (const line of lines) {
      number += 1;
      before?.(line);
      const value = jsonIn(line);
      if (value === undefined) return { damagedLine: number, tear: `is damaged in line ${number}` };
      visit(value, number);
    }
  }
  return cutter.waiting === 0 ? {} : { tear: `is torn after line ${number}` };
}

/** All of them, of a file that nobody else writes. */
export async function readLines(path: string): Promise<ReadLines & { readonly values: readonly unknown[] }> {
  const values: unknown[] = [];
  return { ...(await visitJsonLines(path, (value) => values.push(value))), values };
}

/**
 * The same under gzip, for a file that may be larger than memory: whole lines are handed on by the thousand and
 * forgotten, and reading waits for what is done with them. What `visit` throws ends the reading. The compressor was
 * flushed at whole lines, so that a torn file gives back all but its last seconds; `finishFlush: Z_SYNC_FLUSH` takes
 * the end of the data for the end of the stream (node:zlib manual). Throws E_RUN for a file beyond its bounds.
 */
export async function visitCompressedLines(
  path: string,
  visit: (lines: readonly string[], firstNumber: number) => void | Promise<void>,
  { isWanted, hasDigest = true, bounds = noBounds }: VisitOptions = {},
): Promise<VisitedLines> {
  const packed = await stat(path).then(({ size }) => size, undefinedWhenMissing);
  if (packed === undefined) return { missing: true };
  const most = Math.min(bounds.bytes, Math.max(leastUnpacked, packed * bounds.ratio));
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: pieceBytes });
  const file = createReadStream(path, { highWaterMark: pieceBytes });
  file.on('error', (error) => gunzip.destroy(error));
  const hash = createHash('sha256');
  const cutter = new LineCutter(isWanted);
  const account = new Account(path, bounds, most);
  let torn = false;
  try {
    for await (const chunk of file.pipe(gunzip)) {
      if (hasDigest) hash.update(chunk as Buffer);
      const first = account.lines + 1;
      await visit(account.cut(cutter, chunk as Buffer).lines, first);
    }
  } catch (error) {
    if (isMissing(error)) return { missing: true };
    if (!isZlibError(error)) throw error;
    torn = true;
  } finally {
    file.destroy();
  }
  const whole = !torn && cutter.waiting === 0 && (await hasGzipEnd(path, account.bytes));
  const digest = hasDigest ? { digest: hash.digest('hex') } : {};
  return whole ? digest : { ...digest, tear: `is torn after line ${account.lines}` };
}

interface VisitedLines extends Pick<ReadLines, 'tear' | 'missing'> {
  /** SHA-256 of the text, uncompressed. */
  readonly digest?: string;
}

interface VisitOptions {
  /** Whether the line that begins there is handed on; absent: each is. */
  readonly isWanted?: ((bytes: Buffer, from: number) => boolean) | undefined;
  /** False where nobody asks for the digest, which takes time. */
  readonly hasDigest?: boolean;
  /** Absent: none. */
  readonly bounds?: LineBounds;
}

class Account {
  bytes = 0;
  lines = 0;

  constructor(
    private readonly path: string,
    private readonly bounds: LineBounds,
    private readonly mostBytes: number,
  ) {}

  /** Throws E_RUN. */
  cut(cutter: LineCutter, chunk: Buffer): Cut {
    this.bytes += chunk.length;
    if (this.bytes > this.mostBytes) throw tooMuch(this.path, `it unpacks to more than ${this.mostBytes} bytes`);
    const found = cutter.cut(chunk);
    this.lines += found.count;
    const { lines, ofLine } = this.bounds;
    if (this.lines > lines) throw tooMuch(this.path, `it has more than ${lines} lines`);
    if (cutter.waiting > ofLine) throw tooMuch(this.path, `line ${this.lines + 1} has more than ${ofLine} bytes`);
    return found;
  }
}

interface Cut {
  readonly lines: readonly string[];
  /** How many there were, wanted or not. */
  readonly count: number;
}

/** Cuts what is read piece after piece into whole lines; they are decoded whole, so that no character is cut. */
class LineCutter {
  private rest: Buffer[] = [];
  /** Bytes of a line whose end has not come yet. */
  waiting = 0;

  constructor(private readonly isWanted?: VisitOptions['isWanted']) {}

  cut(chunk: Buffer): Cut {
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      this.wait(chunk);
      return { lines: [], count: 0 };
    }
    const first = this.waiting === 0 ? -1 : chunk.indexOf(newline);
    const begun = first < 0 ? [] : this.wanted(Buffer.concat([...this.rest, chunk.subarray(0, first + 1)])).lines;
    const whole = this.wanted(chunk.subarray(first + 1, end + 1));
    this.rest = [];
    this.waiting = 0;
    this.wait(Buffer.from(chunk.subarray(end + 1)));
    return { lines: [...begun, ...whole.lines], count: whole.count + (first < 0 ? 0 : 1) };
  }

  private wait(bytes: Buffer): void {
    if (bytes.length > 0) this.rest.push(bytes);
    this.waiting += bytes.length;
  }

  /** Of whole lines, each with its end. */
  private wanted(bytes: Buffer): Cut {
    const { isWanted } = this;
    if (!isWanted) {
      const all = bytes.length === 0 ? [] : textOf(bytes.subarray(0, -1)).split('\n');
      return { lines: all, count: all.length };
    }
    const lines: string[] = [];
    let count = 0;
    for (let from = 0; from < bytes.length; count += 1) {
      const to = bytes.indexOf(newline, from);
      if (isWanted(bytes, from)) lines.push(textOf(bytes.subarray(from, to)));
      from = to + 1;
    }
    return { lines, count };
  }
}

/** Most lines are ASCII, which takes a third of the time as it is. */
function textOf(bytes: Buffer): string {
  return bytes.toString(isAscii(bytes) ? 'latin1' : 'utf8');
}

/** A whole gzip file ends in the length of what it holds, modulo 2^32 (RFC 1952 2.3.1 ISIZE). */
async function hasGzipEnd(path: string, length: number): Promise<boolean> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    if (size === 0) return true;
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, Math.max(0, size - 4));
    return size >= 18 && buffer.readUInt32LE(0) === length % 2 ** 32;
  } finally {
    await file.close();
  }
}

function isZlibError(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('Z_');
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}

function undefinedWhenMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}
