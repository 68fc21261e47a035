import type { AggregateName } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import type { Media } from '../../model/plan.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { judgedFrozen } from '../measure/frozen.js';
import { legRoundTripMs } from '../measure/leg-round-trip.js';
import { bestMos } from '../measure/mos.js';
import { confirmingAt, trialsAt } from '../measure/trials-at.js';
import { anytimeLowerBound } from '../statistics/binomial.js';
import { ascending, highest, lowest, mean, percentile, sum } from '../statistics/statistics.js';

/** How often a size was stable. Void trials are not among the judged. */
export interface Tally {
  readonly size: number;
  readonly stable: number;
  readonly judged: number;
  readonly discarded: number;
  /** Stable trials that ended once they were clearly so, and are not among the judged; absent: none. */
  readonly screened?: number;
  /** Stable trials that a fault of the probe side disturbed, and are not among the judged either; absent: none. */
  readonly disturbed?: number;
  /** Of the discarded, those that would have been unstable but for a fault of the probe side; absent: none. */
  readonly discardedFailures?: number;
  /** What the stable trials prove of the true share of stable trials, at 95 % confidence, 0 to 1. */
  readonly stableShareAtLeast: number;
}

/** One threshold at its worst over all judged trials of a size. */
export interface WorstThreshold extends ThresholdResult {
  /** What was measured there, where `worst` excuses some of it. */
  readonly measured?: number;
  /** How much of the way to the limit was used, percent; over 100 is beyond it; absent when not measured. */
  readonly usedPercent?: number;
}

interface SpreadRow {
  readonly label: string;
  readonly unit: string;
  /** Of the window aggregates of streams, of legs for the round trip: min, p10, p50, p90, max. */
  readonly values: readonly [number, number, number, number, number];
  readonly streams: number;
}

export function voidTrials(records: readonly TrialRecord[]): TrialRecord[] {
  return records.filter((record) => record.verdict.kind === 'void' && !record.drill);
}

/** "3 of 5", where discarded failures count as failures; undefined: there are none. */
export function worstCase({ stable, judged, discardedFailures }: Partial<Tally>): string | undefined {
  if (discardedFailures === undefined || stable === undefined || judged === undefined) return undefined;
  return `${stable} of ${judged + discardedFailures}`;
}

/** One tally for each size that was tried, ascending. */
export function talliesOf(records: readonly TrialRecord[]): Tally[] {
  return ascending([...new Set(records.map((record) => record.size))]).map((size) => {
    const here = trialsAt(records, size);
    const judged = confirmingAt(records, size);
    const stable = judged.filter((record) => record.verdict.kind === 'stable').length;
    const disturbed = here.filter(({ verdict }) => verdict.disturbedBy).length;
    const screened = here.length - judged.length - disturbed;
    const discardedFailures = records.filter(({ size: of, verdict }) => of === size && verdict.discardsFailure).length;
    return {
      size,
      stable,
      judged: judged.length,
      discarded: records.filter((record) => record.size === size && !record.drill).length - here.length,
      ...given({
        screened: screened > 0 ? screened : undefined,
        disturbed: disturbed > 0 ? disturbed : undefined,
        discardedFailures: discardedFailures > 0 ? discardedFailures : undefined,
      }),
      stableShareAtLeast: anytimeLowerBound(stable, judged.length),
    };
  });
}

/** The thresholds of these trials, each at its worst, in the order of the judge. */
export function worstThresholds(records: readonly TrialRecord[]): WorstThreshold[] {
  const byKey = new Map<string, WorstThreshold>();
  for (const result of records.flatMap(shownThresholds)) {
    const key = thresholdKey(result.id);
    const known = byKey.get(key);
    byKey.set(key, known ? worseOf(known, result) : result);
  }
  return [...byKey.values()].map((result) => {
    const usedPercent = result.upTo === undefined ? usedPercentOf(result) : undefined;
    return usedPercent === undefined ? result : { ...result, usedPercent };
  });
}

/** The thresholds of a trial as people are shown them: a stream that brought nothing has values, too. */
export function shownThresholds(record: TrialRecord): WorstThreshold[] {
  return record.verdict.thresholds.map(withoutMedia(record)).map(asMeasured(record));
}

/** What a limit is of a stream without media; of what only arriving media has, such as loss, nothing is known. */
const noMediaValues: Readonly<Partial<Record<AggregateName, number>>> = { fps: 0, frozenPercent: 100 };

function withoutMedia({ verdict, streams }: TrialRecord): (result: ThresholdResult) => ThresholdResult {
  return (result) => {
    const { id, worst, passed, worstProbe } = result;
    if (id.of !== 'stream' || worst !== null || passed) return result;
    const dead = verdict.reasons.find(
      ({ code, probe, stream }) =>
        (code === 'no-media' || code === 'presenter-starved') &&
        probe === worstProbe &&
        (id.kind === undefined || stream?.kind === id.kind) &&
        (id.direction === undefined || stream?.direction === id.direction),
    );
    if (!dead) return result;
    const { kind, direction } = dead.stream ?? {};
    const sent = streams.filter((one) => one.probe === worstProbe && one.kind === kind && one.direction === direction);
    const nothingCame = sent.every(({ values }) => (values.bitrateKbps ?? 0) === 0);
    const value = id.aggregate === 'bitrateKbps' && nothingCame ? 0 : noMediaValues[id.aggregate];
    return value === undefined ? result : { ...result, worst: value };
  };
}

/** With the whole share of time frozen where a freeze is excused (`judgedFrozen`). */
function asMeasured({ streams }: TrialRecord): (result: ThresholdResult) => WorstThreshold {
  return (result) => {
    const { id, worst, worstProbe, ofLink } = result;
    if (id.of !== 'stream' || id.aggregate !== 'frozenPercent' || worst === null || ofLink) return result;
    // Another stream of the probe may have had more, and not be excused.
    const own = streams.filter(
      ({ probe, direction, values }) =>
        probe === worstProbe && direction === 'receive' && judgedFrozen(values)?.percent === worst,
    );
    const measured = highest(own.flatMap(({ values }) => values.frozenPercent ?? [])) ?? worst;
    return measured > worst ? { ...result, measured } : result;
  };
}

function worseOf(a: WorstThreshold, b: WorstThreshold): WorstThreshold {
  if (a.worst === null || b.worst === null) return a.worst === null ? a : b;
  const bothKept = a.passed && b.passed;
  const reach = ({ worst, upTo }: ThresholdResult) => (bothKept ? (upTo ?? worst) : worst) ?? 0;
  const bIsWorse = a.comparison === 'at-most' ? reach(b) > reach(a) : reach(b) < reach(a);
  const worse = bIsWorse ? b : a;
  return { ...worse, passed: a.passed && b.passed };
}

/** The best there is: the baseline, the E-model's highest opinion, and a clearly heard level (-40 dB). */
const best: Readonly<Record<string, number>> = { '%': 100, MOS: bestMos, level: 0.01 };

export function usedPercentOf({
  worst,
  limit,
  comparison,
  unit,
}: Pick<ThresholdResult, 'worst' | 'limit' | 'comparison' | 'unit'>): number | undefined {
  if (worst === null) return undefined;
  // A limit of zero that is met has nothing of it used.
  if (comparison === 'at-most') return worst === 0 ? 0 : (100 * worst) / limit;
  const room = (best[unit] ?? limit) - limit;
  return room <= 0 ? undefined : Math.max(0, (100 * (limit + room - worst)) / room);
}

export function nearestLimit(thresholds: readonly WorstThreshold[]): WorstThreshold | undefined {
  const passed = thresholds.filter((threshold) => threshold.passed && threshold.usedPercent !== undefined);
  return passed.sort((a, b) => (b.usedPercent ?? 0) - (a.usedPercent ?? 0))[0];
}

const spreadRows = [
  { label: 'frame rate', unit: 'fps', name: 'fps', kind: 'video' },
  { label: 'video received', unit: 'kbit/s', name: 'bitrateKbps', kind: 'video' },
  { label: 'video loss', unit: '%', name: 'lossPercent', kind: 'video' },
  { label: 'audio MOS', unit: '', name: 'mos', kind: 'audio' },
] as const;

export function spreadOf(records: readonly TrialRecord[]): SpreadRow[] {
  const streams = records.flatMap((record) => record.streams.filter((stream) => stream.direction === 'receive'));
  const legs = records.flatMap((record) => [...groupedBy(record.streams, ({ leg }) => leg).values()]);
  const rows = spreadRows.map(({ name, kind, ...row }) => ({
    ...row,
    values: streams.flatMap((stream) => (stream.kind === kind ? (stream.values[name] ?? []) : [])),
  }));
  const roundTrip = { label: 'round trip', unit: 'ms', values: legs.flatMap((leg) => legRoundTripMs(leg) ?? []) };
  return [...rows.slice(0, 3), roundTrip, ...rows.slice(3)].flatMap(({ label, unit, values }): SpreadRow[] => {
    const at = (percent: number) => percentile(values, percent) ?? 0;
    if (values.length === 0) return [];
    return [{ label, unit, values: [at(0), at(10), at(50), at(90), at(100)], streams: values.length }];
  });
}

/**
 * Why trials of a size failed: what is said of no probe, each code once, then one reason of each probe. The worst first
 * of each.
 */
export function starvingProbes(records: readonly TrialRecord[]): Reason[] {
  const seen = new Map<string, Reason>();
  for (const reason of records
    .filter(({ verdict }) => verdict.kind === 'unstable')
    .flatMap((record) => record.verdict.reasons)) {
    const key = reason.probe ?? reason.code;
    if (!seen.has(key)) seen.set(key, reason);
  }
  return [...seen.values()].sort((a, b) => Number(a.probe !== undefined) - Number(b.probe !== undefined));
}

export function trustOf(records: readonly TrialRecord[]) {
  const loads = records.filter((record) => record.verdict.kind !== 'void').map((record) => record.load);
  return {
    samplesExpected: loads.reduce((total, load) => total + load.samplesExpected, 0),
    samplesGot: loads.reduce((total, load) => total + load.samplesGot, 0),
    lateMsMax: highest(loads.flatMap((load) => load.lateMsMax ?? [])),
    // The highest mean and the highest second of the probe host's CPU.
    hostBusyPercentMean: highest(loads.flatMap((load) => load.probeHostBusyPercentMean ?? [])),
    hostBusyPercentMax: highest(loads.flatMap((load) => load.probeHostBusyPercentMax ?? [])),
    // Those that the probes may run on, where they are not all.
    probeCores: lowest(loads.flatMap((load) => load.probeHostCores ?? [])),
  };
}

/** Judged trials whose settling ended at its bound: their rates may still have grown while they were measured. */
export function unsettledTrials({ manifest, records }: FinishedRun): TrialRecord[] {
  const { settleMs } = manifest.plan.timing;
  return records.filter(({ verdict, phases }) => {
    const settle = phases.find((mark) => mark.phase === 'settle');
    return verdict.kind !== 'void' && settle !== undefined && settle.endedAtMs - settle.startedAtMs >= settleMs;
  });
}

/** Below this share of the rate asked, a baseline is a low bar for the sizes that are measured against it. */
const lowBaselinePercent = 80;

/** A warning when one session alone did not get the video rate that its senders were asked for. */
export function lowBaseline({ manifest, records }: FinishedRun): { kbps: number; media: Media } | undefined {
  const [baseline] = records;
  const sent = (baseline?.streams ?? []).filter(({ direction, kind }) => direction === 'send' && kind === 'video');
  const rates = [...groupedBy(sent, ({ leg }) => leg).values()].flatMap((layers) => {
    const known = layers.flatMap(({ values }) => values.bitrateKbps ?? []);
    return known.length === 0 ? [] : sum(known);
  });
  const kbps = mean(rates);
  const { media, players } = manifest.plan;
  // What an app's pages send is the app's to say: nothing was asked of them.
  if (players.kind === 'visiting') return undefined;
  return kbps !== undefined && kbps < (media.videoKbps * lowBaselinePercent) / 100 ? { kbps, media } : undefined;
}
