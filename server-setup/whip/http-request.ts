import { STATUS_CODES } from 'node:http';
import { LoadlineError } from '../../model/errors.js';
import { type BodyBound, boundedText } from '../sockets/bounded-body.js';
import type { TrafficCount } from '../sockets/traffic-count.js';
import { untrustedCertificate } from '../sockets/untrusted-certificate.js';
import { whyNotSentOn } from './sent-on.js';

interface HttpOrder {
  readonly method: 'OPTIONS' | 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** For the whole of it, redirects and the body included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** Throws of an address that is not to be asked; absent: all may. */
  readonly mayAsk?: (url: string) => void;
  /** Counts bodies, each way; a request without one is a message of no bytes. */
  readonly traffic?: TrafficCount;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Who answered, after redirects. */
  readonly url: string;
}

/** Of what was made: its Location as an absolute address; undefined where none is named, or none that can be read. */
export function locationOf({ headers, url }: HttpAnswer): string | undefined {
  const location = headers.get('location') ?? '';
  // An empty one would be the endpoint itself.
  return location !== '' && URL.canParse(location, url) ? new URL(location, url).href : undefined;
}

/** "405 Method Not Allowed". */
export function statusText({ status }: Pick<HttpAnswer, 'status'>): string {
  return `${status} ${STATUS_CODES[status] ?? ''}`.trim();
}

/** An SDP answer is some 10 kB; of an error one sentence is shown. */
const bodyMbMax = 1;
const boundOf = (url: string): BodyBound => ({
  bytesMax: bodyMbMax * 1_000_000,
  tooLong: () => unspeakable(url, `its answer has more than ${bodyMbMax} MB`),
});
/** As many as a load balancer in front of a load balancer makes, and some more. */
const redirectsMost = 5;

/**
 * One request, redirects followed. A redirect of a request with a body must be 307 or 308, after which it stays what it
 * is (RFC 9725, 4.5); others are errors. The login goes along where `whyNotSentOn` lets it.
 */
export async function askHttp(order: HttpOrder): Promise<HttpAnswer> {
  const late = AbortSignal.timeout(order.timeoutMs);
  const signal = order.signal === undefined ? late : AbortSignal.any([late, order.signal]);
  let { url } = order;
  for (let nth = 0; nth <= redirectsMost; nth += 1) {
    order.mayAsk?.(url);
    const answer = await askOnce({ ...order, url }, signal).catch((error: unknown) => {
      if (order.signal?.aborted) throw order.signal.reason;
      throw late.aborted ? silent(order, url) : failed(order, url, error);
    });
    const next = await redirectOf(order, answer);
    if (next === undefined) return answer;
    url = next;
  }
  throw unspeakable(order.url, `it redirects more than ${redirectsMost} times, at last to ${url}`);
}

async function askOnce(order: HttpOrder, signal: AbortSignal): Promise<HttpAnswer> {
  const { method, url, headers, body, traffic } = order;
  traffic?.asked(body ?? '');
  const response = await fetch(url, { method, headers, redirect: 'manual', signal, body: body ?? null });
  const text = await boundedText(response, boundOf(url));
  traffic?.received(text);
  return { status: response.status, headers: response.headers, text, url };
}

async function redirectOf(order: HttpOrder, { status, headers, url }: HttpAnswer): Promise<string | undefined> {
  if (status < 300 || status > 399) return undefined;
  const target = headers.get('location') ?? '';
  if (status !== 307 && status !== 308) {
    throw unspeakable(url, `it redirects a ${order.method} by ${status}, where the standard asks for 307`);
  }
  if (!URL.canParse(target, url)) throw unspeakable(url, `it redirects to "${target}", which is no address`);
  const next = new URL(target, url).href;
  const whyNot = await whyNotSentOn(url, next, showsLogin(order));
  if (whyNot !== undefined) throw unspeakable(url, `its redirect ${whyNot}`);
  return next;
}

/** Headers that hold no login. */
const plainHeaders = new Set(['content-type', 'accept', 'if-match']);

function showsLogin({ headers }: HttpOrder): boolean {
  return Object.keys(headers).some((name) => !plainHeaders.has(name.toLowerCase()));
}

/** What is there does not do what a server of WHIP or WHEP does. */
export function unspeakable(
  where: string,
  why: string,
  text = 'The server does not speak WHIP as it should.',
): LoadlineError {
  return new LoadlineError('E_SERVER_PROTOCOL', text, { where, why, todo: 'check the addresses of --whip and --whep' });
}

function silent({ method, timeoutMs }: HttpOrder, url: string): LoadlineError {
  const what = `The media server did not answer (${method}) in ${timeoutMs / 1000} s.`;
  const why = 'it took the connection and said nothing';
  return new LoadlineError('E_SERVER_TIMEOUT', what, {
    where: url,
    why,
    todo: 'look at its CPU and log; start it anew',
  });
}

function failed({ method }: HttpOrder, url: string, error: unknown): unknown {
  if (error instanceof LoadlineError) return error;
  const untrusted = untrustedCertificate(url, error);
  if (untrusted !== undefined) return untrusted;
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  return new LoadlineError('E_SERVER_UNREACHABLE', `The media server cannot be reached (${method}).`, {
    where: url,
    why: cause instanceof Error ? cause.message || String((cause as NodeJS.ErrnoException).code) : message,
    todo: 'check that it runs, and the addresses of --whip and --whep',
    cause: error,
  });
}
