import { WebSocket } from 'ws';
import { LoadlineError } from '../../model/errors.js';
import { messageBytesMax } from './socket-bounds.js';

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

/** Where a media server is reached, and what it wants to see. */
export interface Door {
  readonly url: string;
  /** Sent as a bearer token (RFC 6750). */
  readonly token?: string;
}

/**
 * Opens a WebSocket within `timeoutMs`; it comes paused, for the caller to listen and then `resume`. Rejects with E_SERVER_UNREACHABLE when nobody is there, E_SERVER_PROTOCOL when
 * somebody is who does not speak WebSocket, or with the signal's reason.
 */
export function openSocket({ url, token }: Door, timeoutMs: number, signal: AbortSignal): Promise<WebSocket> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let reached = false;
    const socket = new WebSocket(url, {
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
    const timer = setTimeout(() => fail(silent(url, timeoutMs, reached)), timeoutMs);
    signal.addEventListener('abort', onAbort, { once: true });
    socket.once('unexpected-response', (_request, response) => fail(noWebSocket(url, response.statusCode)));
    socket.once('error', (error: NodeJS.ErrnoException) => fail(failure(url, error)));
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

function silent(url: string, timeoutMs: number, reached: boolean): LoadlineError {
  if (!reached) return unreachable(url, `no connection in ${timeoutMs / 1000} s`);
  return notKurento(url, `it took the connection and said nothing for ${timeoutMs / 1000} s`);
}

function failure(url: string, error: NodeJS.ErrnoException): LoadlineError {
  // connect(2) to a name with several addresses fails with an AggregateError, whose message is empty.
  const why = error.message || error.code || 'unknown';
  return unreachableReasons.has(error.code ?? '') ? unreachable(url, why, error) : notKurento(url, why, error);
}

function noWebSocket(url: string, status: number | undefined): LoadlineError {
  return notKurento(url, `it answered HTTP ${status ?? '?'} where a WebSocket was asked for`);
}

function unreachable(url: string, why: string, cause?: unknown): LoadlineError {
  return new LoadlineError('E_SERVER_UNREACHABLE', `No media server answers at ${url}.`, {
    where: url,
    why,
    todo: 'start the media server, or give its address with --server kurento://host:port',
    cause,
  });
}

/** Something answers there that is no Kurento. */
export function notKurento(url: string, why: string, cause?: unknown): LoadlineError {
  return new LoadlineError('E_SERVER_PROTOCOL', `What answers at ${url} is not a Kurento media server.`, {
    where: url,
    why,
    todo: 'check port and path; Kurento listens on port 8888, path /kurento, unless told otherwise',
    cause,
  });
}
