import { resolve } from 'node:path';
import { LoadlineError } from '../../model/errors.js';
import { firstServer, isSimulated, type Plan } from '../../model/plan.js';
import type { ToolProcess } from '../process.js';

/** What a plan visits, if anything: see `assertVisitable`. */
export async function assertPlanVisitable({ players, server }: Plan, tool: ToolProcess): Promise<void> {
  if (players.kind !== 'visiting' || isSimulated(server)) return;
  await assertVisitable({ url: firstServer(server).url ?? '', join: players.join }, tool);
}

/**
 * What must be right before a browser starts: the join script can be loaded, and the address or the script tells one
 * room from another. Throws E_JOIN_SCRIPT, E_USAGE.
 */
export async function assertVisitable(
  { url, join }: { readonly url: string; readonly join?: string | undefined },
  { workingFolder }: Pick<ToolProcess, 'workingFolder'>,
): Promise<void> {
  // Loaded late: who visits nothing needs none of it.
  const { loadJoinScript } = await import('../../probes/visit/join-script.js');
  const script = join === undefined ? undefined : await loadJoinScript(resolve(workingFolder, join));
  if (url.includes('{session}') || script?.namesSession) return;
  throw new LoadlineError('E_USAGE', 'The address of the web app does not say which room.', {
    where: join === undefined ? `--url ${url}` : `--url ${url}, --join ${join}`,
    why: 'without {session} in it, and without a join script that reads session, all rooms of a trial would be one',
    todo: "put {session} where the room's name goes; where an app has no rooms, behind a #: --url 'https://meet.example/echo#{session}'",
  });
}
