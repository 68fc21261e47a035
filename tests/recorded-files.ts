import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const hasFfmpeg = ['ffmpeg', 'ffprobe'].every((tool) => spawnSync(tool, ['-version']).status === 0);

/** Length and rate of every recording made here. */
export const recordedMs = 3000;
export const recordedFps = 30;

export type Damage = 'none' | 'truncated' | 'empty' | 'no-audio' | 'never-written';

export interface RecordedFiles {
  /** Puts a recording at a path, whole or damaged. */
  put(path: string, damage: Damage): void;
}

/** Two small recordings, encoded once in this process; what is put is a copy of one of them. */
export function recordedFiles(folder: string): RecordedFiles {
  const whole = make(join(folder, 'whole.webm'), ['-f', 'lavfi', '-i', `sine=duration=${recordedMs / 1000}`]);
  const silent = make(join(folder, 'silent.webm'), []);
  return {
    put: (path, damage) => {
      if (damage === 'never-written') return;
      if (damage === 'empty') return writeFileSync(path, '');
      copyFileSync(damage === 'no-audio' ? silent : whole, path);
      if (damage === 'truncated') truncateSync(path, Math.floor(statSync(whole).size * 0.4));
    },
  };
}

const encoded = new Map<string, Buffer>();

function make(path: string, audio: readonly string[]): string {
  const known = encoded.get(audio.join(' '));
  if (known) {
    writeFileSync(path, known);
    return path;
  }
  const video = ['-f', 'lavfi', '-i', `testsrc=size=160x90:rate=${recordedFps}:duration=${recordedMs / 1000}`];
  const codecs = ['-c:v', 'libvpx', '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus'];
  const made = spawnSync('ffmpeg', ['-v', 'error', '-y', ...video, ...audio, ...codecs, path]);
  if (made.status !== 0) throw new Error(String(made.stderr));
  encoded.set(audio.join(' '), readFileSync(path));
  return path;
}
