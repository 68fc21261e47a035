import { createHash, randomUUID } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolders } from '../../../host/make-folders.js';
import { loopSeconds } from '../../../model/camera-picture.js';
import { fileRefusal } from '../../../model/file-refusal.js';
import type { Media } from '../../../model/plan.js';
import { seededRandom } from '../../../model/seeded-random.js';
import { type ClipShape, cameraClip, clipBytes } from './camera-clip.js';

/** Absolute paths of what Chromium's fake camera and microphone play, again and again. */
export interface MediaFiles {
  readonly camera: string;
  readonly microphone: string;
}

/** Raise it with any change of what the clips hold, so that older files in a cache are not taken for them. */
const clipVersion = 2;
/** What encoded probes' cameras give: nobody sees it. As small as encoders take it. */
const standIn = { width: 32, height: 18 } as const;

/**
 * Makes the clips for these media settings, or finds them in `cacheFolder` (an absolute path, made if absent). A file
 * that is cut short is made anew. Safe against a second process that does the same at the same time.
 */
export function mediaFiles(cacheFolder: string, media: Media): Promise<MediaFiles> {
  return filesOf(cacheFolder, clipShape(media));
}

type CameraMedia = Pick<Media, 'width' | 'height' | 'framesPerSecond'>;

/** Of the camera's clip. */
export function clipShape({ width, height, framesPerSecond }: CameraMedia): ClipShape {
  return { width, height, framesPerSecond, frames: loopSeconds * framesPerSecond };
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
  await makeFolders(cacheFolder).catch((error: unknown) => {
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

const sampleRate = 48_000;
const headerBytes = 44;
const seconds = 8;

/** Formants of five vowels, Hz (means for men, Peterson and Barney 1952). */
const vowels: readonly (readonly [number, number, number])[] = [
  [730, 1090, 2440],
  [530, 1840, 2480],
  [270, 2290, 3010],
  [570, 840, 2410],
  [300, 870, 2240],
];

/**
 * The fake microphone: eight seconds of synthetic speech, 48 kHz mono. A pulse train with a wandering pitch and some
 * breath goes through three formant filters that change with each syllable (about 4 a second), so that Opus takes it
 * for speech and spends its whole rate. It never falls silent: the received audio level shows that sound arrives.
 */
export function voiceClip(): Buffer {
  const samples = normalise(speak(seconds * sampleRate));
  const wav = Buffer.alloc(headerBytes + samples.length * 2);
  writeHeader(wav);
  samples.forEach((value, index) => {
    wav.writeInt16LE(Math.round(value * 32_767), headerBytes + index * 2);
  });
  return wav;
}

export const voiceClipBytes: number = headerBytes + seconds * sampleRate * 2;

function speak(length: number): Float64Array {
  const random = seededRandom(7);
  const out = new Float64Array(length);
  const syllableLength = sampleRate / 4;
  let phase = 0;
  for (let start = 0; start < length; start += syllableLength) {
    const vowel = vowels[Math.floor(random() * vowels.length)] ?? [500, 1500, 2500];
    const filters = vowel.map((frequency) => resonator(frequency, 60 + frequency * 0.05));
    const pitch = 95 + random() * 60;
    const breath = 0.4 + random() * 1.6;
    for (let offset = 0; offset < syllableLength && start + offset < length; offset += 1) {
      const place = offset / syllableLength;
      phase += (pitch * (1.1 - 0.2 * place)) / sampleRate;
      const pulse = phase >= 1 ? 1 : 0;
      phase -= pulse;
      const source = pulse * 12 + (random() - 0.5) * breath;
      const loudness = 0.12 + 0.88 * Math.sin(Math.PI * place) ** 2;
      out[start + offset] = loudness * filters.reduce((sum, filter) => sum + filter(source), 0);
    }
  }
  return out;
}

/** A two-pole resonator (as in formant synthesis, Klatt 1980). */
function resonator(frequency: number, bandwidth: number): (input: number) => number {
  const radius = Math.exp((-Math.PI * bandwidth) / sampleRate);
  const c1 = 2 * radius * Math.cos((2 * Math.PI * frequency) / sampleRate);
  const c2 = -radius * radius;
  const gain = 1 - c1 - c2;
  let [last, beforeLast] = [0, 0];
  return (input) => {
    const output = gain * input + c1 * last + c2 * beforeLast;
    beforeLast = last;
    last = output;
    return output;
  };
}

function normalise(samples: Float64Array): Float64Array {
  const peak = samples.reduce((highest, value) => Math.max(highest, Math.abs(value)), 0);
  return samples.map((value) => (value / peak) * 0.5);
}

/** RIFF/WAVE, PCM, one channel, 16 bits. */
function writeHeader(wav: Buffer): void {
  wav.write('RIFF', 0);
  wav.writeUInt32LE(wav.length - 8, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(sampleRate, 24);
  wav.writeUInt32LE(sampleRate * 2, 28);
  wav.writeUInt16LE(2, 32);
  wav.writeUInt16LE(16, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(wav.length - headerBytes, 40);
}
