import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';

const folder = join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests', 'vmaf', 'bin');

/** A PATH whose ffmpeg has VMAF; undefined where `.ci/run` brought none. */
export const pathWithVmaf = existsSync(join(folder, 'ffmpeg')) ? `${folder}${delimiter}${env.PATH}` : undefined;

/** Runs a scene with the ffmpeg of another PATH. */
export async function withPath<T>(path: string, scene: () => Promise<T>): Promise<T> {
  const before = env.PATH;
  env.PATH = path;
  try {
    return await scene();
  } finally {
    env.PATH = before;
  }
}
