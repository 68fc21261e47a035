import { Socket } from 'node:dgram';
import { seededRandom } from '../../model/seeded-random.js';

interface LossyLink {
  close(): void;
}

/** Loses this share (0 to 1) of the media that UDP sockets of this process receive, and send. For benches. */
export function lossyLink(share: number, seed: number): LossyLink {
  const draw = seededRandom(seed);
  const isLost = (datagram: unknown): boolean => {
    const [first = 0] = datagram instanceof Uint8Array ? datagram : [];
    // RFC 7983, 7: RTP and RTCP. Handshakes are left alone: a resent one would be counted as a slow start.
    return first >= 128 && first <= 191 && draw() < share;
  };
  const { emit, send } = Socket.prototype;
  Socket.prototype.emit = function (this: Socket, event: string | symbol, ...rest: unknown[]): boolean {
    if (event === 'message' && isLost(rest[0])) return true;
    return Reflect.apply(emit, this, [event, ...rest]) as boolean;
  } as typeof emit;
  Socket.prototype.send = function (this: Socket, ...rest: unknown[]): void {
    if (!isLost(rest[0])) {
      Reflect.apply(send, this, rest);
      return;
    }
    const done = rest.at(-1);
    if (typeof done === 'function') process.nextTick(() => done(null, 0));
  } as typeof send;
  return {
    close() {
      Object.assign(Socket.prototype, { emit, send });
    },
  };
}
