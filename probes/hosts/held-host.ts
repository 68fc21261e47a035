import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { carriedTogether, type KindShares } from '../../model/calibration.js';
import { given } from '../../model/given.js';
import { jsonIn } from '../../model/json-text.js';
import type { HostClock, ProbeHost, ProbeHostId } from '../../model/probe-host.js';
import { ClockEstimate } from '../clock-estimate.js';
import { askClock } from './ask-clock.js';
import { ask } from './asking.js';
import type { Bus } from './bus.js';
import { orderSubject } from './subjects.js';
import { type HostOffer, type Order, type OrderReply, orderReply } from './wire.js';

interface HeldHostOptions {
  readonly bus: Bus;
  readonly lease: string;
  readonly offer: HostOffer;
  /** What it is called in the run. */
  readonly id: ProbeHostId;
  /** Its clock, as marks name it. */
  readonly ownClock: number;
  /** Of the conductor's machine. */
  readonly boot: string;
  /** The conductor's network namespace; absent: nobody knows. */
  readonly netns?: string | undefined;
  /** What kinds of probes it is to play. */
  readonly probes: KindShares;
  /** Without a word for so long, it is lost; absent: 10 s. */
  readonly silenceMs?: number;
}

/** As long as a host waits for its conductor: either gives the other up at about the same time. */
const usualSilenceMs = 10_000;
const askEveryMs = 1000;
const clockWithinMs = 2000;
const orderWithinMs = 20_000;
/** What stands around the participants in an order to join: identity, lease, media, addresses. */
const orderAroundBytes = 20_000;
const orderAgainMs = 2000;
const firstExchanges = 5;

/** A host that serves this run: its clock, orders to it, and whether it is still there. */
export class HeldHost {
  readonly id: ProbeHostId;
  readonly offer: HostOffer;
  readonly ownClock: number;
  /** Why it plays no more, a sentence part. */
  lost: string | undefined;
  /** Why it plays no further trial, a sentence part. */
  leaving: string | undefined;
  private readonly options: HeldHostOptions;
  private readonly estimate = new ClockEstimate();
  private readonly ended = new AbortController();
  private readonly onLost = new Set<(why: string) => void>();
  private heardAtMs = performance.now();

  constructor(options: HeldHostOptions) {
    this.options = options;
    this.id = options.id;
    this.offer = options.offer;
    this.ownClock = options.ownClock;
  }

  private get isOnThisMachine(): boolean {
    return this.options.boot === this.offer.boot;
  }

  /** The conductor's machine has the conductor's clock. */
  facts(): ProbeHost {
    const { id, carries } = this;
    const { cores, place } = this.offer;
    const known = { cores, ...given({ place, carries }) };
    if (this.isOnThisMachine) {
      const apart = this.offer.netns === this.options.netns ? {} : { ownNetwork: true as const };
      return { id, besideConductor: true, ...apart, ...known };
    }
    const { clock } = this;
    return { id, ...known, ...(clock ? { clock } : {}) };
  }

  /** So many probes of the kinds that are played, as it was calibrated. */
  get carries(): number | undefined {
    const { carries } = this.offer;
    return carries && carriedTogether(carries, this.options.probes);
  }

  /** Absent where it is the conductor's own. */
  get clock(): HostClock | undefined {
    return this.isOnThisMachine ? undefined : this.estimate.clock(Date.now());
  }

  /** The conductor's own is what others are told by. */
  get clockFromOurs(): HostClock | undefined {
    return this.isOnThisMachine ? { offsetMs: 0, boundMs: 0 } : this.clock;
  }

  /** What its own clock shows when ours shows this. */
  itsTime(atMs: number): number {
    return atMs - this.offsetMs;
  }

  /** What ours shows when its own clock shows this. */
  ourTime(atMs: number): number {
    return atMs + this.offsetMs;
  }

  private get offsetMs(): number {
    return this.clock?.offsetMs ?? 0;
  }

  /** Asks its clock a few times, one after the other. Rejects with `BusSilence`. */
  async setClock(): Promise<void> {
    for (let nth = 0; nth < firstExchanges; nth += 1) await this.askClock();
  }

  /** Whether an order of so many bytes, and what is around it, goes over the bus. */
  mayBeTold(bytes: number): boolean {
    return bytes + orderAroundBytes <= this.options.bus.textBytesMax;
  }

  /** Idempotent replies come of one id: an order that is given again is carried out once. */
  async order(order: Order, signal: AbortSignal, withinMs = orderWithinMs): Promise<OrderReply> {
    const { bus, lease, offer } = this.options;
    const text = JSON.stringify({ id: randomUUID(), lease, order });
    const bytes = Buffer.byteLength(text);
    if (bytes > bus.textBytesMax) {
      return { ok: false, message: `an order of ${bytes} bytes is too long for the bus (${bus.textBytesMax})` };
    }
    const asking = { withinMs, againAfterMs: orderAgainMs, signal };
    const answer = await ask(bus, orderSubject(offer), text, asking);
    const read = orderReply.safeParse(jsonIn(answer));
    return read.success ? read.data : { ok: false, message: 'its answer cannot be read' };
  }

  /** From now on it is held, and lost when it has not said anything for too long. */
  watch(): void {
    this.heard();
    void this.keepHeld();
  }

  /** It has told something. */
  heard(): void {
    this.heardAtMs = performance.now();
  }

  lose(why: string): void {
    if (this.lost !== undefined) return;
    this.lost = why;
    this.ended.abort(new Error(why));
    for (const listener of this.onLost) listener(why);
  }

  /** Called once, at once when it is lost already. Returns what stops listening. */
  whenLost(listener: (why: string) => void): () => void {
    if (this.lost !== undefined) listener(this.lost);
    else this.onLost.add(listener);
    return () => this.onLost.delete(listener);
  }

  /** Nothing is asked of it any more. */
  letGo(): void {
    this.ended.abort(new Error('the run is over'));
  }

  private async keepHeld(): Promise<void> {
    const { signal } = this.ended;
    const silenceMs = this.options.silenceMs ?? usualSilenceMs;
    while (!signal.aborted) {
      // No answer, or none that can be read: it has said nothing.
      const held = await this.askClock().catch(() => undefined);
      if (signal.aborted) return;
      if (held === false) return this.lose(this.leaving ?? 'it had given this run up, or was started anew');
      if (performance.now() - this.heardAtMs > silenceMs)
        return this.lose(`it has told nothing for ${silenceMs / 1000} s`);
      await sleep(Math.min(askEveryMs, silenceMs / 5), undefined, { signal }).catch(() => undefined);
    }
  }

  /** Whether it still serves this run. */
  private async askClock(): Promise<boolean> {
    const { bus, lease, offer } = this.options;
    const withinMs = Math.min(clockWithinMs, this.options.silenceMs ?? usualSilenceMs);
    const { exchange, held, leaving } = await askClock(bus, offer, lease, withinMs);
    this.estimate.add(exchange);
    this.leaving ??= leaving;
    this.heard();
    return held;
  }
}

/** Those of one machine together, which disturb one another in what they measure. */
export function byMachine(hosts: readonly HeldHost[]): readonly (readonly HeldHost[])[] {
  const machines = new Map<string, HeldHost[]>();
  for (const host of hosts) machines.set(host.offer.boot, [...(machines.get(host.offer.boot) ?? []), host]);
  return [...machines.values()];
}
