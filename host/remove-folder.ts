import { execFile } from 'node:child_process';
import { lstat, mkdtemp, rename, rmdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { getuid, pid as ownPid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { succeeds } from './bounded-wait.js';
import { processSpace } from './process-space.js';

/** A process that is just ending may still write into what is removed. */
const tries = 10;
const pauseMs = 100;
const rmBoundMs = 30_000;
const [othersWrite, sticky] = [0o022, 0o1000];

/**
 * Removes a folder with all that is in it, and follows no link out of it. Never rejects: what cannot be removed stays
 * where it was. Another user who may write beside it or in it could put a link in the place of what is looked at. So it
 * is moved first, where it can be, to where nobody else can reach it by name. Then rm(1) removes it: it holds on to the
 * folders that it is in, and Node goes by paths.
 */
export async function removeFolder(folder: string): Promise<void> {
  if (!(await succeeds(lstat(folder)))) return;
  const name = `loadline-${removedKind}-${ownPid}-${processSpace}-`;
  const own = (await keepsNames(dirname(folder)))
    ? await mkdtemp(join(dirname(folder), name)).catch(() => undefined)
    : undefined;
  const moved = own !== undefined && (await succeeds(rename(folder, join(own, 'folder'))));
  // What is mounted there, or lies where nothing of ours would stay, is removed where it is.
  const places = moved ? [own] : [folder, ...(own === undefined ? [] : [own])];
  for (let nth = 1; nth <= tries; nth += 1) {
    await runRm(places);
    const left = await Promise.all(places.map((place) => succeeds(lstat(place))));
    if (!left.includes(true)) return;
    await pause(pauseMs);
  }
  if (!moved) return;
  const back = rename(join(own, 'folder'), folder).then(() => rmdir(own));
  await back.catch(() => undefined);
}

/** What is left of these goes with what else a killed process left, by its name. */
export const removedKind = 'removed';

/** Whether nobody else can rename what is made there, and put a link to elsewhere in its place. */
async function keepsNames(parent: string): Promise<boolean> {
  const found = await stat(parent).catch(() => undefined);
  const isKept = found?.uid === 0 || found?.uid === getuid?.();
  return found !== undefined && isKept && ((found.mode & othersWrite) === 0 || (found.mode & sticky) !== 0);
}

function runRm(folders: readonly string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile('rm', ['-rf', '--', ...folders], { timeout: rmBoundMs }, () => resolve());
  });
}
