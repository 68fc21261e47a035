import { givenTo } from '../../model/given-to.js';
import type { MetricValue, RunMark } from '../../model/monitor.js';
import type { Manifest, RunResult } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { spreadOf, worstThresholds } from '../judge/summary.js';
import { passesAt, trialsAt } from '../measure/trials-at.js';
import { median } from '../statistics/statistics.js';

interface MarkedRun {
  readonly manifest: Manifest;
  readonly records: readonly TrialRecord[];
  readonly result: RunResult | undefined;
}

const mostReasons = 5;

/**
 * What one run says, in the few numbers that runs are compared by. A run without its answer says nothing. `saysNo`: by
 * its exit code, which for a limit that was found means that it is below `require`.
 */
export function markOfRun(run: MarkedRun, asksForLimit: boolean, saysNo: boolean): RunMark {
  const { manifest, records, result } = run;
  const unit = manifest.unit?.many ?? 'sessions';
  const surroundings = surroundingsOf(manifest);
  if (!result) {
    return { verdict: 'failed', unit, reasons: ['The run did not come to its end.'], metrics: {}, surroundings };
  }
  const size = asksForLimit ? (result.limit.stable ?? 0) : manifest.plan.search.max;
  // A run for one size may have ended with its baseline.
  const isKnown = size > 0 && records.some((record) => record.size === size);
  const trials = trialsAt(records, size);
  const memory = records[0]?.reset?.rssMb;
  const held = passesAt(records, size);
  const verdict = asksForLimit ? verdictOfSearch(result) : verdictOfTry(run, size);
  return {
    verdict,
    ...(isKnown ? { size } : {}),
    unit: size === 1 ? (manifest.unit?.one ?? 'session') : unit,
    ...(asksForLimit && hasLimit(result) ? { limit: { stable: size, unstable: result.limit.unstable } } : {}),
    ...(saysNo && verdict === 'stable' ? { belowRequired: true as const } : {}),
    reasons: reasonsOf(run, size, asksForLimit),
    metrics: metricsOf(asksForLimit ? held : trials),
    ...(memory === undefined ? {} : { serverMemoryMb: memory }),
    surroundings,
  };
}

function hasLimit({ outcome, limit, cutShort }: RunResult): boolean {
  return (outcome === 'found' || outcome === 'reached-max') && (limit.stable ?? 0) > 0 && cutShort !== true;
}

function verdictOfSearch(result: RunResult): RunMark['verdict'] {
  if (result.outcome === 'baseline-unstable' || result.outcome === 'server-lost') return 'unstable';
  return hasLimit(result) ? 'stable' : 'void';
}

/**
 * A trial that did not come about, because the baseline before it failed, has the baseline's verdict for its own. A
 * pass while a failure would have been discarded counts for nothing, or passes alone would count.
 */
function verdictOfTry({ records, result }: MarkedRun, size: number): RunMark['verdict'] {
  if (result?.outcome === 'void' || result?.outcome === 'never-connected') return 'void';
  if (result?.outcome === 'baseline-unstable' || result?.outcome === 'server-lost') return 'unstable';
  const { kind, disturbedBy } = records.findLast((record) => record.size === size)?.verdict ?? {};
  return kind === undefined || disturbedBy ? 'void' : kind;
}

function reasonsOf({ records, result }: MarkedRun, size: number, asksForLimit: boolean): string[] {
  const tried = records.at(-1)?.size;
  const failed = records.filter(({ size: of, verdict: { kind, disturbedBy } }) =>
    asksForLimit ? of > size && kind !== 'stable' : of === tried && (kind !== 'stable' || disturbedBy),
  );
  const last = asksForLimit ? failed[0] : failed.at(-1);
  const texts = (last?.verdict.disturbedBy ?? last?.verdict.reasons ?? []).map(({ text }) => text);
  const said = texts.length > 0 || !result ? texts : [result.because];
  return [...new Set(said)].slice(0, mostReasons);
}

/** The worst of each threshold, the middle of each stream's mean, and what the server and the probe host had to do. */
function metricsOf(trials: readonly TrialRecord[]): Record<string, MetricValue> {
  if (trials.length === 0) return {};
  const worst = worstThresholds(trials).flatMap((threshold): [string, MetricValue][] => {
    if (threshold.worst === null || threshold.upTo !== undefined) return [];
    const { unit, limit, comparison, label, worst: value } = threshold;
    return [[label, { value, unit, limit, worse: comparison === 'at-most' ? 'higher' : 'lower' }]];
  });
  const middle = spreadOf(trials).map(({ label, unit, values }): [string, MetricValue] => [
    `${label}, middle stream`,
    { value: values[2], unit, worse: lowerIsWorse.has(label) ? 'lower' : 'higher' },
  ]);
  const load = (label: string, unit: string, of: (record: TrialRecord) => number | undefined) => {
    const value = median(trials.flatMap((record) => of(record) ?? []));
    return value === undefined ? [] : [[label, { value, unit, worse: 'higher' }] as [string, MetricValue]];
  };
  return Object.fromEntries([
    ...worst,
    ...middle,
    ...load('server CPU', 'cores', ({ load: { serverCoresMean } }) => serverCoresMean),
    ...load('server memory', 'MB', ({ load: { serverRssMbMax } }) => serverRssMbMax),
    ...load('probe host CPU', '%', ({ load: { probeHostBusyPercentMean } }) => probeHostBusyPercentMean),
  ]);
}

const lowerIsWorse: ReadonlySet<string> = new Set(['frame rate', 'video received', 'audio MOS']);

/** What a change between two runs may come from. */
function surroundingsOf({ server, chromium, host, loadline }: Manifest): Record<string, string> {
  const { upLinkBps, cores, memoryMb } = givenTo(server);
  return {
    server: server.name,
    Loadline: loadline,
    Chromium: chromium.version,
    kernel: host.kernel,
    cores: String(host.cores),
    ...(upLinkBps === undefined ? {} : { 'up-link of the server': `${upLinkBps / 1e6} Mbit/s` }),
    ...(cores === undefined ? {} : { 'CPU of the server': `${cores} cores` }),
    ...(memoryMb === undefined ? {} : { 'memory of the server': `${Math.round(memoryMb)} MB` }),
  };
}
