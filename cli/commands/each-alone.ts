import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { type ClusterMemberPlan, isCluster, type MeasuredAlone } from '../../model/plan.js';
import { namesNoLimit, type RunResult } from '../../model/run.js';
import { findLimit } from '../../trial/find-limit.js';
import { exitCodeOfFind, interruptedCode } from '../exit-codes.js';
import type { RunRequest } from '../options/run-request.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { withLimits } from '../wiring/stored-limits.js';
import { conduct } from './conduct.js';

/**
 * Searches for the limit of each server of a cluster that no stored run tells, one after the other and each in a run of
 * its own; what they tell goes to standard error, because standard output is the cluster's. Resolves with the request
 * of the cluster, or with the exit code of an interruption. Throws E_USAGE where there is no cluster.
 */
export async function measuredEach(
  request: RunRequest,
  tool: ToolProcess,
  search: typeof aloneOf = aloneOf,
): Promise<RunRequest | number> {
  const { server } = request.plan;
  if (!isCluster(server)) {
    const todo = 'name others with --server or --servers, or leave --each out';
    throw usageError('--each is for several servers, and one is named.', ['--each'], todo);
  }
  const limits: (MeasuredAlone | undefined)[] = [];
  for (const member of server.members) {
    if (member.alone) limits.push(member.alone);
    else {
      tool.stderr.write(`\n  ${member.name} alone\n`);
      const found = await search(member, request, tool);
      if (found === 'interrupted') return interruptedCode;
      limits.push(found);
    }
  }
  return withLimits(request, limits);
}

async function aloneOf({ server, hostType }: ClusterMemberPlan, request: RunRequest, tool: ToolProcess) {
  const { memberKind, labels } = request;
  if (!memberKind) throw new LoadlineError('E_INTERNAL', 'Nobody knows of what kind the servers of the cluster are.');
  const { memberKind: _, fromRun: __, ...asked } = request;
  const alone: RunRequest = {
    ...asked,
    kind: memberKind,
    format: 'text',
    plan: { ...request.plan, server },
    labels: { ...labels, ...given({ hostType }) },
  };
  let result: RunResult | undefined;
  const exitCode = await conduct(alone, { ...tool, stdout: tool.stderr }, async (parts, signal) => {
    result = await findLimit({ plan: alone.plan, scenario: alone.scenario }, parts, signal);
    return { result, exitCode: exitCodeOfFind(result, undefined) };
  });
  if (exitCode === interruptedCode || result === undefined) return 'interrupted';
  const { limit, outcome, runDirectory } = result;
  if (limit.stable === null || namesNoLimit(outcome)) return undefined;
  return { stable: limit.stable, unstable: limit.unstable, run: runDirectory };
}
