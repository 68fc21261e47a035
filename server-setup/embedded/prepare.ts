import { gstreamerInstallCommand, hasGStreamer } from '../../host/find-gstreamer.js';
import { LoadlineError } from '../../model/errors.js';
import type { AskedOfServer, HostHelp } from '../server-kind.js';

/**
 * Makes sure that the embedded server can mix where the scenario needs it, with the GStreamer that is here or one that
 * set-up brings; throws E_CANNOT_MIX with the command to run. What looks at recorded files is brought, too; without it
 * the run goes on: recording loads the server all the same, and the report says that the files were not looked at.
 */
export async function prepareEmbedded({ scenario, mixes, records }: AskedOfServer, host: HostHelp): Promise<void> {
  if (mixes) await ensureMixing(scenario, host);
  if (records && !(await host.hasProgram('ffprobe'))) await host.bring('ffmpeg');
}

async function ensureMixing(scenario: string, host: HostHelp): Promise<void> {
  if (await hasGStreamer()) return;
  const answer = await host.bring('gstreamer');
  if (answer.found && (await hasGStreamer())) return;
  throw new LoadlineError('E_CANNOT_MIX', 'The embedded server cannot mix rooms without GStreamer.', {
    where: scenario,
    why: answer.why ?? 'GStreamer was not found and could not be installed',
    todo: answer.todo ?? `run "${gstreamerInstallCommand}"`,
  });
}
