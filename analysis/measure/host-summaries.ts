import type { ProbeHostReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import type { HostLoadSummary } from '../../model/load-summary.js';
import { hostOf, localHostId } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import { highest, lowest, sum } from '../statistics/statistics.js';
import { compareText } from '../wording/wording.js';
import { meanOver, type Spanning } from './over-time.js';
import type { ProbeTally } from './probe-tally.js';
import { measuredSpan } from './stays.js';

interface HostsInput {
  readonly probes: readonly ProbeRecord[];
  /** Those of the window. */
  readonly readings: readonly Spanning<ProbeHostReading>[];
  readonly got: ReadonlyMap<string, ProbeTally>;
  readonly window: { readonly startMs: number; readonly endMs: number };
}

/** What each probe host did over the window; none where only the conductor's own host plays. */
export function hostSummaries({ probes, readings, got, window }: HostsInput): readonly HostLoadSummary[] {
  const probesOf = groupedBy(probes, hostOf);
  const readingsOf = groupedBy(readings, hostOf);
  const ids = [...new Set([...probesOf.keys(), ...readingsOf.keys()])].sort(compareText);
  if (ids.every((id) => id === localHostId)) return [];
  return ids.map((host) => {
    const own = probesOf.get(host) ?? [];
    const tallies = new Map(
      own.flatMap(({ participant: { id } }) => {
        const tally = got.get(id);
        return tally ? [[id, tally] as const] : [];
      }),
    );
    const late = highest([...tallies.values()].flatMap(({ endedLateMs }) => endedLateMs ?? []));
    return {
      host,
      probes: own.length,
      probesUp: own.filter(({ up }) => up).length,
      ...hostLoadOf(readingsOf.get(host) ?? []),
      samplesExpected: samplesExpected(own, tallies, window),
      samplesGot: sum([...tallies.values()].map(({ ended }) => ended)),
      ...given({ lateMsMax: late }),
    };
  });
}

export type HostLoad = Omit<
  HostLoadSummary,
  'host' | 'probes' | 'probesUp' | 'samplesExpected' | 'samplesGot' | 'lateMsMax'
>;

export function hostLoadOf(readings: readonly Spanning<ProbeHostReading>[]): HostLoad {
  const busy = ({ busyCores, cores }: ProbeHostReading) => (100 * busyCores) / cores;
  const stolen = ({ stealCores, cores }: ProbeHostReading) => (100 * stealCores) / cores;
  const link = ({ linkKbps, linkSpeedKbps }: ProbeHostReading) =>
    linkKbps === undefined || linkSpeedKbps === undefined ? undefined : (100 * linkKbps) / linkSpeedKbps;
  return given({
    cores: lowest(readings.flatMap(({ cores, machineCores }) => (machineCores === undefined ? [] : cores))),
    busyPercentMean: meanOver(readings, busy),
    busyPercentMax: highest(readings.map(busy)),
    probeCoresMean: meanOver(readings, ({ probeCores }) => probeCores),
    stolenPercentMean: meanOver(readings, stolen),
    stolenPercentMax: highest(readings.map(stolen)),
    throttledPercentMean: meanOver(readings, ({ throttledShare: share }) => share && 100 * share),
    memoryMbMin: lowest(readings.map(({ memoryAvailableMb }) => memoryAvailableMb)),
    linkMbpsMean: meanOver(readings, ({ linkKbps }) => linkKbps && linkKbps / 1000),
    linkPercentMean: meanOver(readings, link),
    linkPercentMax: highest(readings.flatMap((reading) => link(reading) ?? [])),
  });
}

/**
 * A window of 60 s holds 59 whole seconds of a probe at least, 60 when their edges meet. Of one that comes and goes as
 * many are expected as its stay holds after the beginning, where that is wholly in the window.
 */
export function samplesExpected(
  probes: readonly ProbeRecord[],
  got: ReadonlyMap<string, ProbeTally>,
  window: { readonly startMs: number; readonly endMs: number },
): number {
  const upNow = new Map(
    probes
      .filter((probe) => probe.up && probe.failures.length === 0)
      .map((probe) => [probe.participant.id, measuredSpan(probe, window)]),
  );
  const ids = new Set([...upNow.keys(), ...got.keys()]);
  return [...ids].reduce((total, id) => {
    const count = got.get(id)?.ended ?? 0;
    const span = upNow.get(id);
    const atLeast = span ? Math.max(0, Math.floor((span.endMs - span.startMs) / 1000) - 1) : 0;
    return total + Math.max(atLeast, count);
  }, 0);
}
