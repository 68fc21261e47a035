import { Point } from '@influxdata/influxdb-client';
import type { DataPoint } from '../points/data-point.js';

/** Enough for any sentence; InfluxDB itself takes 64 KB. */
const longestText = 4000;

/**
 * One line of line protocol, its escaping done by InfluxDB's own client; undefined for a point without fields. Every
 * number is written as a float, so that no field ever changes its type.
 */
export function lineOf({ measurement, tags, fields, atMs, nth = 0 }: DataPoint): string | undefined {
  const point = new Point(measurement);
  for (const [name, value] of Object.entries(tags)) {
    const word = value === undefined ? '' : tagText(value);
    if (word !== '') point.tag(name, word);
  }
  for (const [name, value] of Object.entries(fields)) {
    if (typeof value === 'number' && Number.isFinite(value)) point.floatField(name, value);
    else if (typeof value === 'string') point.stringField(name, value.slice(0, longestText));
    else if (typeof value === 'boolean') point.booleanField(name, value);
  }
  return point.timestamp(nanoseconds(atMs, nth)).toLineProtocol();
}

/** Line protocol ends a tag at a line's end and takes a backslash before the comma for its escape. */
function tagText(value: string): string {
  return value
    .slice(0, longestText)
    .replace(/[\r\n\t]+/g, ' ')
    .replace(/(?<!\\)\\+$/, '')
    .trim();
}

/** As text: a number of JavaScript cannot hold today's nanoseconds. */
function nanoseconds(atMs: number, nth: number): string {
  return String(BigInt(Math.round(atMs * 1000)) * 1000n + BigInt(nth));
}
