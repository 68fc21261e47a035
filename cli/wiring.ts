/** The only file that names concrete parts together. */
import { rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { RunListener } from '../model/run-event.js';
import { startChromiumFleet } from '../probes/chromium-fleet.js';
import { embeddedServer } from '../server-setup/embedded-process.js';
import { kurentoServer } from '../server-setup/kurento/kurento-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { createRunDirectory, runDirectorySink } from '../store/run-directory.js';
import type { Parts } from '../trial/parts.js';
import type { FoundChromium } from './chromium.js';
import { readHostFacts } from './host-facts.js';
import type { RunRequest } from './options/run-flags.js';
import type { ToolProcess } from './process.js';
import { loadlineVersion } from './version.js';
import { wallClock } from './wall-clock.js';

/** Makes the run's folder; starts nothing. Throws E_OUT. */
export async function wire(
  request: RunRequest,
  tool: ToolProcess,
  chromium: FoundChromium,
  listener: RunListener,
): Promise<Parts> {
  const { plan, scenario } = request;
  const runDirectory = await createRunDirectory({
    parent: resolve(tool.workingFolder, request.out),
    scenario: scenario.name,
    server: plan.server.kind,
    startedAtMs: wallClock.nowMs(),
  });
  return {
    server: serverOf(request, tool),
    startFleet: (options, fleetListener) =>
      startChromiumFleet({ ...options, cacheFolder: cacheFolder(tool), temporaryRoot: tmpdir() }, fleetListener),
    sinks: [runDirectorySink(runDirectory)],
    clock: wallClock,
    host: readHostFacts(tool.nodeVersion),
    chromium: { path: chromium.path, version: chromium.version },
    runDirectory,
    loadlineVersion: loadlineVersion(),
    command: ['loadline', ...tool.args],
    listener,
  };
}

/** Removes the folder of a run that never started: nothing has been written into it. */
export async function discardUnused(runDirectory: string): Promise<void> {
  await rm(runDirectory, { recursive: true, force: true });
}

function serverOf({ plan }: RunRequest, tool: ToolProcess): MediaServer {
  const { server } = plan;
  if (server.kind === 'kurento') {
    const { url, restartCommand } = server;
    const restart = restartCommand === undefined ? {} : { restartCommand };
    return kurentoServer({ url, maxVideoKbps: plan.media.videoKbps, ...restart });
  }
  const { egressLimitBps, cpuLimitCores } = server;
  return embeddedServer({
    command: tool.selfCommand,
    ...(egressLimitBps === undefined ? {} : { egressLimitBps }),
    ...(cpuLimitCores === undefined ? {} : { cpuLimitCores }),
  });
}

/** What may be made again at any time, such as the clip of the fake camera (XDG Base Directory Specification). */
function cacheFolder({ env }: ToolProcess): string {
  const base = env.XDG_CACHE_HOME;
  return join(base?.startsWith('/') ? base : join(homedir(), '.cache'), 'loadline');
}
