import { randomInt } from 'node:crypto';
import type { Socket } from 'node:dgram';
import type { Outbox } from '../../host/outbox.js';
import { sleepInPlace } from '../../host/sleep-in-place.js';
import type { OnDatagram, PolledSockets, SendDatagram } from '../../rtp/polled-sockets.js';
import { type Due, SoonestFirst } from '../../rtp/soonest-first.js';
import type { Timer } from '../../rtp/timer.js';

/** How often sockets are read. Arrival times are known all the same; answers leave up to this much later. */
const everyMs = 25;
/** While packets are missing, whose way back is to be as long as a browser's. */
const attentiveEveryMs = 20 / 3;
const attentiveMs = 1_000;
/** While connections are made, whose messages follow each other. */
const hurriedEveryMs = 1;
const hurryMs = 3_000;

interface Awaited extends Due {
  dueMs: number;
  act: (() => void) | undefined;
}

/** What it awaits is one object, of which only that is another which is set anew before its time. */
class PulseTimer implements Timer {
  readonly #act: () => void;
  readonly #wait: (awaited: Awaited) => void;
  #awaited: Awaited = { dueMs: 0, act: undefined };

  constructor(act: () => void, wait: (awaited: Awaited) => void) {
    this.#act = () => {
      this.#awaited.act = undefined;
      act();
    };
    this.#wait = wait;
  }

  set(dueMs: number): void {
    this.clear();
    this.#awaited.dueMs = dueMs;
    this.#awaited.act = this.#act;
    this.#wait(this.#awaited);
  }

  /** What is awaited stands in its place in the order, and goes when its time comes. */
  clear(): void {
    if (!this.#awaited.act) return;
    this.#awaited.act = undefined;
    this.#awaited = { dueMs: 0, act: undefined };
  }
}

/** Nothing is done before it is due. */
const unplanned = Number.NaN;

/**
 * What a process of native probes is woken by. At even times it reads what has come to all its sockets: to wake a
 * process costs as much as some ten packets, and what is read together finds its code and its tables at hand. Then it
 * does all that is due until the next time, each with the clock at its own time, and what is sent so waits and leaves
 * at that time, sleeping in between: packets that left together would be read together, too, and a server would carry a
 * third more probes than browsers.
 */
export class Pulse {
  readonly #realMs: () => number;
  readonly #sockets: PolledSockets | undefined;
  readonly #awaited = new SoonestFirst<Awaited>();
  /** Processes of one host do not all wake at once. */
  readonly #phaseMs = randomInt(20_000) / 1000;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The next pulse comes with Node's next turn. */
  #isNext = false;
  /** When what is done now is due. */
  #plannedMs = unplanned;
  #nextMs = 0;
  /** The next pulse is set at its end, when whole milliseconds are least off. */
  #isBeating = false;
  #hurryUntilMs = Number.NEGATIVE_INFINITY;
  #attentiveUntilMs = Number.NEGATIVE_INFINITY;
  #holders = 0;
  #latestMs = 0;
  #isNodeReading: boolean;

  /** @param sockets absent: Node reads them, and wakes the process for each datagram */
  constructor(nowMs: () => number, sockets?: PolledSockets) {
    this.#realMs = nowMs;
    this.#sockets = sockets;
    this.#isNodeReading = sockets === undefined;
  }

  /** The clock of all that is done in it: of what is done before it is due, when it is due. */
  nowMs(): number {
    return Number.isNaN(this.#plannedMs) ? this.#realMs() : this.#plannedMs;
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
    const one: Awaited = { dueMs: this.nowMs() + ms, act };
    this.#await(one);
    return () => {
      one.act = undefined;
    };
  }

  timer(act: () => void): Timer {
    return new PulseTimer(act, (one) => this.#await(one));
  }

  #await(one: Awaited): void {
    this.#awaited.add(one);
    if (this.#isNodeReading && one.dueMs < this.#nextMs) this.#disarm();
    this.#arm();
  }

  /** As `PolledSockets.take`; `undefined` where Node is to read it. */
  take(socket: Socket, onDatagram: OnDatagram): SendDatagram | undefined {
    const send = this.#sockets?.take(socket, onDatagram);
    if (!send) {
      this.nodeReads();
      return undefined;
    }
    this.#hurryUntilMs = this.#realMs() + hurryMs;
    this.#arm();
    return send;
  }

  /** Node now reads sockets itself, which it could not while this slept: what is due has Node's timers instead. */
  nodeReads(): void {
    this.#isNodeReading = true;
  }

  /** Packets are missing here or at the other end: what is said of them is soon to be read. */
  attend(): void {
    this.#attentiveUntilMs = this.#realMs() + attentiveMs;
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
    return this.#realMs() < this.#hurryUntilMs;
  }

  #arm(): void {
    if (this.#isBeating || this.#isNext || this.#timer !== undefined || !this.#isOn()) return;
    const nowMs = this.#realMs();
    const evenMs = this.#evenAfter(nowMs);
    const dueMs = this.#isNodeReading ? (this.#awaited.first?.dueMs ?? evenMs) : evenMs;
    this.#nextMs = Math.max(nowMs, Math.min(evenMs, dueMs));
    // A timer counts whole milliseconds.
    this.#timer = setTimeout(() => this.#beat(), Math.ceil(this.#nextMs - nowMs));
  }

  /** On a grid, so that what the work of a pulse takes does not put off the next one. */
  #evenAfter(nowMs: number): number {
    const period = this.#periodAt(nowMs);
    return nowMs + period - ((nowMs - this.#phaseMs) % period);
  }

  #periodAt(nowMs: number): number {
    if (nowMs < this.#hurryUntilMs) return hurriedEveryMs;
    return nowMs < this.#attentiveUntilMs ? attentiveEveryMs : everyMs;
  }

  #disarm(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #isOn(): boolean {
    return this.#holders > 0 || this.#awaited.first !== undefined || (this.#sockets?.count ?? 0) > 0;
  }

  #beat(): void {
    const wasDueMs = this.#nextMs;
    this.#latestMs = Math.max(this.#latestMs, this.#realMs() - wasDueMs);
    this.#timer = undefined;
    this.#isBeating = true;
    this.#sockets?.read();
    const nowMs = this.#realMs();
    if (!this.#sockets || this.#isNodeReading || this.isHurried) this.#actUntil(nowMs);
    else {
      this.#nextMs = this.#evenAfter(nowMs);
      this.#actAndSendUntil(this.#nextMs, this.#sockets.outbox);
      this.#isNext = this.#isOn();
    }
    this.#isBeating = false;
    // What was held up in the work itself is as late for the pulses that should have been meanwhile.
    this.#latestMs = Math.max(this.#latestMs, this.#realMs() - wasDueMs - this.#periodAt(wasDueMs));
    if (this.#isNext) setImmediate(() => this.#nextBeat());
    else this.#arm();
  }

  /** Node has had its turn. */
  #nextBeat(): void {
    this.#isNext = false;
    this.#beat();
  }

  #actUntil(untilMs: number): void {
    for (let first = this.#awaited.first; first && first.dueMs <= untilMs; first = this.#awaited.first) {
      this.#awaited.removeFirst();
      first.act?.();
    }
  }

  /** Sleeps until then. */
  #actAndSendUntil(untilMs: number, outbox: Outbox): void {
    for (let first = this.#awaited.first; first && first.dueMs < untilMs; first = this.#awaited.first) {
      const nowMs = this.#realMs();
      while (outbox.nextMs <= nowMs) outbox.sendNext();
      if (outbox.isCrowded) this.#sendAll(outbox);
      this.#awaited.removeFirst();
      if (!first.act) continue;
      this.#plannedMs = Math.max(first.dueMs, nowMs);
      outbox.open(this.#plannedMs);
      first.act();
    }
    outbox.close();
    this.#sendAll(outbox);
    this.#plannedMs = unplanned;
    sleepInPlace(untilMs - this.#realMs());
  }

  /** Each at its own time. */
  #sendAll(outbox: Outbox): void {
    for (let { nextMs } = outbox; nextMs < Number.POSITIVE_INFINITY; { nextMs } = outbox) {
      sleepInPlace(nextMs - this.#realMs());
      outbox.sendNext();
    }
  }
}
