import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BrowserContext } from 'playwright-core';
import { removeFolder } from '../../../host/remove-folder.js';
import { LoadlineError } from '../../../model/errors.js';
import type { Media } from '../../../model/plan.js';
import type { EncodeOrder, PageTable } from '../../page/wire.js';
import { openContext } from '../open-context.js';
import { type MediaFiles, writeWhole } from './media-files.js';

/** Raised with any change of how clips are encoded or packed, so that older files of a cache are not used. */
const encodingVersion = 5;
const encodeBoundMs = 180_000;
const longestHeader = 1_000_000;
const partBytes = 16_777_216;
const origin = 'http://localhost/';

declare const loadlinePage: PageTable;

interface EncodedClipOrder {
  readonly cacheFolder: string;
  readonly media: Media;
  /** What of its rate is used most, kbit/s, ascending; absent: what caps leave of it. */
  readonly topKbps?: readonly number[];
  /** Of a simulcast. */
  readonly isLayer?: boolean;
  readonly files: MediaFiles;
  readonly chromiumPath: string;
  /** The bundled page code. */
  readonly script: string;
}

/**
 * The clip that encoded probes send, encoded by a Chromium of its own the first time these media settings are used
 * (some 15 s of one core) and kept in the cache folder. Returns its path. Rejects with E_CHROMIUM_START when it cannot
 * be made.
 */
export async function encodedClip({ cacheFolder, isLayer = false, ...order }: EncodedClipOrder): Promise<string> {
  const { media, files, topKbps } = order;
  const { width, height, framesPerSecond, videoKbps, videoCodec } = media;
  const sources = [files.camera, files.microphone].map((path) => path.split('/').at(-1));
  const identity = { encodingVersion, media, topKbps, isLayer, sources };
  const key = createHash('sha256').update(JSON.stringify(identity)).digest('hex').slice(0, 8);
  const shape = `${width}x${height}-${framesPerSecond}fps-${videoKbps}kbps`;
  const path = join(cacheFolder, `encoded-${videoCodec}-${shape}-${key}.clip`);
  if (!(await isWhole(path)))
    await writeWhole(path, [await encode(order, { media, isLayer, ...(topKbps ? { topKbps } : {}) })]);
  return path;
}

async function encode(
  { chromiumPath, script, files }: Pick<EncodedClipOrder, 'chromiumPath' | 'script' | 'files'>,
  clip: Omit<EncodeOrder, 'camera' | 'microphone'>,
): Promise<Buffer> {
  const what: EncodeOrder = { ...clip, camera: `${origin}camera`, microphone: `${origin}microphone` };
  const { context, folder } = await openContext({ chromiumPath, temporaryRoot: tmpdir(), flags: [] });
  try {
    await serve(context, script, files);
    const page = await context.newPage();
    page.setDefaultTimeout(encodeBoundMs);
    await page.goto(origin);
    return Buffer.from(await page.evaluate((order) => loadlinePage.encodeClip(order), what), 'base64');
  } catch (error) {
    throw new LoadlineError('E_CHROMIUM_START', 'This Chromium cannot encode the clip of encoded probes.', {
      where: chromiumPath,
      why: error instanceof Error ? error.message : String(error),
      todo: 'use --media full, or try another Chromium with --chromium PATH',
      cause: error,
    });
  } finally {
    await context.close();
    await removeFolder(folder);
  }
}

async function serve(context: BrowserContext, script: string, files: MediaFiles): Promise<void> {
  await context.route('**/*', async (route) => {
    const url = route.request().url();
    const [, from] = url.split(`${origin}camera?`);
    if (from !== undefined) return route.fulfill({ body: await partOf(files.camera, Number(from)) });
    if (url === `${origin}microphone`) return route.fulfill({ path: files.microphone });
    const body = `<!doctype html><script>${script.replaceAll('</script', '<\\/script')}</script>`;
    return url === origin ? route.fulfill({ contentType: 'text/html', body }) : route.abort('blockedbyclient');
  });
}

/** So much of a file goes through the browser's control pipe at once; behind its end nothing. */
async function partOf(path: string, from: number): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(partBytes), 0, partBytes, from);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** As long as the line of JSON at its head says. */
async function isWhole(path: string): Promise<boolean> {
  const file = await open(path).catch(() => undefined);
  if (!file) return false;
  try {
    const { size } = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(longestHeader), 0, longestHeader, 0);
    const lineEnd = buffer.subarray(0, bytesRead).indexOf(10);
    const header: unknown = JSON.parse(buffer.toString('utf8', 0, Math.max(0, lineEnd)));
    const bytes = typeof header === 'object' && header !== null && 'bytes' in header ? header.bytes : undefined;
    return typeof bytes === 'number' && size === lineEnd + 1 + bytes;
  } catch {
    // Not a clip, or cut off in its header: it is made anew.
    return false;
  } finally {
    await file.close();
  }
}
