import { setTimeout as sleep } from 'node:timers/promises';
import { atMost, unlessAborted } from '../../host/bounded-wait.js';
import { carriedOf, type KindCalibrations } from '../../model/calibration.js';
import { given } from '../../model/given.js';
import { jsonIn } from '../../model/json-text.js';
import { eachKind } from '../../model/probe-kinds.js';
import { accessIn } from '../../model/turn.js';
import { type Allowed, allowedAll, forbiddenText } from '../allowed.js';
import type { Bus } from './bus.js';
import { type FleetsOfHost, whyNotPlayed } from './fleet-as-asked.js';
import type { MakeNetworks } from './held-networks.js';
import { HeldRun } from './held-run.js';
import { usualLeaseMs } from './lease.js';
import { offerService } from './offering.js';
import { inTrial } from './order-in-trial.js';
import { PlayedTrial } from './played-trial.js';
import { refusalFrom } from './refusals.js';
import type { Speakers } from './signal-relay.js';
import { clockSubject, hostService, offerSubject, orderSubject } from './subjects.js';
import {
  clockQuestion,
  type HostOffer,
  type JoinOrder,
  type Order,
  type OrderReply,
  orderEnvelope,
  wireFormat,
} from './wire.js';
import { isNetworksOrder } from './wire-networks.js';

export interface AgentOptions extends FleetsOfHost {
  readonly bus: Bus;
  /** What this host is. */
  readonly offer: Omit<HostOffer, 'busyBy' | 'leaving' | 'memoryFreeMb'>;
  readonly memoryFreeMb: () => Promise<number | undefined>;
  readonly chromiumPath: string;
  /** Measures what this host carries; rejects when the signal aborts. Absent: it cannot. */
  readonly calibrate?: (signal: AbortSignal) => Promise<KindCalibrations>;
  /** Impairs the networks of its probes. Absent: it cannot. */
  readonly makeNetworks?: MakeNetworks;
  /** Where its probes may send media to; absent: to wherever media servers are. */
  readonly allowed?: Allowed;
  /** Speak to media servers themselves, where a run says so. */
  readonly speakers?: Speakers;
  /** The host's clock, epoch milliseconds. */
  readonly now: () => number;
  /** A conductor that has asked nothing for so long is gone; absent: 10 s. */
  readonly leaseMs?: number;
  /** A line to whoever watches this host. */
  readonly say: (text: string) => void;
}

export interface Agent {
  /** Ends what is under way, after telling the conductor why, a sentence part. Idempotent. */
  close(why: string): Promise<void>;
  /** Takes no further trial, and ends when the one that is under way has, or after so long. */
  drain(why: string, withinMs: number): Promise<void>;
}

const goWithinMs = 5000;
const none: Speakers = new Map();

/** Offers this host to conductors on the bus. Serves one at a time, and obeys the schema of orders. */
export function startAgent(options: AgentOptions): Agent {
  const agent = new HostAgent(options);
  agent.start();
  return agent;
}

class HostAgent implements Agent {
  private readonly options: AgentOptions;
  private readonly ended = new AbortController();
  private held: HeldRun | undefined;
  private stopOffering: (() => void) | undefined;
  private carries: HostOffer['carries'];
  private closing: Promise<void> | undefined;
  /** Why it takes no further trial. */
  private leaving: string | undefined;

  constructor(options: AgentOptions) {
    this.options = options;
    this.carries = options.offer.carries;
  }

  start(): void {
    const { bus, offer } = this.options;
    const { instance, version, name, place, chromium, cores } = offer;
    this.stopOffering = offerService(bus, {
      name: hostService,
      id: instance,
      version,
      facts: { name, cores: String(cores), place: place ?? '', chromium: chromium ?? '' },
      endpoints: [
        { name: 'offer', subject: offerSubject(offer), answered: () => this.offered() },
        { name: 'clock', subject: clockSubject(offer), answered: (text) => this.clock(text) },
        { name: 'order', subject: orderSubject(offer), answered: (text) => this.order(text) },
      ],
    });
    void this.watchLease();
  }

  close(why: string): Promise<void> {
    this.closing ??= this.end(why);
    return this.closing;
  }

  async drain(why: string, withinMs: number): Promise<void> {
    this.leaving = why;
    const { trial } = this.held ?? {};
    if (trial) await unlessAborted(this.ended.signal, atMost(withinMs, trial.over)).catch(() => undefined);
    await this.close(why);
  }

  private async end(why: string): Promise<void> {
    this.ended.abort(new Error(why));
    this.held?.calibrating?.abort(new Error(why));
    await this.held?.trial?.go(why, goWithinMs);
    await this.held?.networks.close();
    this.held = undefined;
    this.stopOffering?.();
  }

  private holds(lease: string): boolean {
    return this.held?.lease === lease && this.held.over !== true;
  }

  private async offered(): Promise<string> {
    const { offer, memoryFreeMb } = this.options;
    const free = await memoryFreeMb();
    const now: HostOffer = {
      ...offer,
      ...given({ carries: this.carries, memoryFreeMb: free, busyBy: this.held?.by, leaving: this.leaving }),
    };
    return JSON.stringify(now);
  }

  private async clock(text: string): Promise<string> {
    const read = clockQuestion.safeParse(jsonIn(text));
    const held = read.success && this.holds(read.data.lease);
    if (held && this.held) this.held.askedAtMs = performance.now();
    const leaving = this.leaving === undefined ? {} : { leaving: this.leaving };
    return JSON.stringify({ atMs: this.options.now(), held, ...leaving });
  }

  private async order(text: string): Promise<string> {
    const read = orderEnvelope.safeParse(jsonIn(text));
    if (!read.success) {
      this.options.say('Refused an order that is none of this version.');
      return JSON.stringify({ ok: false, message: 'this is no order of this version' } satisfies OrderReply);
    }
    const { id, lease, order } = read.data;
    if (order.do === 'reserve') return JSON.stringify(this.reserve(lease, order));
    const { held } = this;
    if (!held || !this.holds(lease)) {
      const message = held ? `it serves ${held.by}` : 'it serves nobody: the lease is over';
      return JSON.stringify({ ok: false, message } satisfies OrderReply);
    }
    return JSON.stringify(await held.orders.answer(id, () => this.carryOut(order, held).catch(refusalFrom)));
  }

  private reserve(lease: string, { by, wireFormat: format, build }: Order & { readonly do: 'reserve' }): OrderReply {
    const { offer, say } = this.options;
    if (this.ended.signal.aborted || this.leaving !== undefined) return { ok: false, message: 'it is ending' };
    if (this.held && !this.holds(lease)) return { ok: false, message: `it serves ${this.held.by}` };
    if (format !== wireFormat || build !== offer.build)
      return { ok: false, message: 'it is another build of Loadline' };
    if (!this.held) say(`Serves ${by}.`);
    const { makeNetworks, now } = this.options;
    this.held ??= new HeldRun({ lease, by, makeNetworks, now });
    return { ok: true };
  }

  private async carryOut(order: Exclude<Order, { readonly do: 'reserve' }>, held: HeldRun): Promise<OrderReply> {
    if (order.do === 'calibrate') return this.calibrate(held);
    if (order.do === 'release') {
      await held.end('the conductor has let this host go');
      if (this.held === held) this.held = undefined;
      this.options.say(`Served ${held.by}.`);
      return { ok: true };
    }
    if (order.do === 'join') {
      if (held.calibrating) return { ok: false, message: 'it is being calibrated' };
      await held.trial?.abandon();
      const refused = this.whyNotJoin(order) ?? held.networks.whyNot(order.participants);
      if (refused !== undefined) return { ok: false, message: refused };
      const { offer: address, allowed = allowedAll, speakers = none } = this.options;
      const { lease, networks } = held;
      const inside = networks.inside ? { inside: networks.inside } : {};
      held.trial = new PlayedTrial(order, { ...this.options, lease, address, allowed, speakers, ...inside });
      return { ok: true };
    }
    if (isNetworksOrder(order)) return held.networks.carryOut(order);
    const { trial } = held;
    if (trial?.id !== order.trial) return { ok: false, message: `no trial ${order.trial} is under way` };
    return inTrial(order, trial);
  }

  /** Nothing else is played meanwhile. */
  private async calibrate(held: HeldRun): Promise<OrderReply> {
    const { calibrate, say } = this.options;
    if (!calibrate) return { ok: false, message: 'it cannot calibrate itself' };
    if (held.calibrating) return { ok: false, message: 'it is being calibrated' };
    await held.trial?.abandon();
    const calibrating = new AbortController();
    held.calibrating = calibrating;
    try {
      say(`Measures what it carries, for ${held.by}.`);
      const measured = await calibrate(calibrating.signal);
      const calibrated = eachKind((kind) => measured[kind]);
      this.carries = carriedOf(calibrated);
      return { ok: true, calibrated };
    } finally {
      delete held.calibrating;
    }
  }

  private whyNotJoin(order: JoinOrder): string | undefined {
    const refused = this.leaving ?? whyNotPlayed(order, this.options);
    if (refused !== undefined) return refused;
    const urls = Object.values(order.relay?.accesses ?? {}).flatMap((way) => accessIn(way)?.url ?? []);
    const address = this.options.allowed?.forbidden({ urls });
    return address === undefined ? undefined : forbiddenText(address);
  }

  /** A conductor that asks no more is gone: what it has started here ends. */
  private async watchLease(): Promise<void> {
    const leaseMs = this.options.leaseMs ?? usualLeaseMs;
    while (!this.ended.signal.aborted) {
      await sleep(leaseMs / 20, undefined, { signal: this.ended.signal }).catch(() => undefined);
      const { held } = this;
      if (!held || performance.now() - held.askedAtMs < leaseMs) continue;
      held.over = true;
      await held.end('the conductor is gone');
      this.held = undefined;
      this.options.say(`${held.by} has asked nothing for ${leaseMs / 1000} s: ended what it had started.`);
    }
  }
}
