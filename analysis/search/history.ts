import type { Noticed } from '../../model/answer-parts.js';
import { firstFrameWaitMs } from '../../model/first-frame.js';
import { given } from '../../model/given.js';
import type { HeadroomLevel } from '../../model/headroom.js';
import type { TrialOutcome } from '../../model/run.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Margin, TrialCost } from '../../model/trial-cost.js';
import { isConfirming, type ThresholdResult, type Verdict } from '../../model/verdict.js';
import { ofOneProbe } from '../judge/bad-probes.js';
import { levelOfValues } from '../judge/levels.js';
import { neverConnected } from '../judge/never-connected.js';
import { usedPercentOf } from '../judge/summary.js';
import { median } from '../statistics/statistics.js';
import { worstHeadroom } from './search.js';

/**
 * The past of a search as its records tell it, stored or new: the same records give the same next step. A trial that
 * someone interrupted is left out; it says nothing of the server, and nothing of the probes either. So is a drill,
 * which comes after the search.
 */
export function historyOf(records: readonly TrialRecord[]): TrialOutcome[] {
  // The first trial joins as the plan has it.
  const planPace = records[0]?.pacePerSecond ?? Number.POSITIVE_INFINITY;
  return records
    .filter((record) => !record.drill && !wasInterrupted(record))
    .map((record) => outcomeOf(record, (record.pacePerSecond ?? 0) > planPace));
}

function outcomeOf(record: TrialRecord, wasHasty: boolean): TrialOutcome {
  const { size, index, verdict, end } = record;
  const { kind, probesExhausted, disturbedBy } = verdict;
  const isStable = kind === 'stable';
  return {
    size,
    verdict: kind,
    trial: index,
    ...given({
      probesExhausted,
      headroom: isStable ? worstHeadroom(verdict.thresholds.flatMap(levelsOf)) : undefined,
      cost: isStable ? costOf(record) : undefined,
      faint: kind === 'unstable' && isFaint(verdict) ? (true as const) : undefined,
      ...(isStable ? {} : unreachedIn(record)),
      lost: end?.kind === 'server-lost' ? (true as const) : undefined,
      margins: kind === 'void' ? undefined : marginsSeen(verdict),
      used: record.used,
      screened: isStable && !isConfirming(record) ? (true as const) : undefined,
      disturbed: disturbedBy ? (true as const) : undefined,
      held: record.heldMs === undefined ? undefined : (true as const),
      foresees: record.foresees,
      noticed: noticedIn(record),
      hasty: wasHasty ? (true as const) : undefined,
    }),
  };
}

function unreachedIn(record: TrialRecord): Partial<Pick<TrialOutcome, 'unreached' | 'wayless'>> {
  const never = neverConnected(record);
  if (!never) return {};
  const { because, isSure } = never;
  const isDisturbed = record.verdict.discardsFailure;
  return {
    unreached: isDisturbed ? `${because} The probe side was disturbed, too.` : because,
    ...(isSure ? { wayless: isSure } : {}),
  };
}

/** How far each threshold was used up that has a value. Times to join do not follow the size. */
function marginsSeen({ thresholds }: Verdict): readonly Margin[] {
  return thresholds.flatMap((result) => {
    const usedPercent = result.limit > 0 && result.id.of !== 'join' ? usedPercentOf(result) : undefined;
    return usedPercent === undefined ? [] : { threshold: thresholdKey(result.id), label: result.label, usedPercent };
  });
}

/** What the load took; what was not read is absent. */
function costOf({ load, probes }: TrialRecord): TrialCost {
  const firstFrameMs = median(probes.flatMap(({ join }) => firstFrameWaitMs(join) ?? []));
  const { serverCoresMean, serverRssMbMax } = load;
  return {
    ...given({ serverCores: serverCoresMean, serverMemoryMb: serverRssMbMax, firstFrameMs }),
  };
}

/**
 * Who was there, and who noticed something. Absent where that is not known. So it is where the trial ended before its
 * time, bad probes were allowed for, participants were not listed, or what was wrong is of no single one of them.
 */
function noticedIn({ verdict, probes, probesAsked: of, endedEarly, screened }: TrialRecord): Noticed | undefined {
  const { kind, reasons, thresholds } = verdict;
  if (kind === 'void' || endedEarly || screened || probes.length === 0) return undefined;
  if (!reasons.every(ofOneProbe) || thresholds.some(({ id }) => id.of === 'bad-probes')) return undefined;
  const who = new Set(reasons.map(({ probe }) => probe));
  const sessions = new Map(probes.map(({ participant: { id, session } }) => [id, session]));
  const apart = new Set(reasons.map(({ probe = '' }) => sessions.get(probe)));
  return { by: who.size, of, apart: new Set(sessions.values()).size > 1 ? apart.size : who.size };
}

/** One thing at one probe, at most half of the limit beyond it: one freeze of 0.31 s where 0.24 s are allowed. */
function isFaint({ reasons }: Verdict): boolean {
  const [reason] = reasons;
  if (reasons.length !== 1 || !reason?.probe) return false;
  const { measured, limit } = reason;
  if (measured === undefined || limit === undefined || measured <= 0 || limit <= 0) return false;
  return Math.max(measured / limit, limit / measured) <= mostOfFaint;
}

const mostOfFaint = 1.5;

/** How near it came, the nearer of two: at its worst probe or stream over the whole window, and second by second. */
function levelsOf(threshold: ThresholdResult): HeadroomLevel[] {
  const whole = levelOfValues(threshold.worst === null ? [] : [threshold.worst], threshold);
  return threshold.level === undefined ? [whole] : [whole, threshold.level];
}

function wasInterrupted({ verdict }: TrialRecord): boolean {
  return verdict.reasons.some(({ code }) => code === 'interrupted');
}
