/**
 * Programs that some runs need: what is there, else from the system's package manager. The command line runs this file
 * as a child, `node programs.mjs NAME`, when a run needs one that is missing.
 */
import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { alone } from './lock.mjs';
import { chromiumLock, dist } from './places.mjs';
import { SetUpStopped } from './report.mjs';
import { installAll, installAllCommand } from './system-packages.mjs';

/** What each is called, how it is found, and the packages that bring it. */
const programs = {
  /** The embedded server mixes rooms with it. */
  gstreamer: {
    title: 'GStreamer',
    byHand: 'install GStreamer 1.22 or newer with its base and good plug-ins',
    isHere: async () => (await import(pathToFileURL(join(dist, 'find-gstreamer.js')).href)).hasGStreamer(),
    packages: {
      'apt-get': ['gstreamer1.0-tools', 'gstreamer1.0-plugins-base', 'gstreamer1.0-plugins-good'],
      dnf: ['gstreamer1', 'gstreamer1-plugins-base', 'gstreamer1-plugins-good'],
      apk: ['gstreamer-tools', 'gst-plugins-base', 'gst-plugins-good'],
      pacman: ['gstreamer', 'gst-plugins-base', 'gst-plugins-good'],
    },
  },
  /** Recordings are looked at with its ffprobe. */
  ffmpeg: {
    title: 'ffprobe',
    byHand: 'install ffmpeg',
    isHere: async () => isOnPath('ffprobe'),
    packages: { 'apt-get': ['ffmpeg'], dnf: ['ffmpeg-free'], apk: ['ffmpeg'], pacman: ['ffmpeg'], brew: ['ffmpeg'] },
  },
  /** The bus between a run and probe hosts on the same machine. */
  'nats-server': {
    title: 'nats-server',
    byHand:
      'install nats-server 2.9 or newer (https://docs.nats.io), for example with "go install github.com/nats-io/nats-server/v2@latest"',
    isHere: async () => isOnPath('nats-server', ['/usr/local/sbin', '/usr/sbin']),
    packages: { 'apt-get': ['nats-server'], apk: ['nats-server'], pacman: ['nats-server'], brew: ['nats-server'] },
  },
};

/** Resolves with `{ found: true }` or `{ found: false, why, todo }`. Set-up that is forbidden installs nothing. */
export async function ensureProgram(name) {
  const { title, byHand, isHere, packages } = programs[name];
  if (await isHere()) return { found: true };
  const command = installAllCommand(packages);
  const todo = command ? `run "${command}"` : byHand;
  if (process.env.LOADLINE_NO_SETUP === '1') {
    return { found: false, why: `${title} was not found, and LOADLINE_NO_SETUP=1 forbids set-up`, todo };
  }
  // The lock of Chromium's set-up: both may be at the same package manager.
  const found = await alone(chromiumLock(), async () => {
    if (!(await isHere())) await installAll(packages);
    return isHere();
  });
  return found ? { found } : { found, why: `${title} was not found and could not be installed`, todo };
}

/** `more`: where daemons are, which is not in every user's PATH. */
function isOnPath(file, more = []) {
  return [...(process.env.PATH ?? '').split(':'), ...more].some(
    (folder) => folder !== '' && isExecutable(join(folder, file)),
  );
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const name = process.argv[2];
  const answer = await ensureProgram(name).catch((error) => ({
    found: false,
    why: error instanceof SetUpStopped ? error.message : String(error?.stack ?? error),
    todo: programs[name]?.byHand ?? '',
  }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
