import { tmpdir } from 'node:os';
import { basename } from 'node:path';
import { pid as ownPid } from 'node:process';
import { readChildrenPss, readTreesPss } from '../../host/process-memory.js';
import type { KindCalibrations } from '../../model/calibration.js';
import { profileFolders } from '../../probes/chromium/profile-folders.js';
import { workerProgram } from '../../probes/native/worker-set.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import type { TrialParts } from '../../trial/parts.js';
import { wallClock } from '../wiring/wall-clock.js';
import { browserFleets, nativeFleets } from '../wiring/wiring.js';

/** The real parts of trials that belong to no run: nothing of them is stored, and nobody watches. */
export function calibrationParts(
  server: MediaServer,
  chromiumPath: string,
  cacheFolder: string,
  kind: keyof KindCalibrations,
): TrialParts {
  return {
    server,
    // No browsers are among the native ones: nothing but them is counted.
    startFleet: kind === 'native' ? nativeFleets(cacheFolder) : browserFleets(cacheFolder),
    sinks: [],
    clock: wallClock,
    chromium: { path: chromiumPath },
    runDirectory: tmpdir(),
    listener: () => undefined,
  };
}

/** Memory of all that this process has started to play probes of a kind, MiB (PSS). */
export function playersMb(kind: keyof KindCalibrations): Promise<number> {
  if (kind === 'native') return readChildrenPss(ownPid, (argument) => basename(argument) === workerProgram);
  return readTreesPss((argument) => profileFolders.ownerOf(argument) === ownPid);
}
