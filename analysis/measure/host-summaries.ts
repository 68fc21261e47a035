import type { ProbeHostReading } from '../../model/evidence.js';
import type { HostLoadSummary } from '../../model/load-summary.js';
import { hostOf, localHostId, type ProbeHostId } from '../../model/probe-host.js';
import type { ProbeRecord } from '../../model/trial.js';
import { highest, lowest, mean } from '../statistics/statistics.js';
import { compareText } from '../wording/wording.js';
import type { ProbeTally } from './probe-tally.js';
import { samplesExpected } from './samples-expected.js';

interface HostsInput {
  readonly probes: readonly ProbeRecord[];
  /** Those of the window. */
  readonly readings: readonly ProbeHostReading[];
  readonly got: ReadonlyMap<string, ProbeTally>;
  readonly window: { readonly startMs: number; readonly endMs: number };
}

/** What each probe host did over the window; none where only the conductor's own host plays. */
export function hostSummaries({ probes, readings, got, window }: HostsInput): readonly HostLoadSummary[] {
  const probesOf = byHost(probes);
  const readingsOf = byHost(readings);
  const ids = [...new Set([...probesOf.keys(), ...readingsOf.keys()])].sort(compareText);
  if (ids.every((id) => id === localHostId)) return [];
  return ids.map((host) => {
    const own = probesOf.get(host) ?? [];
    const tallies = new Map(own.flatMap(({ participant: { id } }) => entryOf(id, got.get(id))));
    const late = highest([...tallies.values()].flatMap(({ endedLateMs }) => endedLateMs ?? []));
    return {
      host,
      probes: own.length,
      probesUp: own.filter(({ up }) => up).length,
      ...known(loadOf(readingsOf.get(host) ?? [])),
      samplesExpected: samplesExpected(own, tallies, window),
      samplesGot: [...tallies.values()].reduce((sum, { ended }) => sum + ended, 0),
      ...(late === undefined ? {} : { lateMsMax: late }),
    };
  });
}

type Load = Omit<HostLoadSummary, 'host' | 'probes' | 'probesUp' | 'samplesExpected' | 'samplesGot' | 'lateMsMax'>;

function loadOf(readings: readonly ProbeHostReading[]): { readonly [Name in keyof Load]: number | undefined } {
  const busy = readings.map(({ busyCores, cores }) => (100 * busyCores) / cores);
  const stolen = readings.map(({ stealCores, cores }) => (100 * stealCores) / cores);
  const link = readings.flatMap(({ linkKbps, linkSpeedKbps }) =>
    linkKbps === undefined || linkSpeedKbps === undefined ? [] : (100 * linkKbps) / linkSpeedKbps,
  );
  const kbps = mean(readings.flatMap(({ linkKbps }) => linkKbps ?? []));
  return {
    busyPercentMean: mean(busy),
    busyPercentMax: highest(busy),
    probeCoresMean: mean(readings.map(({ probeCores }) => probeCores)),
    stolenPercentMean: mean(stolen),
    stolenPercentMax: highest(stolen),
    throttledPercentMean: mean(
      readings.flatMap(({ throttledShare: share }) => (share === undefined ? [] : 100 * share)),
    ),
    memoryMbMin: lowest(readings.map(({ memoryAvailableMb }) => memoryAvailableMb)),
    linkMbpsMean: kbps === undefined ? undefined : kbps / 1000,
    linkPercentMean: mean(link),
    linkPercentMax: highest(link),
  };
}

function known(load: { readonly [Name in keyof Load]: number | undefined }): Load {
  return Object.fromEntries(Object.entries(load).filter(([, value]) => value !== undefined));
}

function entryOf(id: string, tally: ProbeTally | undefined): (readonly [string, ProbeTally])[] {
  return tally === undefined ? [] : [[id, tally]];
}

function byHost<T extends { readonly host?: ProbeHostId }>(all: readonly T[]): ReadonlyMap<ProbeHostId, readonly T[]> {
  const groups = new Map<ProbeHostId, T[]>();
  for (const one of all) {
    const group = groups.get(hostOf(one));
    if (group) group.push(one);
    else groups.set(hostOf(one), [one]);
  }
  return groups;
}
