import { Socket } from 'node:dgram';

/** A queue of a home router: what would wait longer is dropped. */
const longestQueueMs = 300;

export interface NarrowLink {
  /** Bits per second of each sender; `undefined` opens the link. */
  limit(bitsPerSecond: number | undefined): void;
  close(): void;
}

interface Sender {
  readonly port: number;
}

/** Holds what arrives at this process's UDP sockets to a rate for each sending port, with a queue before it. For benches. */
export function narrowLink(): NarrowLink {
  let bps: number | undefined;
  const busyUntilMs = new Map<number, number>();
  const original = Socket.prototype.emit;
  const narrowed = function (this: Socket, event: string | symbol, ...rest: unknown[]): boolean {
    const pass = (): boolean => Reflect.apply(original, this, [event, ...rest]) as boolean;
    const [datagram, from] = rest;
    if (event !== 'message' || bps === undefined || !(datagram instanceof Buffer)) return pass();
    const { port } = from as Sender;
    const now = performance.now();
    const startsMs = Math.max(now, busyUntilMs.get(port) ?? 0);
    if (startsMs - now > longestQueueMs) return true;
    const endsMs = startsMs + ((datagram.length + 28) * 8000) / bps;
    busyUntilMs.set(port, endsMs);
    setTimeout(pass, endsMs - now);
    return true;
  };
  Socket.prototype.emit = narrowed as typeof original;
  return {
    limit(bitsPerSecond) {
      bps = bitsPerSecond;
      busyUntilMs.clear();
    },
    close() {
      Socket.prototype.emit = original;
    },
  };
}
