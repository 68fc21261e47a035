import type { RemoteInfo, Socket } from 'node:dgram';
import { hrtime } from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { given } from '../../../model/given.js';
import type { LinkMeasure } from '../../../model/network-record.js';
import {
  type CheckPlan,
  checkTimes,
  connectionsOf,
  type DirectionPlan,
  headerBytes,
  largeBytes,
  smallBytes,
} from './check-plan.js';

const kinds = { hello: 0, single: 1, rate: 2 } as const;
const fieldsBytes = 16;
const tickMs = 2;
const helloMs = 50;

/** Sends a packet on one of the connections, counted from 0. */
type Send = (packet: Buffer, connection: number) => void;

interface Address {
  readonly address: string;
  readonly port: number;
}

/** Who sends what of the plan; the end inside the network knows where the other one is. */
type LinkEnd = { readonly sends: 'down' } | { readonly sends: 'up'; readonly peer: Address };

/**
 * One end of a link that is being measured. Both ends call this at about the same time, the one inside the network with
 * the other's address and a socket for each connection, the other with one socket. Each sends its part of the plan and
 * resolves with what arrived of the other's. Time is the monotonic clock, which all processes of a host share, so that
 * a delay is measured one way.
 */
export async function measureLink(
  sockets: readonly Socket[],
  plan: CheckPlan,
  end: LinkEnd,
  signal: AbortSignal,
): Promise<LinkMeasure> {
  const received: Received = { delaysMs: new Map(), duplicates: 0, reordered: 0, rateBytes: 0 };
  const listen = (message: Buffer): void => note(message, received);
  for (const socket of sockets) socket.on('message', listen);
  try {
    const put = await (end.sends === 'up'
      ? greet(sockets, end.peer, signal)
      : answer(sockets, connectionsOf(plan), signal));
    const startedMs = performance.now();
    const { rateAtMs, endMs } = checkTimes(plan);
    const [own, other] = end.sends === 'up' ? [plan.up, plan.down] : [plan.down, plan.up];
    await sendAtPace(own.packets, own.perSecond, signal, (number) => put(packet(kinds.single, number, smallBytes), 0));
    await sleepUntil(startedMs + rateAtMs, signal);
    if (own.rate) await sendRate(own.rate, signal, put);
    await sleepUntil(startedMs + endMs, signal);
    return measureOf(received, other.packets, other.rate?.connections);
  } finally {
    for (const socket of sockets) socket.off('message', listen);
  }
}

/** On each of the connections as much. */
function sendRate({ bps, ms, connections }: NonNullable<DirectionPlan['rate']>, signal: AbortSignal, put: Send) {
  const perSecond = (connections * bps) / (8 * (largeBytes + headerBytes));
  return sendAtPace(Math.round((perSecond * ms) / 1000), perSecond, signal, (number) =>
    put(packet(kinds.rate, number, largeBytes), number % connections),
  );
}

/**
 * Says hello on every connection until the other end answers, which it does once it has heard all. Links may lose some.
 */
async function greet(sockets: readonly Socket[], peer: Address, signal: AbortSignal): Promise<Send> {
  const put: Send = (message, connection) =>
    sockets[connection]?.send(message, peer.port, peer.address, () => undefined);
  const all = (): void => {
    for (const connection of sockets.keys()) put(packet(kinds.hello, connection, smallBytes), connection);
  };
  const timer = setInterval(all, helloMs);
  all();
  try {
    await heard(sockets, signal, () => true);
  } finally {
    clearInterval(timer);
  }
  return put;
}

/** Waits for the first hello of each connection. */
async function answer(sockets: readonly Socket[], connections: number, signal: AbortSignal): Promise<Send> {
  const peers = new Map<number, Address>();
  await heard(sockets, signal, (message, from) => {
    if (message.length >= fieldsBytes && message.readUInt32LE(0) === kinds.hello) {
      peers.set(message.readUInt32LE(4), from);
    }
    return peers.size >= connections;
  });
  return (message, connection) => {
    const peer = peers.get(connection);
    if (peer !== undefined) sockets[0]?.send(message, peer.port, peer.address, () => undefined);
  };
}

async function heard(
  sockets: readonly Socket[],
  signal: AbortSignal,
  isEnough: (message: Buffer, from: RemoteInfo) => boolean,
): Promise<void> {
  signal.throwIfAborted();
  const over = new AbortController();
  let listen: (message: Buffer, from: RemoteInfo) => void = () => undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      listen = (message, from) => {
        if (isEnough(message, from)) resolve();
      };
      for (const socket of sockets) socket.on('message', listen);
      signal.addEventListener('abort', () => reject(signal.reason), { once: true, signal: over.signal });
    });
  } finally {
    for (const socket of sockets) socket.off('message', listen);
    over.abort();
  }
}

function packet(kind: number, number: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUInt32LE(kind, 0);
  buffer.writeUInt32LE(number, 4);
  buffer.writeBigInt64LE(hrtime.bigint(), 8);
  return buffer;
}

function note(message: Buffer, received: Received): void {
  const now = hrtime.bigint();
  if (message.length < fieldsBytes) return;
  const kind = message.readUInt32LE(0);
  if (kind === kinds.rate) {
    const atMs = Number(now) / 1e6;
    // The first packet opens the span; its own bytes came before.
    if (received.rateFromMs === undefined) received.rateFromMs = atMs;
    else received.rateBytes += message.length + headerBytes;
    received.rateToMs = atMs;
  }
  if (kind !== kinds.single) return;
  const number = message.readUInt32LE(4);
  if (received.delaysMs.has(number)) {
    received.duplicates += 1;
    return;
  }
  if (number < (received.latest ?? -1)) received.reordered += 1;
  received.latest = Math.max(number, received.latest ?? -1);
  received.delaysMs.set(number, Number(now - message.readBigInt64LE(8)) / 1e6);
}

/** As many packets at each tick as are due. */
async function sendAtPace(packets: number, perSecond: number, signal: AbortSignal, send: (number: number) => void) {
  const startedMs = performance.now();
  let sent = 0;
  while (sent < packets) {
    const due = Math.min(packets, Math.ceil(((performance.now() - startedMs) * perSecond) / 1000));
    for (; sent < due; sent += 1) send(sent);
    await sleepUntil(performance.now() + Math.max(tickMs, 1000 / perSecond), signal);
  }
}

async function sleepUntil(atMs: number, signal: AbortSignal): Promise<void> {
  await sleep(Math.max(0, atMs - performance.now()), undefined, { signal }).catch(() => signal.throwIfAborted());
}

/** What arrived at one end. */
interface Received {
  /** By the number of the packet. */
  readonly delaysMs: Map<number, number>;
  duplicates: number;
  reordered: number;
  latest?: number;
  rateBytes: number;
  rateFromMs?: number;
  rateToMs?: number;
}

/**
 * Medians and quartiles, because a busy host holds a few packets up and that is not the link. The rate is that of one
 * of the connections that were loaded at once: a link that they share has not what was set.
 */
export function measureOf(received: Received, sent: number, connections = 1): LinkMeasure {
  const { delaysMs, duplicates, reordered, rateBytes, rateFromMs, rateToMs } = received;
  const sorted = [...delaysMs.values()].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const [low, middle, high] = [at(0.25), at(0.5), at(0.75)];
  const spanMs = rateFromMs === undefined || rateToMs === undefined ? 0 : rateToMs - rateFromMs;
  const percent = (part: number) => (sent === 0 ? 0 : (100 * part) / sent);
  return {
    sent,
    received: sorted.length,
    ...given({ delayMs: middle, jitterMs: low === undefined || high === undefined ? undefined : high - low }),
    lossPercent: percent(Math.max(0, sent - sorted.length)),
    duplicatePercent: percent(duplicates),
    reorderPercent: percent(reordered),
    ...(spanMs > 0 ? { rateBps: (rateBytes * 8000) / spanMs / connections } : {}),
  };
}
