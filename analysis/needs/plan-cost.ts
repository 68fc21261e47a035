import type { Plan } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import type { Scenario } from '../../model/scenario.js';
import { spareMemoryMb } from '../judge/host-reasons.js';
import { nextStep, trialBound } from '../search/search.js';
import { type HostNeeds, hostNeeds } from './host-needs.js';
import { type CostedHost, type CpuFit, costsOn, type ProbeCosts, statedCosts } from './probe-costs.js';
import { countedPlan, samplesMbOf, totalMs } from './trials-cost.js';

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What a plan costs when no trial contradicts another and none is void. */
export interface PlanCost {
  readonly trials: Range;
  /** Of trials alone, with the shortest and the longest settling; a budget cuts the longest. */
  readonly minutes: Range;
  /** What samples take on disk at most; an estimate. */
  readonly diskMb: number;
  readonly largest: HostNeeds;
}

/** What the host that plays the probes has to give; absent where it could not be read. */
export interface HostRoom extends CostedHost {
  readonly memoryMb?: number;
  readonly udpPorts?: number;
  readonly openFiles?: number;
}

export interface Shortage {
  readonly what: 'memory' | 'UDP ports' | 'open files' | 'CPU';
  readonly needed: number;
  readonly available: number;
  readonly unit: string;
}

/** The shortest that settling can be: two spans of 4 s are compared. */
export const shortestSettleMs = 8000;
/**
 * To estimate the number of trials, a search is played through for this many limits; more would not change the
 * shortest and the longest.
 */
const playedLimits = 24;

export function planCost(plan: Plan, scenario: Scenario, costs: ProbeCosts = statedCosts): PlanCost {
  const { timing, search } = plan;
  const played = limitsToPlay(plan, scenario).map((limit) => sizesOf(plan, scenario, limit));
  const asked = countedPlan(plan, scenario);
  const longest = played.map((sizes) => totalMs(asked, sizes, timing.settleMs));
  const shortest = played.map((sizes) => totalMs(asked, sizes, Math.min(shortestSettleMs, timing.settleMs)));
  const counts = played.map((sizes) => sizes.length);
  const budgetMs = search.budgetMs ?? Number.POSITIVE_INFINITY;
  const most = Math.max(...counts, trialBound(search, scenario.baselineSize).clean);
  // No trial is begun that would end after the budget; the first is, for a budget has room for one.
  const begun = (sizes: readonly number[], settleMs: number) =>
    Math.max(
      1,
      largestThat(sizes.length, (count) => totalMs(asked, sizes.slice(0, count), settleMs) <= budgetMs),
    );
  const smallest = Array<number>(most).fill(scenario.baselineSize);
  return {
    trials: {
      min: Math.min(...played.map((sizes) => begun(sizes, timing.settleMs))),
      max: begun(smallest, Math.min(shortestSettleMs, timing.settleMs)),
    },
    minutes: {
      min: Math.min(budgetMs, ...shortest) / 60_000,
      max: Math.min(budgetMs, Math.max(...longest, totalMs(asked, smallest, timing.settleMs))) / 60_000,
    },
    diskMb: Math.max(...played.map((sizes) => samplesMbOf(asked, sizes))),
    largest: hostNeeds(plan, scenario, largestSize(plan, scenario), costs),
  };
}

/** No search tries more than this. */
export function largestSize({ search }: Plan, { baselineSize }: Scenario): number {
  return Math.max(baselineSize, search.strategy === 'fixed' ? Math.max(...(search.sizes ?? [1])) : search.max);
}

/** What does not fit, CPU left aside; empty when all does. */
export function shortages(needs: HostNeeds, room: HostRoom): readonly Shortage[] {
  const memory = room.memoryMb === undefined ? undefined : Math.max(0, room.memoryMb - spareMemoryMb);
  const rows = [
    { what: 'memory', needed: needs.memoryMb + needs.conductorMb, available: memory, unit: 'MiB' },
    { what: 'UDP ports', needed: needs.udpPorts, available: room.udpPorts, unit: 'ports' },
    { what: 'open files', needed: needs.openFiles, available: room.openFiles, unit: 'files' },
  ] as const;
  return rows.flatMap(({ available, ...row }) =>
    available === undefined || row.needed <= available ? [] : [{ ...row, available }],
  );
}

/** The largest size, up to that of the plan, that this host has memory, ports and files for; 0 when none. */
export function largestFitting(plan: Plan, scenario: Scenario, room: HostRoom): number {
  const fits = (size: number) => shortages(hostNeeds(plan, scenario, size, costsOn(room)), room).length === 0;
  return largestThat(largestSize(plan, scenario), fits);
}

/** The largest size up to `largest` that fits, where every smaller one does, too; 0 when none. */
export function largestThat(largest: number, isFitting: (size: number) => boolean): number {
  let [fits, tooLarge] = [0, largest + 1];
  while (tooLarge - fits > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    if (isFitting(middle)) fits = middle;
    else tooLarge = middle;
  }
  return fits;
}

export interface HostFit {
  readonly largest: HostNeeds;
  readonly room: HostRoom;
  /** The largest size that the host has memory, ports and files for, up to the plan's largest. */
  readonly fitting: number;
  /** How far its CPU is expected to reach; absent where that was not asked, or nobody knows. */
  readonly cpu?: CpuFit;
}

export function hostFit(plan: Plan, scenario: Scenario, room: HostRoom): HostFit {
  const largest = hostNeeds(plan, scenario, largestSize(plan, scenario), costsOn(room));
  return { largest, room, fitting: largestFitting(plan, scenario, room) };
}

/** The longest search that ends where the host's probes run out; absent where they carry the largest size. */
export function likelyMinutes(plan: Plan, scenario: Scenario, { fitting, cpu }: HostFit): number | undefined {
  const most = Math.min(fitting, cpu?.fitting ?? fitting);
  const isOpen = plan.search.strategy !== 'fixed' && most >= scenario.baselineSize;
  if (!isOpen || most >= largestSize(plan, scenario)) return undefined;
  const limits = [...limitsToPlay(plan, scenario).filter((limit) => limit < most), most];
  const asked = countedPlan(plan, scenario);
  const longestMs = Math.max(
    ...limits.map((limit) => totalMs(asked, sizesOf(plan, scenario, limit), plan.timing.settleMs)),
  );
  return Math.min(plan.search.budgetMs ?? Number.POSITIVE_INFINITY, longestMs) / 60_000;
}

/** Limits from the baseline to beyond the largest size, evenly in their logarithm. */
function limitsToPlay(plan: Plan, scenario: Scenario): number[] {
  const [low, high] = [scenario.baselineSize, largestSize(plan, scenario)];
  const spread = Array.from({ length: playedLimits }, (_, index) =>
    Math.round(low * (high / low) ** (index / (playedLimits - 1))),
  );
  return [...new Set([...spread, high - 1, high])].filter((limit) => limit >= low);
}

/** The sizes that the search tries on a server that holds exactly so many. */
function sizesOf({ search }: Plan, { baselineSize }: Scenario, limit: number): number[] {
  const history: TrialOutcome[] = [];
  const most = trialBound(search, baselineSize).most;
  while (history.length < most) {
    const step = nextStep(search, baselineSize, history);
    if (step.kind === 'done') break;
    const held = step.holdMs === undefined ? {} : { held: true as const };
    history.push({ size: step.size, verdict: step.size <= limit ? 'stable' : 'unstable', ...held });
  }
  return history.map(({ size }) => size);
}
