/** One set-up at a time: a folder, because `mkdir` either makes it or fails. */
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { SetUpStopped, say } from './report.mjs';

const staleMs = 30_000;
const refreshMs = 5_000;
const waitMs = 15 * 60_000;

/** Runs `work` alone among those who use the same lock folder. Throws SetUpStopped where it cannot be made. */
export async function alone(lockFolder, work) {
  await acquire(lockFolder);
  const refresh = setInterval(() => touch(lockFolder), refreshMs);
  const release = () => rmSync(lockFolder, { recursive: true, force: true });
  process.once('exit', release);
  try {
    return await work();
  } finally {
    clearInterval(refresh);
    process.off('exit', release);
    release();
  }
}

async function acquire(lockFolder) {
  const until = Date.now() + waitMs;
  for (let said = false; Date.now() < until; await sleep(100)) {
    if (take(lockFolder)) return;
    if (removeIfStale(lockFolder)) continue;
    if (!said) say('waiting for another set-up that runs now');
    said = true;
  }
  throw new SetUpStopped(
    `another set-up has held ${lockFolder} for 15 minutes; remove that folder and run this again.`,
  );
}

function take(lockFolder) {
  try {
    mkdirSync(lockFolder);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new SetUpStopped(
      `set-up is needed, but ${lockFolder} cannot be made (${error.code}); run this once as a user who may write there.`,
    );
  }
  writeFileSync(join(lockFolder, 'owner'), `${hostname()} ${process.pid}`);
  return true;
}

function touch(lockFolder) {
  try {
    const now = new Date();
    utimesSync(lockFolder, now, now);
  } catch {
    // Taken away by hand; the work itself is unharmed.
  }
}

/** A lock is stale when its owner is gone from this host, or when nobody has touched it for 30 s. */
function removeIfStale(lockFolder) {
  try {
    const quietMs = Date.now() - statSync(lockFolder).mtimeMs;
    if (quietMs < staleMs && !ownerIsGone(lockFolder)) return false;
    const grave = `${lockFolder}-stale-${process.pid}`;
    renameSync(lockFolder, grave);
    rmSync(grave, { recursive: true, force: true });
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  return true;
}

function ownerIsGone(lockFolder) {
  try {
    const [host, pid] = readFileSync(join(lockFolder, 'owner'), 'utf8').split(' ');
    if (host !== hostname()) return false;
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error.code === 'ESRCH';
  }
}
