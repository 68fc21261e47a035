import type { Option } from 'commander';
import type { z } from 'zod';
import { shellLine } from '../../analysis/wording/wording.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
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
import { type BusFlags, busFlagsOf } from '../options/bus-flags.js';
import { type Flags, flagBehind, valuesOf, type WordsOf } from '../options/flag.js';
import { withListedServers } from '../options/listed-servers.js';
import { outputFlags, type trialFlags } from '../options/run-flags.js';
import type { RunRequest } from '../options/run-request.js';
import { searchFlags } from '../options/search-flags.js';
import { readScenario } from '../options/session-flags.js';
import { readSinks } from '../options/sink-flags.js';
import { type trustFlags, trustOf } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import type { CommandRequest } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { namedRunFolder, openRun } from '../report/open-run.js';
import { type GivenAgain, withGivenAgain } from './given-again.js';

type ResumeWords = BusFlags &
  WordsOf<typeof trustFlags & Pick<typeof searchFlags, 'budget'> & Pick<typeof trialFlags, 'chromium'>> &
  Pick<WordsOf<typeof outputFlags>, 'format'>;

export const resumeFlags = {
  resume: {
    takes: 'run',
    about: 'go on with a stored run that was stopped',
    inPlans: false,
    onResume: 'may',
    everyday: true,
  },
} as const satisfies Flags;

/**
 * What a stored run asked, with the trials it has. Throws E_USAGE for a flag that the stored plan has decided, E_RUN
 * for a folder that holds no run, E_RESUME for a run that was no search of this kind, or that goes on in another
 * process. The folder is locked from here on, before it is read: what another process would still write is then not
 * missed.
 */
export async function resumeRequest(
  { command, scenario, flags }: CommandRequest<ResumeWords>,
  where: string,
  tool: ToolProcess,
  kinds: readonly ServerKind[],
): Promise<RunRequest> {
  const { format, budget } = valuesOf({ format: outputFlags.format, budget: searchFlags.budget }, flags);
  const typed = command.options.filter((option) => command.getOptionValueSource(option.attributeName()) === 'cli');
  assertNothingDecided(typed);
  const directory = await namedRunFolder(where, tool);
  // Before anything is written into it.
  await assertOwnRun(directory, trustOf(flags));
  if (await holdsRun(directory)) await lockRun(directory);
  try {
    // Simulations have no servers to name.
    const listed = await withListedServers({ server: '', ...flags }, tool, kinds);
    const { env, workingFolder } = tool;
    const names = new Set(typed.map((option) => option.attributeName()));
    const again = { flags: listed, typed: names, env, workingFolder, command: command.name(), where };
    const stored = await openRun(directory, trustOf(flags));
    const { kind, plan } = resumedPlan(stored.manifest, again, kinds);
    if (scenario !== undefined && scenario !== plan.scenario) {
      const todo = `leave the scenario out, or name ${plan.scenario}`;
      throw usageError(`The stored run is of ${plan.scenario}, not of ${scenario}.`, [scenario], todo);
    }
    return {
      ...given({ kind }),
      scenario: scenarioOf(plan) ?? readScenario(plan.scenario),
      plan: budget === undefined ? plan : { ...plan, search: { ...plan.search, budgetMs: budget } },
      chromium: flags.chromium,
      bus: busFlagsOf(flags),
      out: '.',
      format,
      copies: readSinks(flags),
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

function assertNothingDecided(typed: readonly Option[]): void {
  const decided = typed.filter((option) => flagBehind(option)?.onResume === undefined);
  if (decided.length === 0) return;
  const names = decided.map((option) => option.long ?? option.flags);
  const why = 'a resumed run goes on with the plan that it was begun with';
  const todo = 'leave it out, or start a new run with it';
  throw usageError(`${names.join(', ')} cannot be given with --resume.`, names, todo, why);
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
function checkedKind(server: RealServerPlan | ClusterServerPlan, kinds: readonly ServerKind[], where: string) {
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
