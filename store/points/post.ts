import type { WriteOutcome } from './point-sink.js';

const longestWhy = 240;

interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
}

export interface PostAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Posts once; without an answer in this time it has failed. Never rejects. */
export async function post(
  { url, headers, body }: Post,
  boundMs: number,
  outcomeOf: (answer: PostAnswer) => WriteOutcome,
): Promise<WriteOutcome> {
  const signal = AbortSignal.timeout(boundMs);
  try {
    // A redirect would carry the login to somebody else.
    const response = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal });
    const bytes = new Uint8Array(await response.arrayBuffer());
    return outcomeOf({ status: response.status, headers: response.headers, bytes });
  } catch (error) {
    return { kind: 'failed', why: networkWords(error, boundMs) };
  }
}

/** By HTTP's own meaning of a status that is no success; `lost` is what a refusal costs. */
export function outcomeOfStatus(status: number, said: string, retryAfter: string | null, lost: number): WriteOutcome {
  const why = `it answered ${status}: ${shortened(said)}`;
  if (status === 408 || status === 429 || status >= 500) {
    const seconds = Number(retryAfter ?? Number.NaN);
    return { kind: 'failed', why, ...(seconds > 0 ? { retryAfterMs: Math.min(seconds, 60) * 1000 } : {}) };
  }
  return { kind: 'refused', lost, why };
}

function shortened(said: string): string {
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
