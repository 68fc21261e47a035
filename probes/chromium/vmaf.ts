import { execFile } from 'node:child_process';
import { open, readFile, rm } from 'node:fs/promises';
import { setPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { childEnvironment } from '../../host/child-environment.js';
import { hasVmaf } from '../../host/find-vmaf.js';
import { once } from '../../host/once.js';
import type { Look } from '../page/wire.js';
import { type ClipShape, lumaPlace } from './media/camera-clip.js';
import { vmafFolders } from './vmaf-folders.js';

const boundMs = 10_000;
const table = 'vmaf.csv';
/** VMAF takes in how much moves from the picture before and to the one after: of three it is told of the second. */
const [before, after] = [-1, 1] as const;

/**
 * VMAF of received pictures, by the ffmpeg of this host. `undefined` where it has none, or fails, which is told once:
 * then nobody is asked for more. Never rejects.
 */
export function vmafOf(camera: string, shape: ClipShape, onFailure: (why: string) => void) {
  const isThere = once(() => hasVmaf());
  let failed = false;
  return async (look: Look): Promise<number | undefined> => {
    if (failed || !(await isThere())) return undefined;
    try {
      const received = Buffer.from(look.received, 'base64');
      const rows = received.length / shape.width;
      const sent = await sentLuma(camera, shape, look.index, rows);
      return vmafIn(await compared(sent, received, { width: shape.width, rows }));
    } catch (error) {
      failed = true;
      onFailure(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
}

/** The last so many rows of three pictures of the loop. */
async function sentLuma(camera: string, shape: ClipShape, index: number, rows: number): Promise<readonly Buffer[]> {
  const { width, height, frames } = shape;
  const file = await open(camera);
  try {
    const read = [before, 0, after].map(async (step) => {
      const place = lumaPlace(shape, (index + step + frames) % frames) + (height - rows) * width;
      const { bytesRead, buffer } = await file.read(Buffer.alloc(rows * width), 0, rows * width, place);
      if (bytesRead < rows * width) throw new Error(`${camera} is cut short`);
      return buffer;
    });
    return await Promise.all(read);
  } finally {
    await file.close();
  }
}

/** libvmaf's table. Each pair is one picture, what was sent above: so one pipe is enough. */
async function compared(
  sent: readonly Buffer[],
  received: Buffer,
  { width, rows }: { readonly width: number; readonly rows: number },
): Promise<string> {
  const colours = Buffer.alloc(2 * rows * width, 128);
  const pictures = sent.flatMap((one, nth) => [one, nth === 1 ? received : one, colours]);
  const half = (row: number) => `crop=${width}:${rows}:0:${row}`;
  const filter = `split[all][same];[all]${half(0)}[sent];[same]${half(rows)}[got];[got][sent]libvmaf=log_fmt=csv:log_path=${table}`;
  const raw = ['-f', 'rawvideo', '-pixel_format', 'yuv422p', '-video_size', `${width}x${2 * rows}`, '-i', 'pipe:0'];
  const folder = await vmafFolders.make(tmpdir());
  try {
    await ffmpeg(['-v', 'error', ...raw, '-lavfi', filter, '-f', 'null', '-'], Buffer.concat(pictures), folder);
    return await readFile(join(folder, table), 'utf8');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function ffmpeg(words: readonly string[], input: Buffer, cwd: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const bounds = { timeout: boundMs, cwd, env: childEnvironment() };
    const child = execFile('ffmpeg', words, bounds, (error, _, stderr) => {
      const said = stderr.trim() || (error?.killed ? `ffmpeg did not end within ${boundMs / 1000} s` : error?.message);
      if (said) reject(new Error(said));
      else resolve();
    });
    // It yields to what is measured. One that has ended has no priority.
    try {
      if (child.pid !== undefined) setPriority(child.pid, 10);
    } catch {}
    // One that ends early does not read the rest.
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(input);
  });
}

/** Of the second picture, in libvmaf's table. Throws where it is not there. */
export function vmafIn(table: string): number {
  const [names = [], ...rows] = table.split('\n').map((line) => line.split(','));
  const row = rows.find((one) => one[names.indexOf('Frame')] === '1');
  const value = row?.[names.indexOf('vmaf')];
  if (value === undefined || value === '' || !Number.isFinite(Number(value)))
    throw new Error(`ffmpeg told no VMAF: ${table.slice(0, 200)}`);
  return Number(value);
}
