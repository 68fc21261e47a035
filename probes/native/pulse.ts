import { randomInt } from 'node:crypto';
import type { Socket } from 'node:dgram';
import type { OnDatagram, PolledSockets, SendDatagram } from '../../host/polled-sockets.js';
import { SoonestFirst } from './soonest-first.js';

/**
 * Both packets of sound, each 20 ms, and pictures, each 33.3 ms, are due every so many pulses, so that none leaves unevenly. What has come
 * meanwhile is told with the time at which it came.
 */
const everyMs = 20 / 3;
/** While connections are made, whose messages follow each other. */
const hurriedEveryMs = 1;
const hurryMs = 3_000;

interface Awaited {
  readonly dueMs: number;
  act: (() => void) | undefined;
}

/**
 * What a process of native probes is woken by: at even times it reads what has come to all its sockets, and does what has become due since. To wake a process costs as
 * much as some ten packets, and what is done together finds its code and its tables at hand: woken for each packet and each timer it took twice as much.
 */
export class Pulse {
  readonly #nowMs: () => number;
  readonly #sockets: PolledSockets | undefined;
  readonly #awaited = new SoonestFirst<Awaited>(({ dueMs }) => dueMs);
  /** Processes of one host do not all wake at once. */
  readonly #phaseMs = randomInt(20_000) / 1000;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextMs = 0;
  #hurryUntilMs = Number.NEGATIVE_INFINITY;
  #holders = 0;
  #latestMs = 0;

  /** @param sockets absent: Node reads them, and wakes the process for each datagram */
  constructor(nowMs: () => number, sockets?: PolledSockets) {
    this.#nowMs = nowMs;
    this.#sockets = sockets;
  }

  /** Keeps on while it is held, though nothing is awaited. Returns what lets it go. */
  hold(): () => void {
    this.#holders += 1;
    this.#arm();
    return () => {
      this.#holders -= 1;
    };
  }

  /** Acts at the first pulse at which so much time has passed; returns its cancellation. */
  after(ms: number, act: () => void): () => void {
    const one: Awaited = { dueMs: this.#nowMs() + ms, act };
    this.#awaited.add(one);
    this.#arm();
    return () => {
      one.act = undefined;
    };
  }

  /** As `PolledSockets.take`; `undefined` where Node is to read it. */
  take(socket: Socket, onDatagram: OnDatagram): SendDatagram | undefined {
    const send = this.#sockets?.take(socket, onDatagram);
    if (!send) return undefined;
    this.#hurryUntilMs = this.#nowMs() + hurryMs;
    this.#arm();
    return send;
  }

  /** By how much the latest pulse came late since this was asked last, milliseconds. */
  takeLatestMs(): number {
    const latestMs = this.#latestMs;
    this.#latestMs = 0;
    return latestMs;
  }

  get latestMs(): number {
    return this.#latestMs;
  }

  /** Whether connections are being made. */
  get isHurried(): boolean {
    return this.#nowMs() < this.#hurryUntilMs;
  }

  #arm(): void {
    if (this.#timer !== undefined || !this.#isOn()) return;
    const nowMs = this.#nowMs();
    const period = nowMs < this.#hurryUntilMs ? hurriedEveryMs : everyMs;
    // On a grid, so that what the work of a pulse takes does not put off the next one. A timer counts whole milliseconds.
    this.#nextMs = nowMs + period - ((nowMs - this.#phaseMs) % period);
    this.#timer = setTimeout(() => this.#beat(), Math.ceil(this.#nextMs - nowMs));
  }

  #isOn(): boolean {
    return this.#holders > 0 || this.#awaited.first !== undefined || (this.#sockets?.count ?? 0) > 0;
  }

  #beat(): void {
    const nowMs = this.#nowMs();
    this.#latestMs = Math.max(this.#latestMs, nowMs - this.#nextMs);
    this.#timer = undefined;
    this.#sockets?.read();
    for (let first = this.#awaited.first; first && first.dueMs <= nowMs; first = this.#awaited.first) {
      this.#awaited.removeFirst();
      first.act?.();
    }
    // What was held up in the work itself is as late for the pulses that should have been meanwhile.
    this.#latestMs = Math.max(this.#latestMs, this.#nowMs() - this.#nextMs - everyMs);
    this.#arm();
  }
}
