import { resolve } from 'node:path';
import { removeFolder } from '../../host/remove-folder.js';
import { given } from '../../model/given.js';
import type { RunListener } from '../../model/run-event.js';
import { createRunDirectory } from '../../store/run-directory/run-directory.js';
import { runDirectorySink } from '../../store/run-directory/run-directory-sink.js';
import { lockRun, unlockRun } from '../../store/run-directory/run-lock.js';
import type { Parts } from '../../trial/parts.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { versionAndBuild } from '../version.js';
import { readHostFacts } from './host-facts.js';
import { wallClock } from './wall-clock.js';

/** What every run is conducted with, a real one and a simulated one. */
type RunParts = Omit<Parts, 'server' | 'startFleet' | 'clock' | 'chromium'>;

/** Makes the run's folder, or takes the resumed one; starts nothing. Ours until `leaveRun`. Throws E_OUT. */
export async function runParts(request: RunRequest, tool: ToolProcess, listener: RunListener): Promise<RunParts> {
  const { plan, scenario, resumed } = request;
  const runDirectory =
    resumed?.directory ??
    (await createRunDirectory({
      parent: resolve(tool.workingFolder, request.out),
      scenario: scenario.name,
      server: plan.server.kind,
      startedAtMs: wallClock.nowMs(),
    }));
  // That of a resumed run is locked since before it was read.
  if (!resumed) await lockRun(runDirectory);
  return {
    sinks: [runDirectorySink(runDirectory)],
    host: readHostFacts(tool.nodeVersion),
    runDirectory,
    loadlineVersion: versionAndBuild(),
    command: ['loadline', ...tool.args],
    ...given({ labels: request.labels }),
    listener,
  };
}

/** Others may resume the run from here on. Idempotent. */
export async function leaveRun(runDirectory: string): Promise<void> {
  await unlockRun(runDirectory);
}

/** Removes the folder of a run that never started: nothing has been written into it. */
export async function discardUnused(runDirectory: string): Promise<void> {
  await removeFolder(runDirectory);
}
