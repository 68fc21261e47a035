import { WebSocket } from 'ws';
import { LoadlineError } from '../../model/errors.js';
import { messageBytesMax } from './socket-bounds.js';
import { untrustedCertificate } from './untrusted-certificate.js';

/** Reasons for which nobody was reached at all (errno of connect(2), and of the resolver). */
const unreachableReasons = new Set([
  'ECONNREFUSED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EACCES',
  'EADDRNOTAVAIL',
]);

const closeGraceMs = 300;
const refusalCharacters = 2000;

/** Address of a media server, with its token. */
export interface SocketAddress {
  readonly url: string;
  /** Sent as a bearer token (RFC 6750). */
  readonly token?: string;
}

/** Who is expected at an address, for the words of what goes wrong. */
export interface Expected {
  /** "a Kurento media server". */
  readonly inWords: string;
  /** How its address is given: "--server kurento://host:port". */
  readonly named: string;
  /** What to look at when somebody else answers. */
  readonly todo: string;
  /** The subprotocol that it speaks (RFC 6455, 1.9); absent: none is asked for. */
  readonly subprotocol?: string;
  /** What an answer of HTTP in place of a WebSocket means; undefined: that it is somebody else. */
  readonly refused?: (status: number, text: string) => LoadlineError | undefined;
}

export interface Opening {
  readonly address: SocketAddress;
  readonly timeoutMs: number;
  readonly expected: Expected;
}

/**
 * Opens a WebSocket within `timeoutMs`; it comes paused, for the caller to listen and then `resume`. Rejects with
 * E_SERVER_UNREACHABLE when nobody is there, E_SERVER_PROTOCOL when somebody is who does not speak WebSocket, or with
 * the signal's reason.
 */
export function openSocket({ address, timeoutMs, expected }: Opening, signal: AbortSignal): Promise<WebSocket> {
  const { url, token } = address;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let reached = false;
    const socket = new WebSocket(url, expected.subprotocol === undefined ? [] : [expected.subprotocol], {
      perMessageDeflate: false,
      maxPayload: messageBytesMax,
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
      finishRequest: (request) => {
        request.once('socket', (stream) => {
          stream.once('connect', () => {
            reached = true;
          });
        });
        request.end();
      },
    });
    const settle = (act: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      act();
    };
    const fail = (reason: unknown): void =>
      settle(() => {
        // Ending a socket that is still connecting makes it emit an error, which must find a listener.
        socket.on('error', () => undefined);
        socket.terminate();
        reject(reason);
      });
    const onAbort = (): void => fail(signal.reason);
    const timer = setTimeout(() => fail(silent(url, timeoutMs, reached, expected)), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('unexpected-response', (_request, response) => {
      const { statusCode = 0 } = response;
      void beginningOf(response).then((text) =>
        fail(expected.refused?.(statusCode, text) ?? noWebSocket(url, response.statusCode, expected)),
      );
    });
    socket.once('error', (error: NodeJS.ErrnoException) => fail(failure(url, error, expected)));
    socket.once('open', () =>
      settle(() => {
        socket.removeAllListeners('error');
        // What the server says before the caller listens, a close included, would be missed.
        socket.pause();
        resolve(socket);
      }),
    );
  });
}

/** Enough for why it refuses. Never rejects. */
async function beginningOf(body: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  try {
    for await (const part of body) {
      text += String(part);
      if (text.length >= refusalCharacters) break;
    }
  } catch {
    // Cut off: what came is what it said.
  }
  return text.slice(0, refusalCharacters);
}

/** Closes politely, and for good when the other side does not answer. */
export function hangUp(socket: WebSocket): Promise<void> {
  if (socket.readyState === WebSocket.CLOSED) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(() => socket.terminate(), closeGraceMs);
    socket.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    socket.close(1000);
  });
}

function silent(url: string, timeoutMs: number, reached: boolean, expected: Expected): LoadlineError {
  if (!reached) return unreachable(url, expected, `no connection in ${timeoutMs / 1000} s`);
  return somebodyElse(url, expected, `it took the connection and said nothing for ${timeoutMs / 1000} s`);
}

function failure(url: string, error: NodeJS.ErrnoException, expected: Expected): LoadlineError {
  const untrusted = untrustedCertificate(url, error);
  if (untrusted !== undefined) return untrusted;
  // connect(2) to a name with several addresses fails with an AggregateError, whose message is empty.
  const why = error.message || error.code || 'unknown';
  const make = unreachableReasons.has(error.code ?? '') ? unreachable : somebodyElse;
  return make(url, expected, why, error);
}

function noWebSocket(url: string, status: number | undefined, expected: Expected): LoadlineError {
  return somebodyElse(url, expected, `it answered HTTP ${status ?? '?'} where a WebSocket was asked for`);
}

/** Nobody answers there. */
export function unreachable(url: string, { named }: Expected, why: string, cause?: unknown): LoadlineError {
  return new LoadlineError('E_SERVER_UNREACHABLE', `No media server answers at ${url}.`, {
    where: url,
    why,
    todo: `start the media server, or give its address with ${named}`,
    cause,
  });
}

/** Something answers there that is not who is expected. */
export function somebodyElse(url: string, { inWords, todo }: Expected, why: string, cause?: unknown): LoadlineError {
  return new LoadlineError('E_SERVER_PROTOCOL', `What answers at ${url} is not ${inWords}.`, {
    where: url,
    why,
    todo,
    cause,
  });
}
