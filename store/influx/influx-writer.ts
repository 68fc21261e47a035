import { Point } from '@influxdata/influxdb-client';
import type { DataPoint } from '../points/data-point.js';
import type { PointTarget, WriteOutcome } from '../points/point-sink.js';
import { outcomeOfStatus, post } from '../points/post.js';
import type { InfluxLogin, InfluxTarget } from './influx-address.js';

/** One database of one InfluxDB, of any version. */
export function influxTarget(target: InfluxTarget, login: InfluxLogin): PointTarget {
  return { description: `InfluxDB ${target.label}`, encode: lineOf, write: influxWriter(target, login) };
}

export function influxWriter(target: InfluxTarget, login: InfluxLogin): PointTarget['write'] {
  const authorization = authorizationOf(target, login);
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return (lines, boundMs) =>
    post({ url: target.writeUrl, headers, body: lines.join('\n') }, boundMs, (answer) => {
      if (answer.status >= 200 && answer.status < 300) return { kind: 'taken' };
      const text = new TextDecoder().decode(answer.bytes);
      return outcomeOf(answer.status, text, answer.headers.get('retry-after'), lines.length);
    });
}

function authorizationOf({ api }: InfluxTarget, { token, user, password }: InfluxLogin): string | undefined {
  const basic = `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}`;
  if (api === 1 && user !== undefined) return basic;
  if (token !== undefined) return api === 3 ? `Bearer ${token}` : `Token ${token}`;
  return user === undefined ? undefined : basic;
}

/** By status: HTTP's own meaning, and "partial write" as InfluxDB 1 and 2 say it. */
export function outcomeOf(status: number, text: string, retryAfter: string | null, points: number): WriteOutcome {
  const dropped = /partial write: (?!unable to parse).*dropped=(\d+)/s.exec(text)?.[1];
  const lost = dropped === undefined ? points : Math.min(points, Number(dropped));
  return outcomeOfStatus(status, wordsOf(text), retryAfter, lost);
}

/** The sentence in InfluxDB's JSON: `error` in 1.x and 3, `message` in 2.x. */
function wordsOf(text: string): string {
  return /"(?:error|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"') ?? text;
}

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
