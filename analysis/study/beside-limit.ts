import { firstFrameWaitMs } from '../../model/first-frame.js';
import { given } from '../../model/given.js';
import { loads } from '../../model/load.js';
import { namesNoLimit } from '../../model/run.js';
import { answersAgainLabel, isNearShare, type PlayedStep, type StudyPart, shareOfPart } from '../../model/study.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { comparedRun } from '../compare/compare.js';
import { ofOneProbe } from '../judge/bad-probes.js';
import { confirmingAt, trialsAt } from '../measure/trials-at.js';
import { isOpen } from '../search/result.js';
import { highest, percentile, sum } from '../statistics/statistics.js';
import { type OverRounds, overNumbers, overRounds, type RoundValue } from './rounds.js';

export interface DelayAnswer {
  /** Of 95 % of the received streams, the 95th percentile of the seconds. Absent: frames carried no marks. */
  readonly delayMs?: OverRounds;
  /** By so much at most clocks of hosts leave that open; absent on one clock. */
  readonly delayBoundMs?: number;
}

/** What participants had at a share of the limit. */
export interface LevelAnswer extends DelayAnswer {
  /** Of the limit that the same round found: 50, 80 or 100. */
  readonly percent: number;
  readonly size: OverRounds;
  /** Trials that say something, and those in which somebody noticed something. */
  readonly trials: number;
  readonly noticedIn: number;
  /** Of the participants of the trials that show who, who noticed something; of all, what, the most frequent first. */
  readonly noticed: {
    readonly by: number;
    readonly of: number;
    readonly trials: number;
    readonly what: readonly Reason['code'][];
  };
  /** From the folder of the study. */
  readonly paths: readonly string[];
}

/** Sessions that the server takes on in a second. */
export interface JoinRateAnswer {
  readonly perSecond: OverRounds;
  /** In some round it may be more: search or generator ended first. */
  readonly isAtLeast: boolean;
  readonly paths: readonly string[];
}

/** A server that was killed, and started again. */
export interface RecoveryAnswer {
  /** From the kill until it answers. Of one that the run starts itself: from its start. */
  readonly answersMs: OverRounds;
  /**
   * As many as half of the limit come then. 95 % of those of them who receive had their first frame within it.
   * Absent: in the middle round they never had.
   */
  readonly firstFrameMs?: OverRounds;
  /** Of all rounds, those who receive, and those of them who got nothing. */
  readonly notBack: { readonly by: number; readonly of: number };
  readonly paths: readonly string[];
}

const levels = ['at-50', 'at-80', 'limit'] as const satisfies readonly StudyPart[];

export function levelsOf(played: readonly PlayedStep[], mostSure = 1): LevelAnswer[] {
  return levels.flatMap((part) => {
    const percent = shareOfPart[part] ?? 100;
    const seen = played
      .filter((one) => one.part === part)
      .flatMap(({ path, round, run: { records, answer, manifest } }) => {
        // A try is of the size that it was bound to, behind its baseline.
        const size = part === 'limit' ? answer.stable : manifest.plan.search.max;
        const limit = played.find((one) => one.part === 'limit' && one.round === round)?.run.answer.stable ?? 0;
        if (limit > 0 && !isNearShare(size, limit, percent)) return [];
        const trials = part === 'limit' && namesNoLimit(answer.outcome) ? [] : confirmingAt(records, size);
        return trials.length === 0 ? [] : [{ path, size, trials }];
      });
    const sizes = seen.map((one) => one.size);
    const size = overNumbers(sizes, mostSure);
    if (!size) return [];
    const trials = seen.flatMap((one) => one.trials);
    const isPass = ({ verdict }: TrialRecord) => verdict.kind === 'stable';
    // A round in which all failed counts as late without end.
    const delays = seen.flatMap((one) =>
      one.trials.some(isPass) ? (delayOf(one.trials.filter(isPass)) ?? []) : [Number.POSITIVE_INFINITY],
    );
    const delayMs = finite(delays, mostSure);
    return {
      percent,
      size,
      ...given({ delayMs, delayBoundMs: delayMs && delayBoundOf(trials.filter(isPass)) }),
      trials: trials.length,
      noticedIn: trials.filter((one) => one.verdict.kind === 'unstable' || whoNoticed(one) > 0).length,
      noticed: noticedIn(trials),
      paths: seen.map(({ path }) => path),
    };
  });
}

/** Of rounds of which some were without end; absent where the middle one was. */
function finite(values: readonly number[], mostSure: number): OverRounds | undefined {
  const found = overNumbers(values, mostSure);
  return found && Number.isFinite(found.middle) ? found : undefined;
}

const received = (trials: readonly TrialRecord[], name: 'delayP95Ms' | 'delayBoundMs'): number[] =>
  trials.flatMap(({ streams }) =>
    streams.flatMap(({ direction, kind, values }) =>
      direction === 'receive' && kind !== 'data' ? (values[name] ?? []) : [],
    ),
  );

/** Absent where frames carry no marks of their senders. */
export const delayOf = (trials: readonly TrialRecord[]) => percentile(received(trials, 'delayP95Ms'), 95);

export const delayBoundOf = (trials: readonly TrialRecord[]) => highest(received(trials, 'delayBoundMs'));

function noticedIn(trials: readonly TrialRecord[]): LevelAnswer['noticed'] {
  const counts = new Map<Reason['code'], number>();
  for (const { verdict } of trials) for (const code of codesOf(verdict)) counts.set(code, 1 + (counts.get(code) ?? 0));
  const known = trials.filter(showsWho);
  return {
    by: sum(known.map(whoNoticed)),
    of: sum(known.map(({ probesAsked }) => probesAsked)),
    trials: known.length,
    what: [...counts].sort(([, a], [, b]) => b - a).map(([code]) => code),
  };
}

const isOfBadProbes = ({ id }: ThresholdResult) => id.of === 'bad-probes';

/** Not one that ended before all had noticed what they would, nor one in which what was wrong is of no single one. */
const showsWho = (trial: TrialRecord): boolean =>
  !trial.endedEarly && (trial.verdict.kind === 'stable' || whoNoticed(trial) > 0);

/** What was tolerated is no reason of a verdict: the row of bad probes counts it. */
function whoNoticed({ verdict, probesAsked }: TrialRecord): number {
  const named = new Set(verdict.reasons.filter(ofOneProbe).map(({ probe }) => probe)).size;
  const { worst, unit } = verdict.thresholds.find(isOfBadProbes) ?? {};
  return Math.max(named, unit === '%' ? Math.round(((worst ?? 0) * probesAsked) / 100) : (worst ?? 0));
}

function codesOf({ kind, reasons, thresholds }: TrialRecord['verdict']): Reason['code'][] {
  if (kind !== 'stable' || !thresholds.some(isOfBadProbes)) return reasons.map(({ code }) => code);
  return thresholds.filter(({ passed }) => !passed).map(({ code }) => code);
}

/** Between the largest size that held each time and the smallest that did not; absent where the run names no limit. */
export function limitOf(run: PlayedStep['run']): RoundValue | undefined {
  const { outcome, stable, atLeast, below } = comparedRun(run);
  if (namesNoLimit(outcome)) return undefined;
  const isOpen = below === null || outcome === 'probe-limited';
  return { value: stable, low: atLeast, high: isOpen ? null : Math.max(atLeast, below - 1) };
}

/** The same without an upper end that was seen, and not shown. */
export function shownLimitOf(run: PlayedStep['run']): RoundValue | undefined {
  const limit = limitOf(run);
  return limit && { ...limit, high: isHighOpen(run) ? null : limit.high };
}

/** Whether its search ended before the size that is its upper end failed as often as shows one. */
function isHighOpen(run: PlayedStep['run']): boolean {
  const { cutShort, below } = comparedRun(run);
  const failed = trialsAt(run.records, below ?? 0).filter(({ verdict }) => verdict.kind === 'unstable');
  return cutShort && failed.length < run.manifest.plan.search.refute;
}

export function joinRateOf(played: readonly PlayedStep[], mostSure = 1): JoinRateAnswer | undefined {
  const found = played.flatMap(({ part, path, run }) => {
    const { manifest, answer } = run;
    const { load } = manifest.plan;
    const { perSecond } = loads[load.by];
    const limit = limitOf(run);
    if (part !== 'join-rate' || !perSecond || !limit) return [];
    const mayBeMore = limit.high === null || answer.cutShort === true || isOpen(run);
    const [value, low, high] = [limit.value, limit.low, limit.high ?? limit.value].map((size) => perSecond(load, size));
    return [{ path, value: value ?? 0, low: low ?? 0, high: mayBeMore ? null : (high ?? null), mayBeMore }];
  });
  const perSecond = overRounds(found, mostSure);
  const paths = found.map(({ path }) => path);
  return perSecond && { perSecond, isAtLeast: found.some(({ mayBeMore }) => mayBeMore), paths };
}

export function recoveryOf(played: readonly PlayedStep[], mostSure = 1): RecoveryAnswer | undefined {
  const runs = played.filter(({ part }) => part === 'recovery');
  const answersMs = overNumbers(
    runs.flatMap(({ run: { manifest } }) => {
      const told = Number(manifest.labels?.[answersAgainLabel] ?? Number.NaN);
      return Number.isFinite(told) ? told : (manifest.server.startedInMs ?? []);
    }),
    mostSure,
  );
  if (!answersMs) return undefined;
  const came = runs.map(({ run: { records, manifest } }) =>
    confirmingAt(records, manifest.plan.search.max)
      .flatMap(({ probes }) => probes)
      .filter(({ participant }) => participant.legs.some((leg) => leg.receives.length > 0))
      // Whoever got nothing waited longer than all others.
      .map(({ join }) => firstFrameWaitMs(join) ?? Number.POSITIVE_INFINITY),
  );
  // A round in which somebody within the 95 % got nothing has no upper end, and is a round all the same.
  const slowest = came.flatMap((times) => percentile(times, 95) ?? []);
  const firstFrameMs = finite(slowest, mostSure);
  const all = came.flat();
  return {
    answersMs,
    ...given({ firstFrameMs }),
    notBack: { by: all.filter((ms) => !Number.isFinite(ms)).length, of: all.length },
    paths: runs.map(({ path }) => path),
  };
}
