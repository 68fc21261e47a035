import type { Evidence, LimitReading, ProbeHostReading, ScrapedReading } from '../../model/evidence.js';
import { hostOf } from '../../model/probe-host.js';
import type { MachineCurve } from '../wire/trial-data.js';
import type { Span } from './curve-grid.js';

interface Read<T> {
  readonly label: string;
  readonly unit: MachineCurve['unit'];
  readonly value: (reading: T) => number | undefined;
}

/** CPU and memory of the machines in each second of a trial, and what they dropped. What was never read has no curve. */
export function machineCurves({ probeHost, server, turn = [], scraped = [] }: Evidence, span: Span): MachineCurve[] {
  return [
    ...curvesOf('server', server, span, [
      { label: 'server', unit: 'cores', value: ({ cpuCores }) => cpuCores },
      { label: 'server', unit: 'MB', value: ({ rssMb, saidMemoryMb }) => rssMb ?? saidMemoryMb },
      { label: 'server, throttled by its CPU quota', unit: '%', value: throttledPercent },
    ]),
    ...[...new Set(scraped.map(({ source }) => source))].flatMap((source) =>
      curvesOf('server', scraped.filter(isLookAt(source)), span, scrapedReads(source, scraped)),
    ),
    ...curvesOf('TURN server', turn, span, [
      { label: 'TURN server', unit: 'cores', value: ({ cpuCores }) => cpuCores },
      { label: 'TURN server', unit: 'MB', value: ({ rssMb }) => rssMb },
      { label: 'TURN server, open', unit: 'relays', value: ({ allocations }) => allocations },
      { label: 'TURN server, dropped', unit: 'datagrams', value: ({ udpDrops }) => udpDrops },
    ]),
    ...hostCurves(probeHost, span),
  ];
}

function throttledPercent({ quotaPeriods, throttledPeriods }: LimitReading): number | undefined {
  return quotaPeriods === undefined || throttledPeriods === undefined
    ? undefined
    : (100 * throttledPeriods) / quotaPeriods;
}

/** An exporter that has not looked again says nothing; a scrape that failed is a gap. */
function isLookAt(source: string) {
  return (one: ScrapedReading) => one.source === source && one.unchanged !== true;
}

/** Each says from which page it is, where there are several. */
function scrapedReads(source: string, all: readonly ScrapedReading[]): readonly Read<ScrapedReading>[] {
  const own = all.filter((one) => one.source === source);
  const from = own.length < all.length ? ` (${source})` : '';
  const part = own.find((one) => one.part !== undefined)?.part ?? 'its part';
  const named = [...new Set(own.flatMap((one) => Object.keys(one.named ?? {})))];
  return [
    { label: `server's host${from}`, unit: 'cores', value: (one) => one.hostBusyCores },
    { label: `server's host, available${from}`, unit: 'MB', value: (one) => one.hostMemoryAvailableMb },
    { label: `server's host, sent${from}`, unit: 'kbit/s', value: (one) => one.hostSentKbps },
    { label: `server's host, received${from}`, unit: 'kbit/s', value: (one) => one.hostReceivedKbps },
    { label: `${part}${from}`, unit: 'cores', value: (one) => one.cpuCores },
    { label: `${part}${from}`, unit: 'MB', value: (one) => one.memoryMb },
    { label: `${part}, throttled by its CPU quota${from}`, unit: '%', value: throttledPercent },
    ...named.map(
      (name) =>
        ({ label: `${name}${from}`, unit: '', value: ({ named: values }: ScrapedReading) => values?.[name] }) as const,
    ),
  ];
}

/** Of several hosts each curve says of which it is. */
function hostCurves(readings: readonly ProbeHostReading[], span: Span): MachineCurve[] {
  const hosts = [...new Set(readings.map(hostOf))];
  return hosts.flatMap((host) => {
    const name = hosts.length > 1 ? ` ${host}` : '';
    const own = readings.filter((reading) => hostOf(reading) === host);
    return curvesOf('probe host', own, span, [
      {
        label: name === '' ? 'browsers' : `browsers of probe host${name}`,
        unit: 'cores',
        value: (one) => one.probeCores,
      },
      { label: `whole probe host${name}`, unit: 'cores', value: (one) => one.busyCores },
      { label: `probe host${name}, available`, unit: 'MB', value: (one) => one.memoryAvailableMb },
    ]);
  });
}

function curvesOf<T extends { readonly atMs: number }>(
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
