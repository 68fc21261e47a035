import { execFile } from 'node:child_process';
import { childEnvironment } from './child-environment.js';

/** Whether the `ffmpeg` of PATH is built with VMAF: those of some distributions are not. */
export function hasVmaf(environment?: Readonly<Record<string, string | undefined>>): Promise<boolean> {
  const bounds = { timeout: 10_000, env: childEnvironment({}, environment) };
  return new Promise((resolve) => {
    execFile('ffmpeg', ['-hide_banner', '-filters'], bounds, (error, filters) => {
      resolve(error === null && namesVmaf(filters));
    });
  });
}

/** In the list of `ffmpeg -filters`: marks, name, ends, words. */
export const namesVmaf = (filters: string): boolean => /^\s*\S+\s+libvmaf\s/m.test(filters);
