import { tmpdir } from 'node:os';
import { pid as ownPid } from 'node:process';
import { readTreesPss } from '../../host/process-memory.js';
import { profileFolders } from '../../probes/chromium/profile-folders.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import type { TrialParts } from '../../trial/parts.js';
import { wallClock } from '../wiring/wall-clock.js';
import { chromiumFleets } from '../wiring/wiring.js';

/** The real parts of trials that belong to no run: nothing of them is stored, and nobody watches. */
export function calibrationParts(server: MediaServer, chromiumPath: string, cacheFolder: string): TrialParts {
  return {
    server,
    startFleet: chromiumFleets(cacheFolder),
    sinks: [],
    clock: wallClock,
    chromium: { path: chromiumPath },
    runDirectory: tmpdir(),
    listener: () => undefined,
  };
}

/** Memory of all browsers that this process has started, MiB (PSS). */
export function browsersMb(): Promise<number> {
  return readTreesPss((argument) => profileFolders.ownerOf(argument) === ownPid);
}
