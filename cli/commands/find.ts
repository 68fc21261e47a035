import { resolve } from 'node:path';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { ClusterMemberPlan, MeasuredAlone } from '../../model/plan.js';
import { namesNoLimit, type RunResult } from '../../model/run.js';
import { exampleOf, type Kinds } from '../../server-setup/server-kind.js';
import { findLimit } from '../../trial/find-limit.js';
import { exitCodeLines, exitCodeOfFind, interruptedCode } from '../exit-codes.js';
import { showsAll } from '../help-text.js';
import { notTogetherLines } from '../options/beside.js';
import { assertSeveral } from '../options/cluster-flags.js';
import { assertOneRecord } from '../options/contradictions.js';
import { endingFlags, readEnding } from '../options/ending-flags.js';
import { addFlags, type Flags, type WordsOf } from '../options/flag.js';
import { withListedServers } from '../options/listed-servers.js';
import { scenarioLines } from '../options/run-flags.js';
import type { RunRequest } from '../options/run-request.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../options/search-request.js';
import { sinkHelp } from '../options/sink-flags.js';
import { trustFlags } from '../options/trust-flag.js';
import { type CommandRequest, planFlags, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { checkedFit, isCarriedHere, namedSize } from '../wiring/host-fit.js';
import { lastRunOf } from '../wiring/last-run.js';
import { resumeFlags, resumeRequest } from '../wiring/resume.js';
import { withLimits, withStoredLimits } from '../wiring/stored-limits.js';
import { calibratedFor } from '../wiring/visit-calibration-file.js';
import { conduct } from './conduct.js';
import { namedScenario, search } from './search.js';

const findFlags = {
  ...planFlags,
  ...resumeFlags,
  each: { about: 'of a cluster: find what each server holds alone first' },
  ...trustFlags,
  ...endingFlags,
} as const satisfies Flags;

type FindWords = SearchWords & WordsOf<typeof findFlags>;

const help = ({ name, url }: ReturnType<typeof exampleOf>, kinds: Kinds | undefined) => `
Scenarios:
${scenarioLines()}${kinds ? `\n\n${notTogetherLines(kinds)}` : ''}

Exit codes:
${exitCodeLines('find')}${kinds ? `\n\n${sinkHelp()}` : ''}

Examples:
  loadline find one-to-one --egress-limit 3mbit
  loadline find one-to-one --server ${url} --from 8 --max 128
  loadline find one-to-one --confidence 0.9 --budget 45m
  loadline find --resume runs/2026-11-21T14-03-12-one-to-one-${name}
  loadline find one-to-one --require 20 --format json > result.json`;

export function addFind(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('find')
    .summary('find the largest size that is stable')
    .description('Finds how many sessions of a scenario a media server carries before any participant notices.')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml');
  addSearchFlags(addFlags(command, findFlags), kinds)
    .addHelpText('after', () => help(exampleOf(kinds), showsAll(tool) ? kinds : undefined))
    .action(async (argument: string | undefined) => {
      assertOneRecord(tool.args);
      const asked = await withPlanFile<FindWords>(command, argument, tool);
      const { flags, reading } = asked;
      const { resume, each } = flags;
      const ending = readEnding(flags, tool.workingFolder);
      const request = await reading(() =>
        resume === undefined ? newRequest(asked, tool, kinds) : resumeRequest(asked, resume, tool, kinds),
      );
      const ended = { ...request, ending };
      const measured = each ? await measuredEach(ended, tool) : ended;
      onExitCode(typeof measured === 'number' ? measured : await search(measured, flags.require, tool));
    });
}

async function newRequest(
  { scenario: name, flags }: CommandRequest<FindWords>,
  tool: ToolProcess,
  kinds: Kinds,
): Promise<RunRequest> {
  const words = await withListedServers(flags, tool, kinds);
  const asked = readSearchRequest(namedScenario(name, 'find'), words, kinds);
  const request = await withStoredLimits(asked, words, tool);
  const folder = resolve(tool.workingFolder, request.out);
  const { plan } = request;
  if (!isCarriedHere(plan)) return startedFromLastRun(request, folder);
  const newest = await calibratedFor(plan, request.scenario, tool);
  const fit = await checkedFit(plan, request.scenario, namedSize(plan), newest);
  return startedFromLastRun({ ...request, fit }, folder);
}

/** A new search begins where the last one of the same plan ended, unless it was told where. */
async function startedFromLastRun(request: RunRequest, folder: string): Promise<RunRequest> {
  const { plan } = request;
  const { search } = plan;
  if (search.from !== undefined || (search.strategy ?? 'bisect') !== 'bisect') return request;
  const last = await lastRunOf(plan, folder);
  if (!last) return request;
  const from = Math.min(last.stable, search.max);
  return { ...request, plan: { ...plan, search: { ...search, from } }, fromRun: last.name };
}

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
  assertSeveral(server);
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
