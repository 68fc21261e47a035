import { Command } from 'commander';
import { likelyMinutes, type PlanCost, planCost } from '../../analysis/needs/plan-cost.js';
import { costsOn } from '../../analysis/needs/probe-costs.js';
import type { MissingSecret } from '../../model/environment.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { firstServer, isSimulated } from '../../model/plan.js';
import { isNearShare, type StudyCell, type StudyPart, shareOfPart, sizeAtShare } from '../../model/study.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { addFlags, flagBehind, typed, valuesOf } from '../options/flag.js';
import { withListedServers } from '../options/listed-servers.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../options/search-request.js';
import { memberFlags, sessionOf } from '../options/session-flags.js';
import { simulationFlags } from '../options/simulation-flags.js';
import { faultsIn } from '../options/together.js';
import type { PlanKey } from '../plan-file/plan-keys.js';
import { type PlanProblem, wrongFile } from '../plan-file/plan-problem.js';
import { applyPlan } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { applyProfile } from '../profiles/index.js';
import { checkedFit, isCarriedHere, namedSize } from '../wiring/host-fit.js';
import { calibratedFor } from '../wiring/visit-calibration-file.js';
import { type PlanValues, type StudyPlan, type StudyServer, studyTodo } from './study-file.js';

/** Who signals alone has no media, and other sizes in its search. What else is refused there, the run tells. */
const notOfJoins: ReadonlySet<string> = new Set([
  ...['media', 'sentinels', 'fullShare', 'videoKbps', 'resolution', 'codec', 'simulcast', 'svc', 'layer', 'speech'],
  ...['warmUp', 'settle', 'strategy', 'sizes', 'from', 'max', 'within', 'holdAtLimit', 'pace', 'probesPerPage'],
]);

/** Of the run that finds how many sessions of a cell join in a second. */
function arrivingPlan(plan: PlanValues, joins: PlanValues): PlanValues {
  const asked = Object.entries(plan).filter(([key]) => !notOfJoins.has(key));
  return { ...Object.fromEntries(asked), by: 'arrivals', media: 'none', ...joins };
}

/** What runs of a cell are asked: plan files, that `loadline find` and `try` read without the study, too. */
export interface CellPlan {
  readonly cell: StudyCell;
  readonly server: StudyServer;
  readonly plan: PlanValues;
  /** Of the run that finds how many join in a second. */
  readonly joins: PlanValues;
}

/** A cell whose plan was checked; `minutes` of one run, absent where that cannot be foreseen. */
export interface CheckedCell extends CellPlan {
  readonly minutes?: PlanCost['minutes'];
  /** The most where the probes of this host end it; absent where they do not, or nobody knows. */
  readonly likelyMinutes?: number;
  /** What its server lets nobody in without, and the environment lacks. */
  readonly missing?: MissingSecret;
}

function cellPlan(study: StudyPlan, cell: StudyCell): CellPlan {
  const server = study.servers.find(({ name }) => name === cell.server);
  if (!server) throw new LoadlineError('E_INTERNAL', `The study has no server "${cell.server}".`);
  const setting = study.settings.find(({ name }) => name === cell.setting)?.plan ?? {};
  const plan = { scenario: cell.scenario, ...study.plan, ...setting, ...server.plan };
  return { cell, server, plan, joins: arrivingPlan(plan, study.joins) };
}

interface StepPlace {
  readonly part: StudyPart;
  readonly round: number;
  readonly seed: number;
  readonly out: string;
  /** Of this round; a share of it is tried. Not looked at for what finds one. */
  readonly limit: number;
  readonly labels: readonly string[];
  /** The process of a server that the study has started. */
  readonly serverPid?: number | undefined;
}

/** How the command line asks for the run. A simulated server is another one in each round, as a real one would be. */
export function argumentsOf({ cell, server, plan }: CellPlan, file: string, at: StepPlace): string[] {
  const { part, round, seed, out, limit, serverPid } = at;
  const { simulate, cores, memoryBytes } = server;
  // The run reads of its control groups what it was given, where the plan does not say which process it is.
  const isHeld = serverPid !== undefined && (cores ?? memoryBytes) !== undefined && plan.server !== undefined;
  const isNamed = plan.serverPid !== undefined || plan.serverName !== undefined;
  const held = isHeld && !isNamed ? ['--server-pid', String(serverPid)] : [];
  const share = shareOfPart[part];
  const sized = share === undefined ? [] : ['--size', String(sizeAtShare(share, limit))];
  const labels = [`cell=${cell.id}`, `round=${round}`, `part=${part}`, ...at.labels];
  const where = [...sized, ...held, '--out', out, '--format', 'json', ...labels.flatMap((label) => ['--label', label])];
  if (!simulate) return [share === undefined ? 'find' : 'try', file, ...where];
  const options = addFlags(new Command('simulate'), simulationFlags).options;
  const flags = Object.entries(simulate).flatMap(([key, value]) => {
    const option = options.find((one) => one.attributeName() === key);
    return [typed(key, option && flagBehind(option)), Array.isArray(value) ? value.join(',') : String(value)];
  });
  return ['simulate', file, ...flags, '--seed', String(seedOf(cell.id, round, seed)), ...where];
}

/** Throws with the reason why there is no such figure of the cell. */
export function assertPossible(
  part: StudyPart,
  { server: { name, simulate, start, plan } }: CellPlan,
  limit: number,
): void {
  if (part === 'limit') return;
  if (simulate && (part === 'join-rate' || part === 'recovery'))
    throw new Error(`${name} is simulated: nobody signals to it, and it cannot be killed.`);
  if (part === 'recovery' && start === undefined && plan.server !== undefined)
    throw new Error(`${name} was started by others, so the study cannot kill it: give it start.`);
  if (part !== 'join-rate' && limit === 0) throw new Error('Its run of this round names no limit to take a share of.');
  const share = part === 'recovery' ? undefined : shareOfPart[part];
  if (share !== undefined && !isNearShare(sizeAtShare(share, limit), limit, share))
    throw new Error(`No size is near ${share} % of its limit of ${limit}.`);
}

/** Another one for each cell and round; the same for the same study. */
function seedOf(id: string, round: number, seed: number): number {
  return [...`${id} ${round} ${seed}`].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 1_000_000, 7);
}

/**
 * Reads the plan of each cell as `find` would, so that nothing that is wrong shows in the middle of the night. Throws
 * E_PLAN with all that is.
 */
export async function checkedCells(
  study: StudyPlan,
  cells: readonly StudyCell[],
  { keys, kinds, tool }: { readonly keys: readonly PlanKey[]; readonly kinds: Kinds; readonly tool: ToolProcess },
): Promise<CheckedCell[]> {
  const problems: PlanProblem[] = [];
  const checked: CheckedCell[] = [];
  for (const cell of cells) {
    const one = cellPlan(study, cell);
    try {
      if (one.server.simulate) assertSession(one);
      checked.push(one.server.simulate ? one : { ...one, ...(await readCell(one, keys, kinds, tool)) });
    } catch (error) {
      if (!(error instanceof LoadlineError)) throw error;
      const place = study.placeOf('servers', study.servers.indexOf(one.server)) ?? { line: 1, column: 1 };
      problems.push(...faultsIn(error).map(({ message }) => ({ ...place, text: `${cell.id}: ${message}` })));
    }
  }
  if (problems.length > 0) throw wrongFile(study.path, studyTodo, problems);
  return checked;
}

/** Throws for members of a session that its scenario does not take, also where the server is simulated. */
function assertSession({ cell, plan }: CellPlan): void {
  const words = Object.keys(memberFlags).map((key) => [key, plan[key] === undefined ? undefined : String(plan[key])]);
  sessionOf(cell.scenario, valuesOf(memberFlags, Object.fromEntries(words)), { records: false });
}

async function readCell({ cell, plan }: CellPlan, keys: readonly PlanKey[], kinds: Kinds, tool: ToolProcess) {
  const command = addSearchFlags(new Command('find'), kinds);
  applyPlan(command, keys, plan);
  applyProfile(command, cell.scenario);
  const words = await withListedServers(command.opts<SearchWords>(), tool, kinds);
  const request = readSearchRequest(cell.scenario, words, kinds);
  const { plan: asked, scenario, kind } = request;
  const missing = kind && !isSimulated(asked.server) ? kind.missing?.(firstServer(asked.server), tool.env) : undefined;
  const fit = isCarriedHere(asked)
    ? await checkedFit(asked, scenario, namedSize(asked), await calibratedFor(asked, scenario, tool))
    : undefined;
  const { minutes } = planCost(asked, scenario, costsOn({}));
  return given({ missing, minutes, likelyMinutes: fit && likelyMinutes(asked, scenario, fit) });
}
