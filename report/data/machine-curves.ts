import type { Evidence, ProbeHostReading } from '../../model/evidence.js';
import { hostOf } from '../../model/probe-host.js';
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
    ...hostCurves(probeHost, span),
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
