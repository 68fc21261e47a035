import type { PointTarget, WriteOutcome } from '../points/point-sink.js';
import { outcomeOfStatus, post } from '../points/post.js';
import type { InfluxTarget } from './influx-address.js';
import type { InfluxLogin } from './influx-login.js';
import { lineOf } from './line-protocol.js';

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
