import { isDeepStrictEqual } from 'node:util';
import { comparedRun } from '../../analysis/compare/compare.js';
import { LoadlineError } from '../../model/errors.js';
import { isCluster, type MeasuredAlone, type Plan } from '../../model/plan.js';
import { sentinelsBeside } from '../../model/players.js';
import { namesNoLimit } from '../../model/run.js';
import { usualPanel, usualRoomSize } from '../../model/usual-members.js';
import { clusterKind } from '../../server-setup/cluster/cluster-kind.js';
import type { ServerWords } from '../options/cluster-flags.js';
import type { RunRequest } from '../options/run-request.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { namedRunFolder, openRun } from '../report/open-run.js';

/** What makes the sessions of two plans the same load, held to the same limits. */
const loadKeys = [
  'scenario',
  'roomSize',
  'panel',
  'subscribe',
  'record',
  'media',
  'thresholds',
  'load',
  'sentinels',
] as const;
const loadOf = (plan: Plan) => ({
  roomSize: usualRoomSize,
  panel: usualPanel,
  ...plan,
  sentinels: sentinelsBeside(plan.players),
});

/** What each server of a cluster holds alone by the stored run that its file names. Throws E_USAGE, E_RUN. */
export async function withStoredLimits<Request extends RunRequest>(
  request: Request,
  { listed = [] }: Pick<ServerWords, 'listed'>,
  tool: ToolProcess,
): Promise<Request> {
  const runs = listed.map(({ run }) => run);
  if (runs.every((run) => run === undefined)) return request;
  const each = runs.map(async (run) =>
    run === undefined ? undefined : limitOf(run, await namedRunFolder(run, tool), request.plan),
  );
  return withLimits(request, await Promise.all(each));
}

/** The same request, with what each server was found to hold alone; what is undefined is not known. */
export function withLimits<Request extends RunRequest>(
  request: Request,
  limits: readonly (MeasuredAlone | undefined)[],
): Request {
  const { server } = request.plan;
  if (!isCluster(server) || !request.memberKind) return request;
  const members = server.members.map((member, nth) => {
    const alone = limits[nth];
    return alone ? { ...member, alone } : member;
  });
  const cluster = { ...server, members };
  const kind = clusterKind(request.memberKind, cluster);
  return { ...request, kind, plan: { ...request.plan, server: cluster } };
}

async function limitOf(named: string, directory: string, plan: Plan): Promise<MeasuredAlone> {
  const stored = await openRun(directory, 'own-of-any-size');
  const [before, asked] = [loadOf(stored.manifest.plan), loadOf(plan)];
  const other = loadKeys.find((key) => !isDeepStrictEqual(told(before[key]), told(asked[key])));
  if (other !== undefined) throw notOf(named, `its ${other} is not that of this run: what it holds is another load`);
  if (isCluster(stored.manifest.plan.server)) throw notOf(named, 'it is of a cluster, and not of one server');
  const { outcome, atLeast, below } = comparedRun(finishedRun(stored));
  if (namesNoLimit(outcome)) throw notOf(named, `it is ${outcome}: it has no limit`);
  return { stable: atLeast, unstable: below, run: named };
}

/** As JSON has it, because a stored plan has no fields that are undefined; what is not done is left out or false. */
function told(value: unknown): unknown {
  return value === undefined || value === false ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

function notOf(run: string, why: string): LoadlineError {
  return new LoadlineError('E_USAGE', 'A stored run does not say what a server of the cluster holds alone.', {
    where: `--servers, run: ${run}`,
    why,
    todo: 'name a search of that server with the same scenario, media and limits, or measure each first with --each',
  });
}
