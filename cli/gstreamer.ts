import { LoadlineError } from '../model/errors.js';
import type { Plan } from '../model/plan.js';
import type { Scenario } from '../model/scenario.js';
import { gstreamerInstallCommand, hasGStreamer } from '../server-setup/embedded/mixing/find-gstreamer.js';
import type { ToolProcess } from './process.js';
import { setUpPart } from './set-up-part.js';

/**
 * Makes sure that the embedded server can mix when the scenario needs it: with the GStreamer that is here, else with one that
 * set-up brings. Throws E_CANNOT_MIX with the command to run.
 */
export async function ensureMixing({ server }: Plan, scenario: Scenario, tool: ToolProcess): Promise<void> {
  const mixes = scenario.sessions(scenario.baselineSize).some((session) => session.shape === 'mix');
  if (!mixes || server.kind !== 'embedded' || (await hasGStreamer())) return;
  const answer = await setUpPart(tool, 'programs.mjs', 'gstreamer');
  if (answer.found && (await hasGStreamer())) return;
  throw new LoadlineError('E_CANNOT_MIX', 'The embedded server cannot mix rooms without GStreamer.', {
    where: scenario.name,
    why: answer.why ?? 'GStreamer was not found and could not be installed',
    todo: answer.todo ?? `run "${gstreamerInstallCommand}"`,
  });
}
