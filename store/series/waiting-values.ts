import type { DataPoint } from '../points/data-point.js';
import { type PointValues, valuesOf } from './series.js';

/** A point as it waits to be sent; undefined for one without any number. */
export function valuesText(point: DataPoint): string | undefined {
  const values = valuesOf(point);
  return values === undefined ? undefined : JSON.stringify(values);
}

/** What `valuesText` wrote. */
export function readValues(texts: readonly string[]): readonly PointValues[] {
  return texts.map((text) => JSON.parse(text) as PointValues);
}
