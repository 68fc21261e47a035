import { isAscii } from 'node:buffer';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { constants, createGunzip } from 'node:zlib';
import { LoadlineError } from '../../model/errors.js';

const newline = 10;

/** A text of JavaScript has no more than some 500 million characters. */
const mostText = 500_000_000;
/** The line of a sample, which has all streams of a probe, is a thousandth of this. */
const mostOfLine = 16 << 20;
/** What runs store is packed to a twelfth and less; gzip packs what only repeats to a thousandth. */
const mostRatio = 100;
const leastUnpacked = 16 << 20;

export interface Lines {
  /** Every whole line, parsed. */
  readonly values: readonly unknown[];
  /** What a kill left unfinished: "is torn after line 12". */
  readonly tear?: string;
  /** Number of the first whole line that is not JSON: no kill does that, so nothing after it is believed. */
  readonly damagedLine?: number;
  /** True for a file that is not there. */
  readonly missing?: true;
}

/** Reads a file of JSON lines up to its last whole line. A missing file has no lines. Throws E_RUN for one that is too large. */
export async function readLines(path: string): Promise<Lines> {
  const found = await stat(path).catch(undefinedWhenMissing);
  if (found === undefined) return { values: [], missing: true };
  if (found.size > mostText) throw tooMuch(path, `it has ${found.size} bytes, and at most ${mostText} are read`);
  return parseLines(await readFile(path, 'utf8'));
}

/**
 * The same under gzip, for a file that may be larger than memory: whole lines are handed on by the thousand and forgotten, and reading
 * waits for what is done with them. What `visit` throws ends the reading. The compressor was flushed at whole lines, so that a torn file
 * gives back all but its last seconds; `finishFlush: Z_SYNC_FLUSH` takes the end of the data for the end of the stream (node:zlib
 * manual). Throws E_RUN for a line, or a file, that unpacks to more than a run stores.
 */
export async function visitCompressedLines(
  path: string,
  visit: (lines: readonly string[], firstNumber: number) => void | Promise<void>,
  { isWanted, hasDigest = true }: VisitOptions = {},
): Promise<VisitedLines> {
  const packed = await stat(path).then(({ size }) => size, undefinedWhenMissing);
  if (packed === undefined) return { missing: true };
  const most = Math.max(leastUnpacked, packed * mostRatio);
  const gunzip = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH, chunkSize: 1 << 20 });
  const file = createReadStream(path, { highWaterMark: 1 << 20 });
  file.on('error', (error) => gunzip.destroy(error));
  const hash = createHash('sha256');
  const cutter = new LineCutter(isWanted);
  let length = 0;
  let number = 0;
  let torn = false;
  try {
    for await (const chunk of file.pipe(gunzip)) {
      length += (chunk as Buffer).length;
      if (length > most) throw tooMuch(path, `its ${packed} bytes unpack to more than ${most}`);
      if (hasDigest) hash.update(chunk as Buffer);
      const { lines, count } = cutter.cut(chunk as Buffer);
      if (cutter.waiting > mostOfLine)
        throw tooMuch(path, `line ${number + count + 1} has more than ${mostOfLine} bytes`);
      await visit(lines, number + 1);
      number += count;
    }
  } catch (error) {
    if (isMissing(error)) return { missing: true };
    if (!isZlibError(error)) throw error;
    torn = true;
  }
  const whole = !torn && cutter.waiting === 0 && (await hasGzipEnd(path, length));
  const digest = hasDigest ? { digest: hash.digest('hex') } : {};
  return whole ? digest : { ...digest, tear: `is torn after line ${number}` };
}

export interface VisitedLines extends Pick<Lines, 'tear' | 'missing'> {
  /** SHA-256 of the text, uncompressed. */
  readonly digest?: string;
}

export interface VisitOptions {
  /** Whether the line that begins there is handed on; absent: each is. */
  readonly isWanted?: ((bytes: Buffer, from: number) => boolean) | undefined;
  /** False where nobody asks for the digest, which takes time. */
  readonly hasDigest?: boolean;
}

/** Cuts what is read piece after piece into whole lines; they are decoded whole, so that no character is cut. */
class LineCutter {
  private rest: Buffer = Buffer.alloc(0);

  constructor(private readonly isWanted?: VisitOptions['isWanted']) {}

  /** Bytes of a line whose end has not come yet. */
  get waiting(): number {
    return this.rest.length;
  }

  /** The wanted ones, and how many there were. */
  cut(chunk: Buffer): { readonly lines: readonly string[]; readonly count: number } {
    const end = chunk.lastIndexOf(newline);
    if (end < 0) {
      this.rest = Buffer.concat([this.rest, chunk]);
      return { lines: [], count: 0 };
    }
    const first = this.rest.length === 0 ? -1 : chunk.indexOf(newline);
    const begun = first < 0 ? [] : this.wanted(Buffer.concat([this.rest, chunk.subarray(0, first + 1)])).lines;
    const whole = this.wanted(chunk.subarray(first + 1, end + 1));
    this.rest = Buffer.from(chunk.subarray(end + 1));
    return { lines: [...begun, ...whole.lines], count: whole.count + (first < 0 ? 0 : 1) };
  }

  /** Of whole lines, each with its end. */
  private wanted(bytes: Buffer): { readonly lines: readonly string[]; readonly count: number } {
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

function parseLines(text: string): Lines {
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    try {
      values.push(JSON.parse(line));
    } catch {
      return { values, damagedLine: index + 1, tear: `is damaged in line ${index + 1}` };
    }
  }
  if (last !== '') return { values, tear: `is torn after line ${values.length}` };
  return { values };
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

function tooMuch(where: string, why: string): LoadlineError {
  return new LoadlineError('E_RUN', 'A file of the stored run holds more than a run stores.', {
    where,
    why,
    todo: 'it was not written by Loadline; read the run from another copy',
  });
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
