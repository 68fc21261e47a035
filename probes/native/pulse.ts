import { randomInt } from 'node:crypto';
import type { Socket } from 'node:dgram';
import type { OnDatagram, PolledSockets, SendDatagram } from '../../host/polled-sockets.js';
import { SoonestFirst } from './soonest-first.js';

/** How often sockets are read. When each datagram came is known all the same; what answers it leaves so much later at most. */
const everyMs = 20 / 3;
/** Before each time Node has its turn for so long. */
const nodesTurnMs = 1;
/** While connections are made, whose messages follow each other. */
const hurriedEveryMs = 1;
const hurryMs = 3_000;
/** Never changed, so that who waits for a change sleeps. */
const unchanged = new Int32Array(new SharedArrayBuffer(4));

interface Awaited {
  readonly dueMs: number;
  act: (() => void) | undefined;
}

/**
 * What a process of native probes is woken by. At even times it reads what has come to all its sockets: to wake a process costs as much as some ten packets, and what is
 * read together finds its code and its tables at hand. What is due it does at its own time, sleeping in between without a turn of Node's loop: packets that left
 * together would be read together, too, and a server would carry a third more probes than browsers.
 */
export class Pulse {
  readonly #nowMs: () => number;
  readonly #sockets: PolledSockets | undefined;
  readonly #awaited = new SoonestFirst<Awaited>(({ dueMs }) => dueMs);
  /** Processes of one host do not all wake at once. */
  readonly #phaseMs = randomInt(20_000) / 1000;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #nextMs = 0;
  /** The next pulse is set at its end, when whole milliseconds are least off. */
  #isBeating = false;
  #hurryUntilMs = Number.NEGATIVE_INFINITY;
  #holders = 0;
  #latestMs = 0;
  #isNodeReading: boolean;

  /** @param sockets absent: Node reads them, and wakes the process for each datagram */
  constructor(nowMs: () => number, sockets?: PolledSockets) {
    this.#nowMs = nowMs;
    this.#sockets = sockets;
    this.#isNodeReading = sockets === undefined;
  }

  /** Keeps on while it is held, though nothing is awaited. Returns what lets it go. */
  hold(): () => void {
    this.#holders += 1;
    this.#arm();
    return () => {
      this.#holders -= 1;
    };
  }

  /** Acts when so much time has passed; returns its cancellation. */
  after(ms: number, act: () => void): () => void {
    const one: Awaited = { dueMs: this.#nowMs() + ms, act };
    this.#awaited.add(one);
    if (this.#isNodeReading && one.dueMs < this.#nextMs) this.#disarm();
    this.#arm();
    return () => {
      one.act = undefined;
    };
  }

  /** As `PolledSockets.take`; `undefined` where Node is to read it. */
  take(socket: Socket, onDatagram: OnDatagram): SendDatagram | undefined {
    const send = this.#sockets?.take(socket, onDatagram);
    if (!send) {
      this.nodeReads();
      return undefined;
    }
    this.#hurryUntilMs = this.#nowMs() + hurryMs;
    this.#arm();
    return send;
  }

  /** There are sockets from now on that Node reads, each datagram as it comes, which it could not while this slept: what is due has timers of Node instead. */
  nodeReads(): void {
    this.#isNodeReading = true;
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
    if (this.#isBeating || this.#timer !== undefined || !this.#isOn()) return;
    const nowMs = this.#nowMs();
    const period = nowMs < this.#hurryUntilMs ? hurriedEveryMs : everyMs;
    // On a grid, so that what the work of a pulse takes does not put off the next one. A timer counts whole milliseconds.
    const evenMs = nowMs + period - ((nowMs - this.#phaseMs) % period);
    const dueMs = this.#isNodeReading ? (this.#awaited.first?.dueMs ?? evenMs) : evenMs;
    this.#nextMs = Math.max(nowMs, Math.min(evenMs, dueMs));
    this.#timer = setTimeout(() => this.#beat(), Math.ceil(this.#nextMs - nowMs));
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #isOn(): boolean {
    return this.#holders > 0 || this.#awaited.first !== undefined || (this.#sockets?.count ?? 0) > 0;
  }

  #beat(): void {
    const nowMs = this.#nowMs();
    const wasDueMs = this.#nextMs;
    this.#latestMs = Math.max(this.#latestMs, nowMs - wasDueMs);
    this.#timer = undefined;
    this.#isBeating = true;
    this.#sockets?.read();
    const maySleep = !this.#isNodeReading && !this.isHurried;
    this.#actUntil(maySleep ? Math.max(nowMs, wasDueMs + everyMs - nodesTurnMs) : nowMs);
    this.#isBeating = false;
    // What was held up in the work itself is as late for the pulses that should have been meanwhile.
    this.#latestMs = Math.max(this.#latestMs, this.#nowMs() - wasDueMs - everyMs);
    this.#arm();
  }

  #actUntil(untilMs: number): void {
    for (let first = this.#awaited.first; first && first.dueMs <= untilMs; first = this.#awaited.first) {
      const earlyMs = first.act ? first.dueMs - this.#nowMs() : 0;
      if (earlyMs > 0) Atomics.wait(unchanged, 0, 0, earlyMs);
      this.#awaited.removeFirst();
      first.act?.();
    }
  }
}
