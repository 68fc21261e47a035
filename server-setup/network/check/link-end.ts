import type { RemoteInfo, Socket } from 'node:dgram';
import { hrtime } from 'node:process';
import type { LinkMeasure } from '../../../model/network-record.js';
import { type CheckPlan, checkTimes, type DirectionPlan, headerBytes, largeBytes, smallBytes } from './check-plan.js';
import { type Arrivals, measureOf } from './measure.js';

const kinds = { hello: 0, single: 1, rate: 2 } as const;
const fieldsBytes = 16;
const tickMs = 2;
const helloMs = 50;

/**
 * One end of a link that is being measured. Both ends call this at about the same time, the one inside the network with the
 * other's address. Each sends its part of the plan and resolves with what arrived of the other's. Time is the monotonic clock,
 * which all processes of a host share, so that a delay is measured one way.
 */
export async function measureLink(
  socket: Socket,
  plan: CheckPlan,
  end: { readonly sends: 'up' | 'down'; readonly peer?: { readonly address: string; readonly port: number } },
  signal: AbortSignal,
): Promise<LinkMeasure> {
  const arrivals: Arrivals = { delaysMs: new Map(), duplicates: 0, reordered: 0, rateBytes: 0 };
  const listen = (message: Buffer): void => note(message, arrivals);
  socket.on('message', listen);
  try {
    const peer = await meet(socket, end.peer, signal);
    const startedMs = performance.now();
    const { rateAtMs, endMs } = checkTimes(plan);
    const [own, other] = end.sends === 'up' ? [plan.up, plan.down] : [plan.down, plan.up];
    const send = (kind: number, number: number, bytes: number): void => {
      socket.send(packet(kind, number, bytes), peer.port, peer.address, () => undefined);
    };
    await sendAtPace(own.packets, own.perSecond, signal, (number) => send(kinds.single, number, smallBytes));
    await sleepUntil(startedMs + rateAtMs, signal);
    if (own.rate) await sendRate(own.rate, signal, (number) => send(kinds.rate, number, largeBytes));
    await sleepUntil(startedMs + endMs, signal);
    return measureOf(arrivals, other.packets);
  } finally {
    socket.off('message', listen);
  }
}

function sendRate(
  { bps, ms }: NonNullable<DirectionPlan['rate']>,
  signal: AbortSignal,
  send: (number: number) => void,
) {
  const perSecond = bps / (8 * (largeBytes + headerBytes));
  return sendAtPace(Math.round((perSecond * ms) / 1000), perSecond, signal, send);
}

/** Knocks until the other end is heard, or waits for its knock. A lossy link may swallow some. */
async function meet(
  socket: Socket,
  known: { readonly address: string; readonly port: number } | undefined,
  signal: AbortSignal,
): Promise<{ readonly address: string; readonly port: number }> {
  signal.throwIfAborted();
  const knock = () =>
    known && socket.send(packet(kinds.hello, 0, smallBytes), known.port, known.address, () => undefined);
  const timer = setInterval(knock, helloMs);
  knock();
  const abort = new AbortController();
  try {
    return await new Promise((resolve, reject) => {
      const heard = (_: Buffer, from: RemoteInfo): void => {
        socket.off('message', heard);
        resolve({ address: from.address, port: from.port });
      };
      socket.on('message', heard);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: abort.signal });
    });
  } finally {
    clearInterval(timer);
    abort.abort();
  }
}

function packet(kind: number, number: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(kind, 0);
  buffer.writeUInt32LE(number, 4);
  buffer.writeBigInt64LE(hrtime.bigint(), 8);
  return buffer;
}

function note(message: Buffer, arrivals: Arrivals): void {
  const now = hrtime.bigint();
  if (message.length < fieldsBytes) return;
  const kind = message.readUInt32LE(0);
  if (kind === kinds.rate) {
    const atMs = Number(now) / 1e6;
    // The first packet opens the span; its own bytes came before.
    if (arrivals.rateFromMs === undefined) arrivals.rateFromMs = atMs;
    else arrivals.rateBytes += message.length + headerBytes;
    arrivals.rateToMs = atMs;
  }
  if (kind !== kinds.single) return;
  const number = message.readUInt32LE(4);
  if (arrivals.delaysMs.has(number)) {
    arrivals.duplicates += 1;
    return;
  }
  if (number < (arrivals.latest ?? -1)) arrivals.reordered += 1;
  arrivals.latest = Math.max(number, arrivals.latest ?? -1);
  arrivals.delaysMs.set(number, Number(now - message.readBigInt64LE(8)) / 1e6);
}

/** As many packets at each tick as are due. */
async function sendAtPace(
  packets: number,
  perSecond: number,
  signal: AbortSignal,
  send: (number: number) => void,
): Promise<void> {
  const startedMs = performance.now();
  let sent = 0;
  while (sent < packets) {
    const due = Math.min(packets, Math.ceil(((performance.now() - startedMs) * perSecond) / 1000));
    for (; sent < due; sent += 1) send(sent);
    await sleepUntil(performance.now() + Math.max(tickMs, 1000 / perSecond), signal);
  }
}

function sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(
      () => {
        signal.removeEventListener('abort', abort);
        resolve();
      },
      Math.max(0, atMs - performance.now()),
    );
    signal.addEventListener('abort', abort, { once: true });
  });
}
