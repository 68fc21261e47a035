import { tmpdir } from 'node:os';
import type { StartFleet } from '../../probes/fleet.js';
import type { MediaServer } from '../../server-setup/media-server.js';
import type { TrialParts } from '../../trial/parts.js';
import { wallClock } from '../wiring/wall-clock.js';

/** The real parts of trials that belong to no run: nothing of them is stored, and nobody watches. */
export function calibrationParts(server: MediaServer, chromiumPath: string, startFleet: StartFleet): TrialParts {
  return {
    server,
    startFleet,
    sinks: [],
    clock: wallClock,
    chromium: { path: chromiumPath },
    runDirectory: tmpdir(),
    listener: () => undefined,
  };
}
