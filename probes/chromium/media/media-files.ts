import { createHash, randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileRefusal } from '../../../model/file-refusal.js';
import type { Media } from '../../../model/plan.js';
import { type ClipShape, cameraClip, clipBytes } from './camera-clip.js';
import { voiceClip, voiceClipBytes } from './voice-clip.js';

/** Absolute paths of what Chromium's fake camera and microphone play, again and again. */
export interface MediaFiles {
  readonly camera: string;
  readonly microphone: string;
}

/** Raise it with any change of what the clips hold, so that older files in a cache are not taken for them. */
const clipVersion = 2;
/** Long enough that a loop is nothing regular to an encoder, short enough for raw frames (31 MB at 640x360). */
const loopSeconds = 3;
/** What encoded probes' cameras give: nobody sees it. As small as encoders take it. */
const standIn = { width: 32, height: 18 } as const;

/**
 * Makes the clips for these media settings, or finds them in `cacheFolder` (an absolute path, made if absent). A file
 * that is cut short is made anew. Safe against a second process that does the same at the same time.
 */
export function mediaFiles(cacheFolder: string, media: Media): Promise<MediaFiles> {
  const { width, height, framesPerSecond } = media;
  return filesOf(cacheFolder, { width, height, framesPerSecond, frames: loopSeconds * framesPerSecond });
}

/** The same for probes whose frames are replaced: a tiny picture at the same rate, and the same voice. */
export function standInFiles(cacheFolder: string, { framesPerSecond }: Media): Promise<MediaFiles> {
  return filesOf(cacheFolder, { ...standIn, framesPerSecond, frames: framesPerSecond });
}

async function filesOf(cacheFolder: string, shape: ClipShape): Promise<MediaFiles> {
  const { width, height, framesPerSecond } = shape;
  const key = createHash('sha256').update(JSON.stringify({ clipVersion, shape })).digest('hex').slice(0, 8);
  const camera = join(cacheFolder, `camera-${width}x${height}-${framesPerSecond}fps-${key}.y4m`);
  const microphone = join(cacheFolder, `voice-v${clipVersion}.wav`);
  await mkdir(cacheFolder, { recursive: true }).catch((error: unknown) => {
    throw fileRefusal(error, 'The folder for the clips of cameras and microphones cannot be made.');
  });
  await makeOnce(camera, clipBytes(shape), () => cameraParts(shape));
  await makeOnce(microphone, voiceClipBytes, () => [voiceClip()]);
  return { camera, microphone };
}

function* cameraParts(shape: ClipShape): Generator<Buffer> {
  const clip = cameraClip(shape);
  yield clip.header;
  for (let index = 0; index < shape.frames; index += 1) yield clip.frame(index);
}

async function makeOnce(path: string, bytes: number, parts: () => Iterable<Buffer>): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isFile() && found.size === bytes) return;
  await writeWhole(path, parts());
}

/** Writes a file that is there as a whole or not at all. */
export async function writeWhole(path: string, parts: Iterable<Buffer>): Promise<void> {
  const unfinished = `${path}.${randomUUID()}.unfinished`;
  try {
    const file = await open(unfinished, 'wx');
    try {
      for (const part of parts) await file.writeFile(part);
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw fileRefusal(error, 'The clips of cameras and microphones cannot be written.');
  }
}
