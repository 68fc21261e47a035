import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { z } from 'zod';
import { shellLine } from '../../analysis/wording/shell-words.js';
import { LoadlineError } from '../../model/errors.js';
import {
  type ClusterServerPlan,
  firstServer,
  isCluster,
  isSimulated,
  type Plan,
  planSchema,
  type RealServerPlan,
} from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import { scenarioOf } from '../../scenarios/index.js';
import { clusterKind } from '../../server-setup/cluster/cluster-kind.js';
import { kindNamed, type ServerKind } from '../../server-setup/server-kind.js';
import { assertOwnRun } from '../../store/run-directory/own-run.js';
import { holdsRun, lockRun, unlockRun } from '../../store/run-directory/run-lock.js';
import { type BusFlags, busFlagNames, busFlagsOf } from '../options/bus-flags.js';
import { withListedServers } from '../options/listed-servers.js';
import { readScenario } from '../options/run-flags.js';
import type { Format, RunRequest } from '../options/run-request.js';
import { readSinkFlags, sinkFlagNames } from '../options/sink-flags.js';
import { type TrustFlags, trustOf } from '../options/trust-flag.js';
import { readDuration, readWord } from '../options/values.js';
import type { Asked } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { openRun } from '../report/open-run.js';
import { type GivenAgain, givenAgainFlags, withGivenAgain } from './given-again.js';

interface ResumeFlags extends BusFlags, TrustFlags {
  readonly budget?: string;
  readonly chromium?: string;
  readonly format: string;
}

type NamedServers = GivenAgain['flags'];

/** What does not change what is measured, and the budget, because a run that had too small a one is why to resume. */
const mayBeGiven = new Set([
  ...['resume', 'trustRun', 'budget', 'format', 'chromium', 'require', 'quiet', 'open', 'summary', 'junit'],
  ...busFlagNames,
  ...sinkFlagNames,
]);

/**
 * What a stored run asked, with the trials it has. Throws E_USAGE for a flag that the stored plan has decided, E_RUN for
 * a folder that holds no run, E_RESUME for a run that was no search of this kind, or that goes on in another process.
 * The folder is locked from here on, before it is read: what another process would still write is then not missed.
 */
export async function resumeRequest(
  { command, scenario, flags }: Asked<ResumeFlags & object>,
  where: string,
  tool: ToolProcess,
  kinds: readonly ServerKind[],
): Promise<RunRequest> {
  const format: Format = readWord(flags.format, '--format', ['text', 'json']);
  const budgetMs = flags.budget === undefined ? undefined : readDuration(flags.budget, '--budget');
  const typed = typedFlags(command);
  assertNothingDecided(command, typed, kinds);
  const directory = resolve(tool.workingFolder, where);
  // Before anything is written into it.
  await assertOwnRun(directory, trustOf(flags));
  if (await holdsRun(directory)) await lockRun(directory);
  try {
    // Simulations have no servers to name.
    const named = { server: '', ...flags } as ResumeFlags & NamedServers;
    const { env, workingFolder } = tool;
    const again = { flags: await withListedServers(named, tool, kinds), typed, env, workingFolder };
    const stored = await openRun(directory, trustOf(flags));
    const from = { command: command.name(), where };
    const { kind, plan } = resumedPlan(stored.manifest, { ...again, ...from }, kinds);
    if (scenario !== undefined && scenario !== plan.scenario) throw otherScenario(scenario, plan.scenario);
    return {
      ...(kind ? { kind } : {}),
      scenario: scenarioOf(plan) ?? readScenario(plan.scenario),
      plan: budgetMs === undefined ? plan : { ...plan, search: { ...plan.search, budgetMs } },
      chromium: flags.chromium,
      bus: busFlagsOf(flags),
      out: '.',
      format,
      copies: readSinkFlags({ ...flags }),
      resumed: { directory: stored.directory, manifest: stored.manifest, records: stored.records },
    };
  } catch (error) {
    await unlockRun(directory);
    throw error;
  }
}

/** The stored plan, with what was given again, and the kind of its server; a simulated one has none. */
function resumedPlan(
  { plan: asStored, command: begunWith }: Manifest,
  again: Omit<GivenAgain, 'kind'>,
  kinds: readonly ServerKind[],
): { readonly plan: Plan; readonly kind?: ServerKind } {
  const { where, command } = again;
  const before = readPlan(asStored, where);
  assertIsSearch(begunWith, before, command, where);
  if (isSimulated(before.server)) return { plan: before };
  const kind = checkedKind(before.server, kinds, where);
  const plan = withGivenAgain(before, { ...again, kind });
  return { plan, kind: isCluster(plan.server) ? clusterKind(kind, plan.server) : kind };
}

function typedFlags(command: Command): ReadonlySet<string> {
  const names = command.options.map((option) => option.attributeName());
  return new Set(names.filter((name) => command.getOptionValueSource(name) === 'cli'));
}

function assertNothingDecided(command: Command, typed: ReadonlySet<string>, kinds: readonly ServerKind[]): void {
  const again = new Set(givenAgainFlags(kinds));
  const given = command.options.filter((option) => {
    const name = option.attributeName();
    return typed.has(name) && !mayBeGiven.has(name) && !again.has(name);
  });
  if (given.length === 0) return;
  const names = given.map((option) => option.long ?? option.flags).join(', ');
  throw new LoadlineError('E_USAGE', `${names} cannot be given with --resume.`, {
    where: names,
    why: 'a resumed run goes on with the plan that it was begun with',
    todo: 'leave it out, or start a new run with it',
  });
}

/** The stored plan as today's schema reads it: a field that it does not have gets its default. */
function readPlan(stored: Plan, where: string): Plan {
  const read = planSchema.safeParse(stored);
  if (read.success) return read.data;
  throw notUnderstood(where, read.error.issues[0]);
}

function notUnderstood(where: string, issue: z.core.$ZodIssue | undefined): LoadlineError {
  return new LoadlineError('E_RESUME', 'The plan of the stored run cannot be understood.', {
    where,
    why: `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
    todo: 'resume it with the version of Loadline that began it',
  });
}

/** The kind of the stored server or servers, whose settings it understands. */
function checkedKind(
  server: RealServerPlan | ClusterServerPlan,
  kinds: readonly ServerKind[],
  where: string,
): ServerKind {
  const kind = kindNamed(firstServer(server), kinds);
  for (const one of isCluster(server) ? server.members.map((member) => member.server) : [server]) {
    const read = kind.settings.safeParse(one);
    if (!read.success) throw notUnderstood(where, read.error.issues[0]);
  }
  return kind;
}

function assertIsSearch(begunWith: readonly string[], plan: Plan, command: string, where: string): void {
  const begun = isSimulated(plan.server) ? 'simulate' : begunWith[1] === 'try' ? 'try' : 'find';
  if (begun === command) return;
  throw new LoadlineError('E_RESUME', `This run was begun with loadline ${begun}.`, {
    where,
    why: begun === 'try' ? 'one trial is over as soon as it is stopped' : 'simulated and real trials are never one run',
    todo:
      begun === 'try' ? 'run the trial again' : `resume it with ${shellLine(['loadline', begun, '--resume', where])}`,
  });
}

function otherScenario(named: string, stored: string): LoadlineError {
  return new LoadlineError('E_USAGE', `The stored run is of ${stored}, not of ${named}.`, {
    where: named,
    todo: `leave the scenario out, or name ${stored}`,
  });
}
