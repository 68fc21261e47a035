import type { PointTarget, WriteOutcome } from '../points/point-target.js';
import type { InfluxTarget } from './influx-address.js';
import type { InfluxLogin } from './influx-login.js';

const longestWhy = 240;

/** Posts lines of line protocol. */
export function influxWriter(target: InfluxTarget, login: InfluxLogin): PointTarget['write'] {
  const authorization = authorizationOf(target, login);
  const headers = {
    'content-type': 'text/plain; charset=utf-8',
    ...(authorization === undefined ? {} : { authorization }),
  };
  return async (lines, boundMs) => {
    const signal = AbortSignal.timeout(boundMs);
    try {
      // A redirect would carry the login to somebody else.
      const init = { method: 'POST', headers, body: lines.join('\n'), redirect: 'error', signal } as const;
      const response = await fetch(target.writeUrl, init);
      const text = await response.text();
      if (response.ok) return { kind: 'taken' };
      return outcomeOf(response.status, text, response.headers.get('retry-after'), lines.length);
    } catch (error) {
      return { kind: 'failed', why: networkWords(error, boundMs) };
    }
  };
}

function authorizationOf({ api }: InfluxTarget, { token, user, password }: InfluxLogin): string | undefined {
  const basic = `Basic ${Buffer.from(`${user ?? ''}:${password ?? ''}`).toString('base64')}`;
  if (api === 1 && user !== undefined) return basic;
  if (token !== undefined) return api === 3 ? `Bearer ${token}` : `Token ${token}`;
  return user === undefined ? undefined : basic;
}

/** By status: HTTP's own meaning, and "partial write" as InfluxDB 1 and 2 say it. */
export function outcomeOf(status: number, text: string, retryAfter: string | null, points: number): WriteOutcome {
  const why = `it answered ${status}: ${wordsOf(text)}`;
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? Number.NaN);
    return { kind: 'failed', why, ...(seconds > 0 ? { retryAfterMs: Math.min(seconds, 60) * 1000 } : {}) };
  }
  const dropped = /partial write: (?!unable to parse).*dropped=(\d+)/s.exec(text)?.[1];
  return { kind: 'refused', lost: dropped === undefined ? points : Math.min(points, Number(dropped)), why };
}

/** The sentence in InfluxDB's JSON: `error` in 1.x and 3, `message` in 2.x. */
function wordsOf(text: string): string {
  const said = /"(?:error|message)"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1]?.replaceAll('\\"', '"') ?? text;
  const plain = said.replace(/\s+/g, ' ').trim();
  return plain.length > longestWhy ? `${plain.slice(0, longestWhy)}…` : plain || 'nothing more';
}

function networkWords(error: unknown, boundMs: number): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return `no answer within ${Math.round(boundMs / 1000)} s`;
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
  return code ?? (cause instanceof Error && cause.message !== '' ? cause.message : error.message);
}
