import type { Evidence } from '../../model/evidence.js';
import type { MachineCurve } from '../wire/trial-data.js';
import type { Span } from './curve-grid.js';

interface Read<T> {
  readonly label: string;
  readonly unit: MachineCurve['unit'];
  readonly value: (reading: T) => number | undefined;
}

/** CPU and memory of the machines in each second of a trial, and what they dropped. What was never read has no curve. */
export function machineCurves({ probeHost, server, turn = [] }: Evidence, span: Span): MachineCurve[] {
  return [
    ...curvesOf('server', server, span, [
      { label: 'server', unit: 'cores', value: ({ cpuCores }) => cpuCores },
      { label: 'server', unit: 'MB', value: ({ rssMb, saidMemoryMb }) => rssMb ?? saidMemoryMb },
    ]),
    ...curvesOf('TURN server', turn, span, [
      { label: 'TURN server', unit: 'cores', value: ({ cpuCores }) => cpuCores },
      { label: 'TURN server', unit: 'MB', value: ({ rssMb }) => rssMb },
      { label: 'TURN server, open', unit: 'relays', value: ({ allocations }) => allocations },
      { label: 'TURN server, dropped', unit: 'datagrams', value: ({ udpDrops }) => udpDrops },
    ]),
    ...curvesOf('probe host', probeHost, span, [
      { label: 'browsers', unit: 'cores', value: ({ probeCores }) => probeCores },
      { label: 'whole probe host', unit: 'cores', value: ({ busyCores }) => busyCores },
      { label: 'probe host, available', unit: 'MB', value: ({ memoryAvailableMb }) => memoryAvailableMb },
    ]),
  ];
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
