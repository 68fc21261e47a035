/**
 * GStreamer, with which the embedded server mixes rooms: what is there, else from the system's package manager.
 * The command line runs this file as a child when a scenario mixes and there is none.
 */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import { chromiumLock, dist } from './places.mjs';
import { SetUpStopped } from './report.mjs';
import { installAll, installAllCommand } from './system-packages.mjs';

const names = {
  'apt-get': ['gstreamer1.0-tools', 'gstreamer1.0-plugins-base', 'gstreamer1.0-plugins-good'],
  dnf: ['gstreamer1', 'gstreamer1-plugins-base', 'gstreamer1-plugins-good'],
  apk: ['gstreamer-tools', 'gst-plugins-base', 'gst-plugins-good'],
  pacman: ['gstreamer', 'gst-plugins-base', 'gst-plugins-good'],
};

/** Resolves with `{ found: true }` or `{ found: false, why, todo }`. Set-up that is forbidden installs nothing. */
export async function ensureGStreamer() {
  const { hasGStreamer } = await import(pathToFileURL(join(dist, 'find-gstreamer.js')).href);
  if (await hasGStreamer()) return { found: true };
  const command = installAllCommand(names);
  const todo = command ? `run "${command}"` : 'install GStreamer 1.22 or newer with its base and good plug-ins';
  if (process.env.LOADLINE_NO_SETUP === '1') {
    return { found: false, why: 'GStreamer was not found, and LOADLINE_NO_SETUP=1 forbids set-up', todo };
  }
  // The lock of Chromium's set-up: both may be at the same package manager.
  const found = await alone(chromiumLock(), async () => {
    if (!(await hasGStreamer())) await installAll(names);
    return hasGStreamer();
  });
  return found ? { found } : { found, why: 'GStreamer was not found and could not be installed', todo };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const answer = await ensureGStreamer().catch((error) => ({
    found: false,
    why: error instanceof SetUpStopped ? error.message : String(error?.stack ?? error),
    todo: 'install GStreamer with its base and good plug-ins',
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
