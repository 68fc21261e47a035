import { Socket } from 'node:dgram';

/** A queue of a home router: what would wait longer is dropped. */
const longestQueueMs = 300;

interface NarrowLink {
  /** Bits per second of each sender; `undefined` opens the link. */
  limit(bitsPerSecond: number | undefined): void;
  close(): void;
}

interface Sender {
  readonly port: number;
}

/**
 * Holds datagrams of this process's UDP sockets to a rate for each far port, with a queue before it: those that arrive
 * (`up`, the way to a server in this process) or those that are sent (`down`). For benches.
 */
export function narrowLink(way: 'up' | 'down' = 'up'): NarrowLink {
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
  const close = way === 'up' ? narrowArriving(delayMs) : narrowSent(delayMs);
  return {
    limit(bitsPerSecond) {
      bps = bitsPerSecond;
      busyUntilMs.clear();
    },
    close,
  };
}

type DelayMs = (port: number, bytes: number) => number | undefined;

function narrowArriving(delayMs: DelayMs): () => void {
  const { emit } = Socket.prototype;
  Socket.prototype.emit = function (this: Socket, event: string | symbol, ...rest: unknown[]): boolean {
    const pass = (): boolean => Reflect.apply(emit, this, [event, ...rest]) as boolean;
    const [datagram, from] = rest;
    if (event !== 'message' || !(datagram instanceof Buffer)) return pass();
    const waitMs = delayMs((from as Sender).port, datagram.length);
    if (waitMs === 0) return pass();
    if (waitMs !== undefined) setTimeout(pass, waitMs);
    return true;
  } as typeof emit;
  return () => Object.assign(Socket.prototype, { emit });
}

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
