import type { FinishedRun } from '../../model/finished-run.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { namesNoLimit, type Outcome } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { passesAt } from '../measure/trials-at.js';
import { isOpen } from '../search/result.js';
import { ascending, median } from '../statistics/statistics.js';

export const releaseMarks = {
  limit: { name: 'limit', worse: 'lower', unit: 'count' },
  cores: { name: 'server CPU of one more session', worse: 'higher', unit: 'cores' },
  memory: { name: 'server memory of one more session', worse: 'higher', unit: 'MB' },
  firstFrame: { name: 'time to the first frame, at the limit', worse: 'higher', unit: 'ms' },
} as const;

export type ReleaseMark = keyof typeof releaseMarks;
export const releaseMarkNames = Object.keys(releaseMarks) as readonly ReleaseMark[];

/** What one run says; what it does not say is absent. A difference of two sizes may be below 0, by noise. */
export type ReleaseMarks = Readonly<Partial<Record<ReleaseMark, number>>>;

/** Why a run has no limit; `undefined` where it has one, or may hold more. */
export function noLimitOf({ answer: { outcome } }: FinishedRun): Outcome | undefined {
  return namesNoLimit(outcome) || outcome === 'baseline-unstable' ? outcome : undefined;
}

export function marksOf(run: FinishedRun): ReleaseMarks {
  const { answer, records } = run;
  const stable = (size: number) => passesAt(records, size);
  if (noLimitOf(run) !== undefined) return {};
  const sizes = ascending([...new Set(records.map(({ size }) => size))]).filter((size) => stable(size).length > 0);
  const [smallest] = sizes;
  const largest = sizes.filter((size) => size <= answer.stable).at(-1);
  if (smallest === undefined || largest === undefined) return {};
  // What a server needs for nothing is left out by the difference of two sizes.
  const marginal = (read: (record: TrialRecord) => number | undefined, of = records) => {
    const at = (size: number) => median(passesAt(of, size).flatMap((record) => read(record) ?? []));
    const most = sizes.findLast((size) => size <= largest && at(size) !== undefined) ?? smallest;
    const [low, high] = [at(smallest), at(most)];
    return low === undefined || high === undefined || most === smallest ? undefined : (high - low) / (most - smallest);
  };
  const firstFrames = stable(largest).flatMap(({ probes }) =>
    probes.flatMap(({ join }) => firstFrameWaitMs(join) ?? []),
  );
  const found: Readonly<Record<ReleaseMark, number | undefined>> = {
    // A limit that may be higher than what was shown is none to compare.
    limit:
      answer.outcome === 'found' && answer.unstable !== null && !answer.cutShort && !isOpen(run)
        ? answer.stable
        : undefined,
    cores: marginal(({ load }) => load.serverCoresMean),
    memory: marginal(({ load }) => load.serverRssMbMax, beforeLarger(records)),
    firstFrame: median(firstFrames),
  };
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined));
}

/** Without trials behind a larger one: what a process took for that, it seldom gives back. */
function beforeLarger(records: readonly TrialRecord[]): TrialRecord[] {
  return records.filter(({ size }, nth) => records.slice(0, nth).every((earlier) => earlier.size <= size));
}
