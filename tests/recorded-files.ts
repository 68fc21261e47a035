import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, renameSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isInstalled } from './installed.js';

export const hasFfmpeg = isInstalled(['ffmpeg', 'ffprobe']);

/** Length and rate of every recording made here. */
export const recordedMs = 3000;
export const recordedFps = 30;

export type Damage = 'none' | 'truncated' | 'empty' | 'no-audio' | 'never-written';

interface RecordedFiles {
  /** Puts a recording at a path, whole or damaged. */
  put(path: string, damage: Damage): void;
}

/** What is put is a copy of one of two small recordings. */
export function recordedFiles(): RecordedFiles {
  return {
    put: (path, damage) => {
      if (damage === 'never-written') return;
      if (damage === 'empty') return writeFileSync(path, '');
      const whole = recordingOf();
      copyFileSync(damage === 'no-audio' ? recordingOf({ tracks: 'video' }) : whole, path);
      if (damage === 'truncated') truncateSync(path, Math.floor(statSync(whole).size * 0.4));
    },
  };
}

/**
 * Emptied by the test runner before it starts: what lies there was made in this run of the tests, by one of its
 * processes for all.
 */
const folder = fileURLToPath(new URL('../test-results/recordings', import.meta.url));

/** A small recording that is to be copied, and not to be changed: encoded once for all tests. */
export function recordingOf({
  tracks = 'both',
  framesPerSecond = recordedFps,
  soundMs = recordedMs,
  pictureMs = recordedMs,
} = {}): string {
  const name = `${tracks}-${framesPerSecond}-${soundMs}-${pictureMs}.webm`;
  const made = join(folder, name);
  if (existsSync(made)) return made;
  mkdirSync(folder, { recursive: true });
  const video = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=${framesPerSecond}:duration=${pictureMs / 1000}`];
  const audio = tracks === 'both' ? ['-f', 'lavfi', '-i', `sine=duration=${soundMs / 1000}`] : [];
  const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
  const own = join(folder, `${process.pid}-${name}`);
  const ended = spawnSync('ffmpeg', ['-v', 'error', '-y', ...video, ...audio, ...codecs, own]);
  if (ended.status !== 0) throw new Error(String(ended.stderr));
  // Whole or not at all: others may look for it now.
  renameSync(own, made);
  return made;
}
