import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { largestSize } from '../../analysis/needs/plan-cost.js';
import { LoadlineError } from '../../model/errors.js';
import { unreadFile } from '../../model/file-refusal.js';
import { given } from '../../model/given.js';
import { firstServer, isSimulated } from '../../model/plan.js';
import { participantsOf } from '../../model/scenario.js';
import type { VisitPlan } from '../../model/visit.js';
import { isReachedByNetworks } from '../../probes/visit/app-reach.js';
import type { AppAccess, VisitOrder } from '../../probes/visit/visit-order.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';

/** Of a visit that a trial of each size asked for can have. Undefined where nothing is visited. */
export async function visitable<Request extends Pick<RunRequest, 'plan' | 'scenario' | 'trace' | 'video'>>(
  request: Request,
  tool: ToolProcess,
): Promise<{ readonly request: Request; readonly app: AppAccess } | undefined> {
  const { players, server } = request.plan;
  if (players.kind !== 'visiting' || isSimulated(server)) return undefined;
  const whole = withWholePaths(players, tool);
  const plan = { ...request.plan, players: { ...players, ...whole } };
  const { trace, video } = request;
  const app = await assertVisitable({ url: firstServer(server).url ?? '', ...whole, trace, video }, tool);
  if (plan.networks && !(await isReachedByNetworks(firstServer(server).url ?? ''))) throw notReached();
  const largest = request.scenario.sessions(largestSize(plan, request.scenario));
  app.logIns.assertFor(participantsOf(largest).length);
  return { request: { ...request, plan }, app };
}

/** Its files, as they are named from anywhere. */
export function withWholePaths(
  { join, library, users }: VisitPlan,
  { workingFolder }: Pick<ToolProcess, 'workingFolder'>,
) {
  const whole = (path: string | undefined) => path && resolve(workingFolder, path);
  return given({ join: whole(join), library: whole(library), users: whole(users) });
}

/**
 * What must be right before a browser starts: the join script can be read, the users can be read, and the address or
 * the script tells one room from another. Throws E_JOIN_SCRIPT, E_USAGE.
 */
export async function assertVisitable(
  {
    url,
    join,
    library,
    users,
    trace,
    video,
  }: Pick<VisitOrder, 'url' | 'join' | 'library' | 'users'> & { [Folder in 'trace' | 'video']?: string | undefined },
  { env, workingFolder }: Pick<ToolProcess, 'env' | 'workingFolder'>,
): Promise<AppAccess> {
  // Loaded late: who visits nothing needs none of it.
  const { appDigest } = await import('../../probes/visit/app-digest.js');
  const { joinCode, namesSession } = await import('../../probes/visit/join-script.js');
  const { LogIns } = await import('../../probes/visit/log-ins.js');
  const { PageTraces } = await import('../../probes/visit/page-traces.js');
  const { readUsers } = await import('../../probes/visit/users-file.js');
  const { keysOfApp } = await import('../../server-setup/web-app/trusted-key.js');
  const { bundledLibrary } = await import('../../probes/visit/library-page.js');
  const script = join === undefined ? '' : await ifThere('--join', join, joinCode);
  const code = library === undefined ? script : (await ifThere('--library', library, bundledLibrary)).code;
  if (!url.includes('{session}') && !namesSession(code)) throw oneRoom(url, join ?? library);
  if (users !== undefined && code === '') throw nobodyLogsIn();
  const rows = users === undefined ? [] : await readUsers(users);
  const logIns = new LogIns(rows);
  const traces = trace === undefined ? undefined : new PageTraces(resolve(workingFolder, trace));
  const films = video === undefined ? undefined : resolve(workingFolder, video);
  const digest = appDigest(url, code, rows);
  return { logIns, digest, trustedKeys: await keysOfApp(url, env), ...given({ traces, films }) };
}

/** What a bundler makes of a script; one that cannot be read is told as that. Throws E_JOIN_SCRIPT. */
async function ifThere<Made>(flag: string, path: string, make: (path: string) => Promise<Made>): Promise<Made> {
  return make(path).catch(async (refusal: unknown) => {
    await readFile(path).catch((error: unknown) => {
      throw new LoadlineError('E_JOIN_SCRIPT', `The script of ${flag} cannot be read.`, {
        where: `${flag} ${path}`,
        ...unreadFile(error, `name a script that is there: ${flag} FILE`),
        cause: error,
      });
    });
    throw refusal;
  });
}

function notReached(): LoadlineError {
  return new LoadlineError('E_USAGE', 'Pages on an impaired network do not reach the web app.', {
    where: '--url, --network',
    why: 'each network is a host of its own, and the app listens on the loopback interface of this one alone',
    todo: 'have the app listen on all addresses of this machine (0.0.0.0), with its signalling and its media server',
  });
}

function oneRoom(url: string, join: string | undefined): LoadlineError {
  return new LoadlineError('E_USAGE', 'The address of the web app does not say which room.', {
    where: join === undefined ? `--url ${url}` : `--url ${url}, --join ${join}`,
    why: 'without {session} in it, and without a join script that reads session, all rooms of a trial would be one',
    todo: "put {session} where the room's name goes; where an app has no rooms, behind a #: --url 'https://meet.example/echo#{session}'",
  });
}

function nobodyLogsIn(): LoadlineError {
  return new LoadlineError('E_USAGE', '--users needs a join script, which logs them in.', {
    where: '--users',
    todo: 'add --join FILE, a script that reads user; docs/reference/web-app.md has one',
  });
}
