import type { ProbeHostReading } from '../../model/evidence.js';
import { hostOf, type ProbeHostId } from '../../model/probe-host.js';
import type { Sample } from '../../model/sample.js';
import type { MachineCurve } from '../wire/trial-data.js';
import type { Span } from './curve-grid.js';

/** Most points in a curve over all hosts of a trial: a hundred hosts over ten minutes would be megabytes. */
const mostPoints = 20_000;
export const widestPointMs = 60_000;
const widthsMs = [1000, 2000, 5000, 10_000, 30_000, widestPointMs];
const secondMs = 1000;

/** How late the pages of each host were at worst, second by second. Filled while the samples are read. */
export class HostLags {
  private readonly hosts = new Map<ProbeHostId, Map<number, number>>();

  add(sample: Sample): void {
    this.note(hostOf(sample), Math.floor(sample.atMs / secondMs), sample.lateMs);
  }

  /** What another one has seen, as it tells it. */
  addAll(told: ToldLags): void {
    for (const [host, seconds] of told) for (const [second, lateMs] of seconds) this.note(host, second, lateMs);
  }

  private note(host: ProbeHostId, second: number, lateMs: number): void {
    const known = this.hosts.get(host);
    const lags = known ?? new Map<number, number>();
    if (!known) this.hosts.set(host, lags);
    lags.set(second, Math.max(lags.get(second) ?? 0, lateMs));
  }

  told(): ToldLags {
    return this.hosts;
  }

  of(host: ProbeHostId): readonly Lag[] {
    const seconds = [...(this.hosts.get(host) ?? [])].sort(([a], [b]) => a - b);
    return seconds.map(([second, lateMs]) => ({ atMs: second * secondMs, lateMs }));
  }
}

/** By host and second, milliseconds. */
export type ToldLags = ReadonlyMap<ProbeHostId, ReadonlyMap<number, number>>;

interface Lag {
  readonly atMs: number;
  readonly lateMs: number;
}

/** How wide a point of these curves is: as narrow as the size of the report allows. */
export function hostPointMs(readings: readonly ProbeHostReading[], { fromMs, toMs }: Span): number {
  const hosts = new Set(readings.map(hostOf)).size;
  return widthsMs.find((width) => (hosts * (toMs - fromMs)) / width <= mostPoints) ?? widestPointMs;
}

/**
 * CPU, memory, link and page timers of each probe host. Of several hosts each curve says of which it is, and where
 * points are wider than a second each is the worst of its seconds.
 */
export function hostCurves(readings: readonly ProbeHostReading[], lags: HostLags, span: Span): MachineCurve[] {
  const hosts = [...new Set(readings.map(hostOf))];
  const widthMs = hostPointMs(readings, span);
  return hosts.flatMap((host) => {
    const several = hosts.length > 1;
    const name = several ? ` ${host}` : '';
    const own = worstOfEach(
      readings.filter((reading) => hostOf(reading) === host),
      widthMs,
      worseReading,
    );
    const late = worstOfEach(lags.of(host), widthMs, (a, b) => ({ ...b, lateMs: Math.max(a.lateMs, b.lateMs) }));
    const curves = [
      ...curvesOf('probe host', own, span, readsOf(name, own)),
      ...curvesOf('probe host', late, span, [
        {
          label: `page timers${several ? ` of probe host${name}` : ''}, the latest`,
          unit: 'ms',
          value: (one) => one.lateMs,
        },
      ]),
    ];
    return several ? curves.map((curve) => ({ ...curve, host })) : curves;
  });
}

/** What a hypervisor or a quota never took is no curve: a line along zero says nothing. */
function readsOf(name: string, own: readonly ProbeHostReading[]): readonly Read<ProbeHostReading>[] {
  const wasStolen = own.some(({ stealCores }) => stealCores > 0);
  const wasHeld = own.some(({ throttledShare = 0 }) => throttledShare > 0);
  return [
    {
      label: name === '' ? 'probes' : `probes of probe host${name}`,
      unit: 'cores',
      value: (one) => one.probeCores,
    },
    { label: `whole probe host${name}`, unit: 'cores', value: (one) => one.busyCores },
    {
      label: `taken from probe host${name} by other virtual machines`,
      unit: 'cores',
      value: (one) => (wasStolen ? one.stealCores : undefined),
    },
    {
      label: `probe host${name}, held back by a CPU quota`,
      unit: '%',
      value: ({ throttledShare: share }) => (wasHeld && share !== undefined ? 100 * share : undefined),
    },
    { label: `probe host${name}, available`, unit: 'MB', value: (one) => one.memoryAvailableMb },
    { label: `probe host${name}, its own link`, unit: 'kbit/s', value: (one) => one.linkKbps },
  ];
}

/** Of all that lie in one width; nothing is merged where a width holds one. */
function worstOfEach<T extends { readonly atMs: number }>(
  all: readonly T[],
  widthMs: number,
  worse: (a: T, b: T) => T,
): readonly T[] {
  if (widthMs <= secondMs) return all;
  const points = new Map<number, T>();
  for (const one of all) {
    const at = Math.floor(one.atMs / widthMs);
    const known = points.get(at);
    points.set(at, known ? worse(known, one) : one);
  }
  return [...points.values()];
}

function worseReading(a: ProbeHostReading, b: ProbeHostReading): ProbeHostReading {
  const most = (name: 'throttledShare' | 'linkKbps') => {
    const values = [a[name], b[name]].flatMap((value) => value ?? []);
    return values.length === 0 ? {} : { [name]: Math.max(...values) };
  };
  return {
    ...b,
    busyCores: Math.max(a.busyCores, b.busyCores),
    stealCores: Math.max(a.stealCores, b.stealCores),
    probeCores: Math.max(a.probeCores, b.probeCores),
    memoryAvailableMb: Math.min(a.memoryAvailableMb, b.memoryAvailableMb),
    ...most('throttledShare'),
    ...most('linkKbps'),
  };
}

/** What is drawn of the readings of a machine. */
export interface Read<T> {
  readonly label: string;
  readonly unit: MachineCurve['unit'];
  readonly value: (reading: T) => number | undefined;
}

/** A curve for each that was read at least once. */
export function curvesOf<T extends { readonly atMs: number }>(
  of: MachineCurve['of'],
  readings: readonly T[],
  { fromMs, toMs, zeroMs }: Span,
  reads: readonly Read<T>[],
): MachineCurve[] {
  const inside = readings.filter(({ atMs }) => atMs >= fromMs && atMs <= toMs);
  const atS = inside.map(({ atMs }) => Math.round((atMs - zeroMs) / 100) / 10);
  return reads
    .map(({ label, unit, value }) => {
      const values = inside.map((reading) => {
        const read = value(reading);
        return read === undefined ? null : Number(read.toPrecision(4));
      });
      return { label, unit, of, atS, values };
    })
    .filter(({ values }) => values.some((value) => value !== null));
}
