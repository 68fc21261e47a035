import type { MachineCurve } from '../wire/trial-data.js';
import type { Span } from './curve-grid.js';

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
