import type { RawData, WebSocket } from 'ws';
import { isNestedDeeperThan } from '../../model/json-text.js';
import { shortText } from '../../model/plain-text.js';

/**
 * The longest answer of a Kurento is its list of thousands of objects, some 100 kB, and that of a Janus its list of
 * rooms. A longer message is not read: `ws` closes the connection with 1009 (RFC 6455, 7.4.1), and a body of HTTP is
 * left where it is, so that no server can fill the memory of who measures it.
 */
export const messageBytesMax = 4 << 20;
/** Far above any answer of a media server, which nests ten at most, and below what overflows a stack. */
const deepestJson = 64;
/** Thousands of endpoints that all join at once say less; more would keep everything else from being done. */
const messagesPerSecondMax = 20_000;
/** RFC 6455, 5.5. */
const reasonCharacters = 123;

/** What it is too much of, as a sentence part, where a text must not be parsed. */
export function tooDeep(text: string): string | undefined {
  return isNestedDeeperThan(text, deepestJson) ? `JSON nested deeper than ${deepestJson}` : undefined;
}

interface SocketHandlers {
  /** A text message; of a binary one, none, unless `onBytes` takes it. */
  onText(text: string): void;
  onBytes?(bytes: Uint8Array): void;
  /** Called once. `how` is a sentence part; `excess` is the bound that was passed, when we ended the connection. */
  onEnd(how: string, excess?: string): void;
}

/** The part of a WebSocket that is used. */
export type BoundedSocket = Pick<WebSocket, 'on' | 'terminate'>;

/** Reads what a media server sends, and ends the connection when it sends more than a working one would. */
export function listenWithBounds(
  socket: BoundedSocket,
  { onText, onBytes, onEnd }: SocketHandlers,
  nowMs = () => performance.now(),
): void {
  let excess: string | undefined;
  const end = (bound: string | undefined): void => {
    excess ??= bound;
    socket.terminate();
  };
  const isFlood = floodGate(nowMs);
  socket.on('message', (data, isBinary) => {
    if (excess !== undefined) return;
    if (isFlood()) end(`more than ${messagesPerSecondMax} messages in a second`);
    else if (isBinary && onBytes) onBytes(bytesOf(data));
    else onText(isBinary ? '' : bytesOf(data).toString());
  });
  socket.on('error', (error) => end(isTooLong(error) ? tooLong : undefined));
  socket.on('close', (code, reason) => {
    if (excess !== undefined) onEnd(`ended from here: it sent ${excess}`, excess);
    else onEnd(`closed with ${code} ${shortText(String(reason), reasonCharacters)}`.trim());
  });
}

const tooLong = `a message of more than ${messageBytesMax >> 20} MiB`;

function isTooLong(error: Error): boolean {
  return 'code' in error && error.code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH';
}

function floodGate(clock: () => number): () => boolean {
  let endsAtMs = 0;
  let count = 0;
  return () => {
    const nowMs = clock();
    if (nowMs >= endsAtMs) {
      endsAtMs = nowMs + 1000;
      count = 0;
    }
    count += 1;
    return count > messagesPerSecondMax;
  };
}

function bytesOf(data: RawData): Buffer {
  return Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer);
}
