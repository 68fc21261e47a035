import type { Drift } from '../../model/answer-parts.js';
import { groupedBy } from '../../model/grouped.js';
import type { Answer, Step, TrialOutcome } from '../../model/run.js';
import type { TrialCost } from '../../model/trial-cost.js';
import { median } from '../statistics/statistics.js';
import { baselineUnstable, record } from './answer.js';
import { baselineFailuresDemanded } from './demand.js';
import { flakySizes, hasPassed, type Landscape, tallyOf } from './landscape.js';
import { attempt, type Situation } from './situation.js';

/** Log of how much better a worsening server must explain the verdicts: to be named (e^3.7 is 40), or looked into. */
const namedFrom = 3.7;
/** From here on (e^5.2 is 180) one failure of one session alone shows that nothing is held any more. */
const surelyFrom = 5.2;
const namedWithCostFrom = 2;
const suspectedFrom = 0;

/** In deviations of a rising cost: alone, where nothing failed yet; and beside verdicts that point there, too. */
const surelyRising = 3.3;
const likelyRising = 2.3;
/** What rises by less over a whole run is not worth another outcome. */
const leastRise = 0.1;

/** A size that tells the two apart is one whose chance to pass differs by as much. */
const tellingDifference = 0.25;
const mostContested = 30;

/** In trials: what is over sooner may have been a bad spell of the machine. */
const longestSpell = 4;

/**
 * Whether the server got worse while it was searched, asked when a size that had passed fails. When the order of the
 * verdicts says so, the search ends; when it hints at it, the size that tells most is tried, one that had passed or one
 * of `untried`: a server that is as it was would pass it, and one that got worse would not.
 *
 * @param untried other sizes that may tell the two apart
 */
export function driftStep(situation: Situation, untried: readonly number[] = []): Step | null {
  const { landscape, history, beliefs } = situation;
  if (landscape.setbacks === 0) return null;
  const belief = beliefs.ageing();
  const isRising = costTrends(history).some((trend) => trend.deviations >= likelyRising && trend.rise >= leastRise);
  const isNamed = belief.weight >= (isRising ? namedWithCostFrom : namedFrom);
  if (isNamed && lastedFor(history) >= longestSpell) {
    return whatItStillHolds(situation, belief.weight) ?? { kind: 'done', answer: driftingAnswer(landscape, history) };
  }
  if (belief.weight < suspectedFrom || landscape.contested > mostContested) return null;
  const passed = landscape.tallies.filter(hasPassed).map(({ size }) => size);
  const telling = [...passed, ...untried].map((size) => ({
    size,
    by: belief.chanceAnyTime(size) - belief.chanceNow(size),
  }));
  const anchor = telling.reduce((most, one) => (one.by > most.by ? one : most), { size: 0, by: tellingDifference });
  if (anchor.size === 0) return null;
  const isNew = !landscape.tallies.some(({ size }) => size === anchor.size);
  const past = isNew
    ? `${anchor.size} was not tried`
    : `${anchor.size} was stable in ${record(landscape, anchor.size)}`;
  return attempt(anchor.size, 'anchor', `${past}: a server that is as it was passes it, one that got worse does not.`);
}

/**
 * One session alone fails too often to go on, though it had passed. A server that got worse may be likelier than one
 * that never was stable. Then it is tried until the first is sure enough to be named, or no longer likelier.
 */
export function baselineGivenUp({ baselineSize, landscape, beliefs }: Situation): Step {
  if (beliefs.ageing().share <= 0.5) return { kind: 'done', answer: baselineUnstable(landscape, baselineSize) };
  const past = `${baselineSize} was stable in ${record(landscape, baselineSize)}`;
  return attempt(
    baselineSize,
    'anchor',
    `${past}: once more, to tell whether the server got worse or never was stable.`,
  );
}

/** From the first to the last failure at or below a size that had passed: a bad spell is short, drift is not. */
function lastedFor(history: readonly TrialOutcome[]): number {
  let largest = 0;
  const fellBack = history.flatMap(({ size, verdict }, index) => {
    if (verdict === 'stable') largest = Math.max(largest, size);
    return verdict === 'unstable' && size <= largest ? [index] : [];
  });
  return (fellBack.at(-1) ?? 0) - (fellBack[0] ?? 0);
}

/**
 * What the server held when it was fresh is known; what it holds in the end is looked for by halves. That it holds
 * nothing any more is said when one session alone has failed as often as ends any other search, or drift is sure.
 */
function whatItStillHolds(situation: Situation, weight: number): Step | null {
  const { options, baselineSize, landscape, history } = situation;
  const { fresh, end } = driftOf(landscape, history);
  if (end || fresh?.failedAgain === undefined) return null;
  const next = Math.max(baselineSize, Math.floor((landscape.smallestFail ?? 0) / 2));
  const needed = weight >= surelyFrom ? 1 : baselineFailuresDemanded(options);
  if (tallyOf(landscape, next).fails >= needed) return null;
  return attempt(next, 'anchor', `The server got worse; is ${next} still stable?`);
}

/**
 * Whether the last judged trial says something of drift: it failed at or below a size that had passed, or it is the
 * smallest that was tried since.
 */
export function bearsOnDrift({ landscape, history }: Situation): boolean {
  const last = history.findLast(({ verdict }) => verdict !== 'void');
  if (last?.verdict === 'unstable') return last.size <= (landscape.largestPass ?? 0);
  return last !== undefined && last.size < (landscape.smallestFail ?? 0);
}

/** An answer stands only on a server that stayed as it was: the same load must not have cost more and more. */
export function unlessCostRises(landscape: Landscape, history: readonly TrialOutcome[], answer: Answer): Answer {
  if (answer.outcome !== 'found' && answer.outcome !== 'reached-max' && answer.outcome !== 'probe-limited')
    return answer;
  const [rising] = costTrends(history).filter(({ of }) => of === 'serverCores' || landscape.setbacks > 0);
  if (!rising || rising.deviations < surelyRising || rising.rise < leastRise) return answer;
  return driftingAnswer(landscape, history);
}

function driftingAnswer(landscape: Landscape, history: readonly TrialOutcome[]): Answer {
  const drift = driftOf(landscape, history);
  const { fresh, end } = drift;
  const then = fresh ? `${fresh.size} was stable in trial ${fresh.trial}` : 'Nothing was stable';
  const failed = fresh?.failedAgain ? ` and unstable in trial ${fresh.failedAgain}` : '';
  const now = end ? `the last that was stable is ${end.size}, in trial ${end.trial}` : 'nothing is stable any more';
  return {
    outcome: 'drifting',
    stable: end?.size ?? 0,
    unstable: landscape.tallies.find(({ size, fails }) => fails > 0 && size > (end?.size ?? 0))?.size ?? null,
    flaky: flakySizes(landscape),
    because: `The server got worse while it was searched: ${then}${failed}; ${now}.`,
    drift,
  };
}

/** What it held when fresh, what at the end, and what the same load cost early and late: observations, no estimates. */
function driftOf(landscape: Landscape, history: readonly TrialOutcome[]): Drift {
  const judged = history.map((trial, index) => ({ ...trial, trial: trial.trial ?? index + 1 }));
  const largest = landscape.largestPass ?? 0;
  const first = judged.find(({ size, verdict }) => size === largest && verdict === 'stable');
  const again = judged.find(
    (one) => first && one.trial > first.trial && one.verdict === 'unstable' && one.size <= first.size,
  );
  const lastFailAt = (size: number) =>
    Math.max(0, ...judged.filter((one) => one.verdict === 'unstable' && one.size <= size).map(({ trial }) => trial));
  const held = judged.filter(
    (one) => one.verdict === 'stable' && again && one.trial > again.trial && one.trial > lastFailAt(one.size),
  );
  const end = held.reduce<(typeof held)[number] | undefined>(
    (most, one) => (one.size >= (most?.size ?? 0) ? one : most),
    undefined,
  );
  return {
    ...(first
      ? { fresh: { size: first.size, trial: first.trial, ...(again ? { failedAgain: again.trial } : {}) } }
      : {}),
    ...(end ? { end: { size: end.size, trial: end.trial } } : {}),
    costs: costTrends(history)
      .filter(isWorthTelling)
      .map(({ of, example }) => ({ of, ...example })),
  };
}

function isWorthTelling({ deviations, rise }: CostTrend): boolean {
  return deviations >= likelyRising && rise >= leastRise;
}

/** What the same load cost the server, early and late. */
interface CostTrend {
  readonly of: keyof TrialCost;
  /** In standard deviations of what chance does. */
  readonly deviations: number;
  /** From the first to the last trial, as a share: 0.2 is a fifth more. */
  readonly rise: number;
  /** The pair of trials of one size that lie furthest apart in time. */
  readonly example: { readonly size: number; readonly early: CostSeen; readonly late: CostSeen };
}

interface CostSeen {
  readonly trial: number;
  readonly value: number;
}

interface SizeCosts {
  readonly size: number;
  readonly costs: readonly CostSeen[];
}

const kinds = ['serverCores', 'serverMemoryMb', 'firstFrameMs'] as const;

/**
 * What rises over trials of one size, the surest first. A seasonal Kendall test (Hirsch, Slack, Smith, Water Resources
 * Research 18 (1982), 107–121) with sizes for seasons: only trials of the same size are held against each other, and
 * only by which is more, so that neither how cost grows with size nor a single odd reading matters. Stable trials alone
 * count: an overloaded server costs what it costs.
 */
function costTrends(history: readonly TrialOutcome[]): CostTrend[] {
  return kinds.flatMap((of) => trendOf(of, history) ?? []).sort((a, b) => b.deviations - a.deviations);
}

function trendOf(of: keyof TrialCost, history: readonly TrialOutcome[]): CostTrend | undefined {
  const sizes = costsBySize(of, history);
  const pairs = sizes.flatMap(({ costs }) => pairsOf(costs));
  const score = pairs.reduce((sum, [early, late]) => sum + Math.sign(late.value - early.value), 0);
  const variance = sizes.reduce((sum, { costs: { length: n } }) => sum + (n * (n - 1) * (2 * n + 5)) / 18, 0);
  const slope = median(pairs.map(([early, late]) => Math.log(late.value / early.value) / (late.trial - early.trial)));
  const furthest = sizes
    .map(({ size, costs }) => ({ size, early: costs[0], late: costs.at(-1) }))
    .reduce<CostTrend['example'] | undefined>(further, undefined);
  if (slope === undefined || furthest === undefined || score <= 1) return undefined;
  const rise = Math.exp(slope * history.length) - 1;
  return { of, deviations: (score - 1) / Math.sqrt(variance), rise, example: furthest };
}

function costsBySize(of: keyof TrialCost, history: readonly TrialOutcome[]): SizeCosts[] {
  const seen = history.flatMap(({ size, verdict, cost, trial }, index) => {
    const value = cost?.[of];
    return verdict !== 'stable' || value === undefined || value <= 0 ? [] : { size, trial: trial ?? index + 1, value };
  });
  return [...groupedBy(seen, ({ size }) => size)]
    .map(([size, costs]) => ({ size, costs }))
    .filter(({ costs }) => costs.length > 1);
}

function pairsOf(costs: readonly CostSeen[]): (readonly [CostSeen, CostSeen])[] {
  return costs.flatMap((early, index) => costs.slice(index + 1).map((late) => [early, late] as const));
}

function further(
  known: CostTrend['example'] | undefined,
  {
    size,
    early,
    late,
  }: { readonly size: number; readonly early: CostSeen | undefined; readonly late: CostSeen | undefined },
): CostTrend['example'] | undefined {
  if (!early || !late) return known;
  const isFurther = !known || late.trial - early.trial > known.late.trial - known.early.trial;
  return isFurther ? { size, early, late } : known;
}
