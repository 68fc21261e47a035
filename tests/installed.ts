import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { env } from 'node:process';

/**
 * Whether all of these programs are on the path. None is started to find out: files of tests ask while they are loaded,
 * in each process that loads them.
 */
export function isInstalled(programs: readonly string[], path = env.PATH ?? ''): boolean {
  return programs.every((program) => path.split(':').some((folder) => isProgram(join(folder, program))));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
