import type { Calibration, KindCalibration } from '../../model/calibration.js';
import { isSimulated, type Plan } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { spareMemoryMb } from '../judge/host-reasons.js';
import { warmUpsOf } from '../measure/warm-ups.js';
import { nextStep, trialBound } from './search.js';

export interface Range {
  readonly min: number;
  readonly max: number;
}

/** What the trials of one size need of the host that plays the probes. */
export interface HostNeeds {
  readonly size: number;
  readonly probes: number;
  readonly pages: number;
  readonly browsers: number;
  readonly memoryMb: number;
  /** Said, never held against a plan: a search ends by itself where the probes run out of them. */
  readonly cores: number;
  /** Of the probes, and of the media server where it runs on the same host. */
  readonly udpPorts: number;
  /** Of the one process that holds most of them. */
  readonly openFiles: number;
}

/** What a plan costs when no trial contradicts another and none is void. */
export interface PlanCost {
  readonly trials: Range;
  /** Of trials alone, with the shortest and the longest settling; a budget cuts the longest. */
  readonly minutes: Range;
  readonly largest: HostNeeds;
}

/** What the host that plays the probes has to give; absent where it could not be read. */
export interface HostRoom {
  readonly memoryMb?: number;
  readonly udpPorts?: number;
  readonly openFiles?: number;
  /** What `loadline calibrate` found on this host. */
  readonly calibrated?: Pick<Calibration, 'full' | 'encoded'>;
  /** Said, never held against a plan: a search ends by itself where the probes run out of them. */
  readonly cores?: number;
}

export interface Shortage {
  readonly what: 'memory' | 'UDP ports' | 'open files';
  readonly needed: number;
  readonly available: number;
  readonly unit: string;
}

/** What a probe costs, by its kind: measured, `docs/bench-density.md`; or on this host, by `loadline calibrate`. */
export interface ProbeCost {
  readonly coresPerProbe: number;
  readonly probeMb: number;
  /** Of an empty browser; 0 where it is in `probeMb`. */
  readonly browserMb: number;
}

/** Of a full probe; `docs/bench-density.md`. */
export const coresPerProbe = 0.2;

export const probeCosts: ProbeCosts = {
  full: { coresPerProbe, probeMb: 28, browserMb: 250 },
  encoded: { coresPerProbe: 0.05, probeMb: 19, browserMb: 250 },
};

/** Of a kind on a host that was calibrated. */
const measuredCost = ({ coresPerProbe, mbPerProbe }: KindCalibration): ProbeCost => ({
  coresPerProbe,
  probeMb: mbPerProbe,
  browserMb: 0,
});

export interface ProbeCosts {
  readonly full: ProbeCost;
  readonly encoded: ProbeCost;
}

/** As measured on this host, else as measured on another. */
export function costsOn({ calibrated }: HostRoom): ProbeCosts {
  if (!calibrated) return probeCosts;
  return { full: measuredCost(calibrated.full), encoded: measuredCost(calibrated.encoded) };
}
/** A browser's or a server's own files, sockets and pipes. */
const ownFiles = 256;
/** The shortest that settling can be: two spans of 4 s are compared. */
const shortestSettleMs = 8000;
/** Reset before and leaving after. */
const aroundMs = 3000;
/** A warm-up beside the pace: a browser starts, a cold server's joins (4.9 s were seen of a Kurento), and a reset. */
const warmUpMs = 9000;
/** A search is played through for so many limits; more would not move its ends. */
const playedLimits = 24;

export function planCost(plan: Plan, scenario: Scenario, costs: ProbeCosts = probeCosts): PlanCost {
  const { timing, search } = plan;
  const played = limitsToPlay(plan, scenario).map((limit) => sizesOf(plan, scenario, limit));
  const longest = played.map((sizes) => totalMs(plan, scenario, sizes, timing.settleMs));
  const shortest = played.map((sizes) => totalMs(plan, scenario, sizes, Math.min(shortestSettleMs, timing.settleMs)));
  const counts = played.map((sizes) => sizes.length);
  const budgetMs = search.budgetMs ?? Number.POSITIVE_INFINITY;
  return {
    trials: { min: Math.min(...counts), max: Math.max(...counts, trialBound(search, scenario.baselineSize).clean) },
    minutes: {
      min: Math.min(budgetMs, ...shortest) / 60_000,
      max: Math.min(budgetMs, Math.max(...longest)) / 60_000,
    },
    largest: hostNeeds(plan, scenario, largestSize(plan, scenario), costs),
  };
}

/** No search tries more than this. */
export function largestSize({ search }: Plan, { baselineSize }: Scenario): number {
  return Math.max(baselineSize, search.strategy === 'fixed' ? Math.max(...(search.sizes ?? [1])) : search.max);
}

export function hostNeeds(plan: Plan, scenario: Scenario, size: number, costs: ProbeCosts = probeCosts): HostNeeds {
  const [one, two] = [1, 2].map((few) => participantsOf(scenario.sessions(few)));
  const grown = (count: (participants: NonNullable<typeof one>) => number) => {
    const [first, second] = [one ? count(one) : 0, two ? count(two) : 0];
    return first + (size - 1) * (second - first);
  };
  const probes = grown((participants) => participants.length);
  const legs = grown((participants) => participants.reduce((sum, { legs: own }) => sum + own.length, 0));
  const full = plan.encoded ? Math.ceil(probes * plan.encoded.fullShare) : probes;
  const kinds = [
    { count: full, cost: costs.full },
    { count: probes - full, cost: costs.encoded },
  ].map(({ count, cost }) => {
    const pages = Math.ceil(count / plan.probesPerPage);
    const browsers = Math.ceil(pages / plan.pagesPerBrowser);
    return {
      pages,
      browsers,
      memoryMb: browsers * cost.browserMb + count * cost.probeMb,
      cores: count * cost.coresPerProbe,
    };
  });
  const together = (of: (kind: (typeof kinds)[number]) => number) => kinds.reduce((sum, kind) => sum + of(kind), 0);
  const pages = together((kind) => kind.pages);
  const browsers = together((kind) => kind.browsers);
  const onThisHost = startedHere(plan);
  const legsPerBrowser = Math.ceil(legs / Math.max(1, browsers));
  return {
    size,
    probes,
    pages,
    browsers,
    memoryMb: Math.round(together((kind) => kind.memoryMb)),
    cores: together((kind) => kind.cores),
    udpPorts: legs * (onThisHost ? 2 : 1),
    openFiles: ownFiles + (onThisHost ? legs : legsPerBrowser),
  };
}

/** A server with an address is there already; it may be on this host, which nobody knows before it is asked. */
function startedHere({ server }: Plan): boolean {
  return !isSimulated(server) && server.url === undefined;
}

/** What does not fit; empty when all does. */
export function shortages(needs: HostNeeds, room: HostRoom): readonly Shortage[] {
  const memory = room.memoryMb === undefined ? undefined : Math.max(0, room.memoryMb - spareMemoryMb);
  const rows = [
    { what: 'memory', needed: needs.memoryMb, available: memory, unit: 'MiB' },
    { what: 'UDP ports', needed: needs.udpPorts, available: room.udpPorts, unit: 'ports' },
    { what: 'open files', needed: needs.openFiles, available: room.openFiles, unit: 'files' },
  ] as const;
  return rows.flatMap(({ available, ...row }) =>
    available === undefined || row.needed <= available ? [] : [{ ...row, available }],
  );
}

/** The largest size, up to that of the plan, that this host has room for; 0 when none. */
export function largestFitting(plan: Plan, scenario: Scenario, room: HostRoom): number {
  let [fits, tooLarge] = [0, largestSize(plan, scenario) + 1];
  while (tooLarge - fits > 1) {
    const middle = Math.floor((fits + tooLarge) / 2);
    if (shortages(hostNeeds(plan, scenario, middle, costsOn(room)), room).length === 0) fits = middle;
    else tooLarge = middle;
  }
  return fits;
}

/** How much of a plan a host has room for. */
export interface HostFit {
  readonly largest: HostNeeds;
  readonly room: HostRoom;
  /** The largest size that the host has room for, up to the plan's largest. */
  readonly fitting: number;
}

export function hostFit(plan: Plan, scenario: Scenario, room: HostRoom): HostFit {
  const largest = hostNeeds(plan, scenario, largestSize(plan, scenario), costsOn(room));
  return { largest, room, fitting: largestFitting(plan, scenario, room) };
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
    history.push({ size: step.size, verdict: step.size <= limit ? 'stable' : 'unstable' });
  }
  return history.map(({ size }) => size);
}

function totalMs(plan: Plan, scenario: Scenario, sizes: readonly number[], settleMs: number): number {
  const { pacePerSecond, measureMs } = plan.timing;
  const joinMs = (size: number) => (1000 * hostNeeds(plan, scenario, size).probes) / pacePerSecond;
  const warmUps = { none: 0, first: Math.min(1, sizes.length), each: sizes.length }[warmUpsOf(plan)];
  const trialsMs = sizes.reduce((sum, size) => sum + joinMs(size) + settleMs + measureMs + aroundMs, 0);
  return trialsMs + warmUps * (joinMs(scenario.baselineSize) + warmUpMs);
}
