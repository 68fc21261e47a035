import { type Background, fewShare } from '../../model/answer-parts.js';
import type { SearchOptions } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { atLeast } from '../statistics/binomial.js';
import { sum } from '../statistics/statistics.js';
import { edgesBetween } from './explained.js';
import { attempt, type Situation, type Try } from './situation.js';
import { judgedIn } from './unsure.js';

/**
 * In a large crowd somebody always notices something, for reasons apart from the load: then the limit would measure
 * how often dice are thrown. A rate per participant that does not rise with the size is no capacity. Failures that it
 * explains are told as a background, and the search goes on as if these trials had passed.
 *
 * Three kinds of servers are weighed by all that was seen (Bayes' rule). Participants notice something at one rate
 * whatever the size, at a rate that rises with the size, or hardly at all. Each of them is overloaded from some size
 * on. An overload that is larger is noticed by more.
 */

/** Beforehand: of servers that have one, the rates lie evenly by logarithm. Higher ones are a fault to be found. */
const rates = [2e-5, 4e-5, 8e-5, 1.6e-4, 3.2e-4, 6.4e-4, 1.28e-3, 2.5e-3, 5e-3] as const;
const kinds = [
  { likely: 0.3, power: 0 },
  { likely: 0.3, power: 3 },
] as const;
const likelyNone = 0.4;
/** Trials that fail by accident, whatever their size. */
const lapse = 0.03;
/** From an overload of a quarter on, at least this share of the participants notices. */
const leastInOverload = 0.02;
const clearOverload = 0.25;
/** So sure it must be that a failure is none of the size. */
const certainty = 0.95;
/** What is larger by so much tells a background from an overload. */
const tellingFactor = 1.5;

type Counted = TrialOutcome & { readonly noticed: NonNullable<TrialOutcome['noticed']> };

/** The same history, in which failures that are none of the size are passes with `background`. */
export function apartFromBackground(
  { strategy = 'bisect' }: SearchOptions,
  history: readonly TrialOutcome[],
): readonly TrialOutcome[] {
  if (strategy !== 'bisect' || !history.some(isSlight)) return history;
  const shares = backgroundShares(judgedIn(history));
  return history.map((trial) =>
    (shares.get(trial) ?? 0) >= certainty ? { ...trial, verdict: 'stable' as const, background: true as const } : trial,
  );
}

/** A failure that so few noticed may be a background: a larger size, at which an overload would show, tells. */
export function tellingStep({ options, landscape, history }: Situation): Try | null {
  const slight = history.filter(isSlight);
  const [first] = slight.sort((a, b) => b.size - a.size);
  if (!first) return null;
  const top = landscape.ceiling ? landscape.ceiling.size - 1 : options.max;
  const next = Math.min(top, Math.ceil(tellingFactor * first.size));
  const isTold = history.some(({ size, verdict }) => verdict !== 'void' && size >= (1 + clearOverload) * first.size);
  if (isTold || next < (1 + clearOverload) * first.size) return null;
  const { by, of } = first.noticed;
  return attempt(
    next,
    'grow',
    `${by} of ${of} participants noticed something with ${first.size}: do more with ${next}?`,
  );
}

/** An answer with what it takes for no limit, where there is such. */
export function withBackground(answer: Answer, history: readonly TrialOutcome[]): Answer {
  const { stable } = answer;
  const here = history.filter(({ size, verdict }) => verdict === 'stable' && size <= stable);
  const failed = here.filter((trial) => trial.background);
  if (failed.length === 0) return answer;
  const noticed = (trials: readonly TrialOutcome[], of: 'by' | 'of') =>
    sum(trials.map((one) => one.noticed?.[of] ?? 0));
  const counted = (trials: readonly TrialOutcome[]) => ({ by: noticed(trials, 'by'), of: noticed(trials, 'of') });
  const [above, below] = [here.filter((one) => 2 * one.size > stable), here.filter((one) => 2 * one.size <= stable)];
  const background: Background = {
    trials: failed.length,
    atLimit: failed.filter(({ size }) => size === stable).length,
    above: counted(above),
    below: counted(below),
    ...(isShownConstant(below, here) ? {} : { mayRise: true }),
  };
  return { ...answer, background, because: `${answer.because} ${backgroundText(background, stable)}` };
}

/** Whether more of it befell smaller sizes than a rate that rises as the size would have brought there, with 95 %. */
function isShownConstant(below: readonly TrialOutcome[], all: readonly TrialOutcome[]): boolean {
  const rising = (trials: readonly TrialOutcome[]) => sum(trials.map(({ size, noticed }) => size * (noticed?.of ?? 0)));
  const things = (trials: readonly TrialOutcome[]) => sum(trials.map(({ noticed }) => noticed?.apart ?? 0));
  return atLeast(things(below), things(all), rising(below) / rising(all)) < 0.05;
}

/** "4 of 8000 participants noticed something up to 1000, and 23 of 40000 above …" */
export function backgroundText({ above, below, mayRise }: Background, stable: number): string {
  const half = Math.floor(stable / 2);
  const seen = `Background: ${below.by} of ${below.of} participants noticed something in trials with up to ${half}, and ${above.by} of ${above.of} with more`;
  return mayRise
    ? `${seen}. These are too few to tell a rate that stays from one that rises as the size; they are taken for no limit.`
    : `${seen}: a rate that does not rise with the size is no limit.`;
}

function isSlight(trial: TrialOutcome): trial is Counted {
  const { noticed, verdict } = trial;
  return verdict === 'unstable' && noticed !== undefined && noticed.apart <= fewShare * noticed.of;
}

/** Of each failure that was counted, how believable it is that it is none of its size. */
function backgroundShares(judged: readonly TrialOutcome[]): ReadonlyMap<TrialOutcome, number> {
  const sizes = [...new Set(judged.map(({ size }) => size))].sort((a, b) => a - b);
  const edges = edgesBetween(
    sizes.map((size) => ({ at: Math.log(size), passes: 0, fails: 0 })),
    1,
  ).map(({ edge, share }) => ({ size: Math.exp(edge), share }));
  const largest = sizes.at(-1) ?? 1;
  const servers = [
    { rate: 0, power: 0, likely: likelyNone },
    ...kinds.flatMap(({ likely, power }) => rates.map((rate) => ({ rate, power, likely: likely / rates.length }))),
  ];
  const weighed = servers.flatMap(({ rate, power, likely }) => {
    const expected = (trial: TrialOutcome) =>
      (trial.noticed?.of ?? 0) * rate * (power === 0 ? 1 : (trial.size / largest) ** power);
    const calm = judged.map((trial) => calmly(trial, expected(trial)));
    return edges.map((edge) => ({
      isConstant: power === 0,
      edge: edge.size,
      calm,
      log: judged.reduce(
        (sum, trial, nth) => {
          const { chance, accident } = calm[nth] as Calm;
          const here = trial.size < edge.size ? chance + accident : overloaded(trial, edge.size, expected(trial));
          return sum + Math.log(Math.max(1e-12, here));
        },
        Math.log(likely * edge.share),
      ),
    }));
  });
  const most = Math.max(...weighed.map(({ log }) => log));
  const total = weighed.reduce((sum, { log }) => sum + Math.exp(log - most), 0);
  return new Map(
    judged.flatMap((trial, nth): [TrialOutcome, number][] => {
      if (trial.verdict !== 'unstable' || !trial.noticed) return [];
      const share = weighed.reduce((sum, one) => {
        if (!one.isConstant || trial.size >= one.edge) return sum;
        const { chance, accident } = one.calm[nth] as Calm;
        const ofRate = isSlight(trial) ? 1 : chance / (chance + accident);
        return sum + Math.exp(one.log - most) * ofRate;
      }, 0);
      return [[trial, share / total]];
    }),
  );
}

/** How likely what was seen of a trial is where the server is not overloaded: by its rate, and by an accident. */
interface Calm {
  readonly chance: number;
  readonly accident: number;
}

function calmly({ verdict, noticed }: TrialOutcome, expected: number): Calm {
  if (verdict === 'stable') return { chance: (1 - lapse) * Math.exp(-expected), accident: 0 };
  if (!noticed) return { chance: 0, accident: lapse };
  return {
    chance: (1 - lapse) * poisson(noticed.apart, expected),
    accident: lapse * evenly(noticed.apart, 1, noticed.of),
  };
}

function overloaded({ size, verdict, noticed }: TrialOutcome, edge: number, expected: number): number {
  const beyond = size / edge - 1;
  const passes = 0.5 * Math.exp(-beyond / 0.03) + 0.002;
  if (verdict === 'stable') return passes * Math.exp(-expected);
  if (!noticed) return 1 - passes;
  const least = Math.max(1, leastInOverload * noticed.of * Math.min(1, beyond / clearOverload));
  return (1 - passes) * evenly(noticed.apart, least, noticed.of);
}

/** Evenly by logarithm from `least` to `most`. */
function evenly(count: number, least: number, most: number): number {
  if (count < least) return 1e-4;
  return Math.log((count + 1) / count) / Math.log((most + 1) / Math.floor(least));
}

function poisson(count: number, expected: number): number {
  if (expected === 0) return count === 0 ? 1 : 0;
  let log = -expected + count * Math.log(expected);
  for (let k = 2; k <= count; k += 1) log -= Math.log(k);
  return Math.exp(log);
}
