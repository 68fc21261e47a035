import type { Evidence, LimitReading, ScrapedReading } from '../../model/evidence.js';
import type { MachineCurve } from '../wire/trial-data.js';
import type { Span } from './curve-grid.js';
import { curvesOf, HostLags, hostCurves, type Read } from './host-curves.js';

/** CPU, memory and drops of the machines in each second of a trial. What was never read has no curve. */
export function machineCurves(
  { probeHost, server, turn = [], scraped = [] }: Evidence,
  span: Span,
  lags = new HostLags(),
): MachineCurve[] {
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
    ...hostCurves(probeHost, lags, span),
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
