import type { Timing } from '../../model/plan.js';
import type { TrialRecord } from '../../model/trial.js';
import { percentile } from '../statistics/statistics.js';

/** Most participants per second: every measured kind of server answered so many as soon (docs/lab/signalling.md). */
const fastest = 50;
/**
 * Cap for small trials, for which joining may take `joinedWithinSeconds`. A host that carries hundreds of probes can
 * start more a second; one that carries a hundred is not asked to.
 */
const fastestOfFew = 16;
const joinedWithinSeconds = 15;
/** Times to answer are flat as long as the slowest twentieth stays within this of what it was in the first trial. */
const flatFactor = 1.5;
const flatSlackMs = 100;

/** A trial, as the next pace hangs on it. */
export interface PacedTrial {
  readonly pacePerSecond: number;
  readonly stable: boolean;
  /** The slowest twentieth of the answers; absent where nothing was answered. */
  readonly answersMs?: number | undefined;
  /** Joining alone failed, at a pace that the plan does not ask for. */
  readonly hurried?: boolean | undefined;
  /** The probe side ran out. */
  readonly exhausted?: boolean | undefined;
}

/**
 * How fast participants join in the next trial (`--pace auto`): twice as fast after each stable trial in which the
 * server answered as soon as in the first, half as fast where it did not, or where the probe side ran out, and for good
 * as slow as the plan has it once somebody who joined faster failed to join. Pure, so that a resumed run goes on as it
 * would have.
 *
 * @param probes that join in the next trial
 */
export function nextPace(timing: Timing, records: readonly TrialRecord[], probes: number): number {
  return timing.autoPace ? paceAfter(timing, records.map(pacedTrial(timing)), probes) : timing.pacePerSecond;
}

function pacedTrial({ pacePerSecond }: Timing) {
  return ({ pacePerSecond: had, probes, verdict }: TrialRecord): PacedTrial => {
    const answers = probes.flatMap(({ join }) => join.answerMs ?? []);
    return {
      pacePerSecond: had ?? pacePerSecond,
      stable: verdict.kind === 'stable',
      answersMs: percentile(answers, 95),
      hurried: verdict.reasons.some(({ code }) => code === 'hurried'),
      exhausted: verdict.probesExhausted,
    };
  };
}

/** The same of what counts of each trial. */
export function paceAfter(
  { pacePerSecond }: Pick<Timing, 'pacePerSecond'>,
  trials: readonly PacedTrial[],
  probes: number,
): number {
  let [pace, most, usualMs] = [pacePerSecond, Math.max(fastest, pacePerSecond), undefined as number | undefined];
  for (const { pacePerSecond: had, stable, answersMs, hurried, exhausted } of trials) {
    if (answersMs !== undefined) usualMs ??= answersMs;
    const isSlow = answersMs !== undefined && answersMs > flatFactor * (usualMs ?? answersMs) + flatSlackMs;
    if (hurried) most = pacePerSecond;
    else if (had > pacePerSecond && (isSlow || exhausted)) most = Math.max(pacePerSecond, Math.min(most, had / 2));
    else if (stable && !isSlow) pace = Math.max(pace, 2 * had);
    pace = Math.min(pace, most);
  }
  return Math.min(pace, Math.max(pacePerSecond, fastestOfFew, probes / joinedWithinSeconds));
}
