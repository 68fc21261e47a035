import { Socket } from 'node:dgram';

/** A queue of a home router: what would wait longer is dropped. */
const longestQueueMs = 300;

interface NarrowLink {
  /** Bits per second of each sender; `undefined` opens the link. */
  limit(bitsPerSecond: number | undefined): void;
  close(): void;
}

/**
 * Holds datagrams that this process's UDP sockets send to a rate for each far port, with a queue before it. For
 * benches.
 */
export function narrowLink(): NarrowLink {
  let bps: number | undefined;
  const busyUntilMs = new Map<number, number>();
  /** When a datagram of so many bytes is over the link; `undefined`: it is dropped. */
  const delayMs = (port: number, bytes: number): number | undefined => {
    if (bps === undefined) return 0;
    const now = performance.now();
    const startsMs = Math.max(now, busyUntilMs.get(port) ?? 0);
    if (startsMs - now > longestQueueMs) return undefined;
    const endsMs = startsMs + ((bytes + 28) * 8000) / bps;
    busyUntilMs.set(port, endsMs);
    return endsMs - now;
  };
  const close = narrowSent(delayMs);
  return {
    limit(bitsPerSecond) {
      bps = bitsPerSecond;
      busyUntilMs.clear();
    },
    close,
  };
}

type DelayMs = (port: number, bytes: number) => number | undefined;

/** Of `send(datagram, port, address, done)`, which is how servers here send. Throws where it is called otherwise. */
function narrowSent(delayMs: DelayMs): () => void {
  const { send } = Socket.prototype;
  Socket.prototype.send = function (this: Socket, ...rest: unknown[]): void {
    const [datagram, port] = rest;
    if (!(datagram instanceof Uint8Array) || typeof port !== 'number')
      throw new Error('a narrow link cannot read what is sent here');
    const waitMs = delayMs(port, datagram.length);
    if (waitMs === 0) return void Reflect.apply(send, this, rest);
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(() => done(null, datagram.length));
    // What was sent may be written over by then.
    const copy = Uint8Array.from(datagram);
    if (waitMs !== undefined)
      setTimeout(() => sendLate(() => Reflect.apply(send, this, [copy, port, rest[2], () => undefined])), waitMs);
  } as typeof send;
  return () => Object.assign(Socket.prototype, { send });
}

/** The socket may be closed by then. */
function sendLate(sends: () => void): void {
  try {
    sends();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SOCKET_DGRAM_NOT_RUNNING')) throw error;
  }
}
