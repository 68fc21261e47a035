import { given } from '../../model/given.js';
import type { HostLoadSummary } from '../../model/load-summary.js';
import { type HostClock, hostOf, localHostId, type ProbeHost, type ProbeHostId } from '../../model/probe-host.js';
import type { TrialRecord } from '../../model/trial.js';
import { highest, lowest, sum } from '../statistics/statistics.js';
import { compareText } from '../wording/wording.js';

/**
 * What a probe host was, carried and suffered over all trials of a run, void ones included: of what is measured in each
 * the highest, and of memory the lowest. What was never read is absent.
 */
export interface HostAccount
  extends Pick<ProbeHost, 'besideConductor' | 'place' | 'cores' | 'carries'>,
    Omit<HostLoadSummary, 'probes' | 'probesUp' | 'linkPercentMean'> {
  /** Those that it played in. */
  readonly trials: number;
  /** Those of them that were void for a reason that names it. */
  readonly voidTrials: readonly number[];
  /** Those in which it went away. */
  readonly lostIn: readonly number[];
  readonly probesMost: number;
  readonly samplesDropped: number;
  readonly batchesLost: number;
  /** The last offset and drift, and the widest bound; absent: it went by the conductor's clock. */
  readonly clock?: HostClock;
  /** How late its pace began, at worst; absent: it never said so. */
  readonly beganLateMsMax?: number;
  /** Probes that were begun later than planned by `lateStartMs` or more, and the worst of them. */
  readonly lateStarts: number;
  readonly lateStartMsMax?: number;
}

/** By name; none where all probes were on the conductor's own host, which the whole run is about. */
export function hostAccounts(records: readonly TrialRecord[]): readonly HostAccount[] {
  const ids = new Set(
    records.flatMap(({ hosts = [], load }) => [...hosts, ...(load.hosts ?? []).map(asHost)]).map(idOf),
  );
  if ([...ids].every((id) => id === localHostId)) return [];
  return [...ids].sort(compareText).map((host) => accountOf(host, records));
}

const idOf = ({ id }: Pick<ProbeHost, 'id'>): ProbeHostId => id;
const asHost = ({ host }: HostLoadSummary): ProbeHost => ({ id: host });

function accountOf(host: ProbeHostId, records: readonly TrialRecord[]): HostAccount {
  const told = records.flatMap(({ hosts = [] }) => hosts.filter(({ id }) => id === host));
  const loads = records.flatMap(({ load }) => (load.hosts ?? []).filter((one) => one.host === host));
  const own = records.flatMap(({ probes }) => probes.filter((probe) => hostOf(probe) === host));
  const late = own.flatMap(({ join }) => join.startedLateMs ?? []);
  const most = (name: keyof HostLoadSummary & keyof HostAccount) =>
    highest(loads.flatMap((load) => numberOf(load[name])));
  const total = (values: readonly (number | undefined)[]) => sum(values.map((value) => value ?? 0));
  const indexes = (has: (record: TrialRecord) => boolean) => records.filter(has).map(({ index }) => index);
  const { besideConductor, place, cores, carries } = told.at(-1) ?? {};
  return {
    host,
    ...given({ besideConductor, place, cores, carries }),
    trials: records.filter(({ probes }) => probes.some((probe) => hostOf(probe) === host)).length,
    voidTrials: indexes(
      ({ verdict: { kind, reasons } }) => kind === 'void' && reasons.some((one) => one.host === host),
    ),
    lostIn: indexes(({ events }) => events.some((event) => event.type === 'host-lost' && event.host === host)),
    probesMost: highest(records.map(({ probes }) => probes.filter((probe) => hostOf(probe) === host).length)) ?? 0,
    ...given({
      busyPercentMean: most('busyPercentMean'),
      busyPercentMax: most('busyPercentMax'),
      probeCoresMean: most('probeCoresMean'),
      stolenPercentMean: most('stolenPercentMean'),
      stolenPercentMax: most('stolenPercentMax'),
      throttledPercentMean: most('throttledPercentMean'),
      memoryMbMin: lowest(loads.flatMap(({ memoryMbMin }) => memoryMbMin ?? [])),
      linkMbpsMean: most('linkMbpsMean'),
      linkPercentMax: most('linkPercentMax'),
      lateMsMax: most('lateMsMax'),
      beganLateMsMax: highest(told.flatMap(({ beganLateMs }) => beganLateMs ?? [])),
      lateStartMsMax: highest(late),
      clock: clockOf(told),
    }),
    samplesExpected: total(loads.map(({ samplesExpected }) => samplesExpected)),
    samplesGot: total(loads.map(({ samplesGot }) => samplesGot)),
    samplesDropped: total(told.map(({ samplesDropped }) => samplesDropped)),
    batchesLost: total(told.map(({ batchesLost }) => batchesLost)),
    lateStarts: late.length,
  };
}

function clockOf(told: readonly ProbeHost[]): HostClock | undefined {
  const clocks = told.flatMap(({ clock }) => clock ?? []);
  const last = clocks.at(-1);
  return last && { ...last, boundMs: highest(clocks.map(({ boundMs }) => boundMs)) ?? last.boundMs };
}

const numberOf = (value: unknown): number[] => (typeof value === 'number' ? [value] : []);
