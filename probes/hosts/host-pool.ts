import { randomUUID } from 'node:crypto';
import { atMost } from '../../host/bounded-wait.js';
import { once } from '../../host/once.js';
import type { KindShares } from '../../model/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { jsonIn } from '../../model/json-text.js';
import type { HostSpread } from '../../model/plan.js';
import type { ProbeHostId } from '../../model/probe-host.js';
import { clockOf } from '../../model/sender-mark.js';
import { OnceEach } from './asking.js';
import { type Bus, BusSilence } from './bus.js';
import { findHosts } from './find-hosts.js';
import { HeldHost } from './held-host.js';
import { type Batch, readBatch } from './host-messages.js';
import type { RoomyHost } from './placement.js';
import { signalSubject, toldStream, toldSubject, toldSubjects } from './subjects.js';
import { commonChromium, type FoundHost, unfitness, type Wanted } from './unfitness.js';
import { type Signal, type SignalReply, signalEnvelope, wireFormat } from './wire.js';

export interface PoolOptions {
  readonly bus: Bus;
  /** Who holds the hosts, for others who want them: "ada@build-3, process 4711". */
  readonly by: string;
  readonly wanted: Wanted;
  readonly spread: HostSpread;
  readonly probes: KindShares;
  /** Hosts that have to be there; absent: one. */
  readonly atLeast?: number;
  /** Looked for so long, absent: once. */
  readonly waitMs?: number;
  /** Without a word for so long, a host is lost; absent: 10 s. */
  readonly silenceMs?: number;
}

/** Who is told what comes of a trial. */
interface TrialEars {
  onBatch(batch: Batch): void;
  onSignal(host: string, signal: Signal): Promise<SignalReply>;
}

const releaseMs = 3000;
const never = new AbortController().signal;

/** The hosts that one run holds, from its start to its end. */
export class HostPool {
  readonly spread: HostSpread;
  /** What all of them have. */
  readonly chromium: string;
  private readonly bySubject: ReadonlyMap<string, HeldHost>;
  private readonly ears = new Map<string, TrialEars>();
  private readonly signals = new OnceEach<SignalReply>();
  private readonly stops: (() => unknown)[] = [];

  private constructor(
    private readonly options: PoolOptions,
    private readonly lease: string,
    private readonly held: readonly HeldHost[],
    chromium: string,
  ) {
    this.spread = options.spread;
    this.chromium = chromium;
    this.bySubject = new Map(held.map((host) => [toldSubject(lease, host.offer), host]));
  }

  /** Reserves every usable host on the bus. Throws E_HOSTS with why each other is not, E_BUS without a stream. */
  static async open(options: PoolOptions): Promise<HostPool> {
    const { bus, atLeast = 1 } = options;
    const lease = randomUUID();
    const { fit, unfit, chromium } = await fitHosts(options);
    const named = namesOf(fit);
    const clocks = clocksOf(fit);
    const reserved = await Promise.all(
      fit.map(async ({ offer }, nth) => {
        const { silenceMs, probes, wanted } = options;
        const more = {
          probes,
          ownClock: clocks.get(offer.boot) ?? 0,
          boot: wanted.boot,
          netns: wanted.netns,
          ...(silenceMs === undefined ? {} : { silenceMs }),
        };
        const host = new HeldHost({ bus, lease, offer, id: named[nth] ?? '', ...more });
        return { host, refused: await reserve(host, options) };
      }),
    );
    const held = reserved.flatMap(({ host, refused }) => (refused === undefined ? [host] : []));
    const pool = new HostPool(options, lease, held, chromium ?? '');
    const refusals = reserved.flatMap(({ host, refused }) => (refused === undefined ? [] : `${host.id}: ${refused}`));
    try {
      if (held.length < atLeast || held.length === 0) throw tooFew(held.length, atLeast, [...unfit, ...refusals]);
      await pool.listen();
    } catch (error) {
      await pool.close();
      throw error;
    }
    return pool;
  }

  /** The digest of the web app that all of them visit; absent: none is visited. */
  get app(): string | undefined {
    return this.options.wanted.app;
  }

  /** Those that play the next trial. */
  hosts(): readonly HeldHost[] {
    return this.held.filter(({ lost, leaving }) => lost === undefined && leaving === undefined);
  }

  lostHosts(): readonly { readonly id: ProbeHostId; readonly lost: string }[] {
    return this.held.flatMap(({ id, lost, leaving }) => {
      const why = leaving ?? lost;
      return why === undefined ? [] : [{ id, lost: why }];
    });
  }

  /** What probes can be placed on. */
  roomy(): readonly RoomyHost[] {
    return this.hosts().map(({ id, carries, offer: { place, cores } }) => ({
      id,
      cores,
      ...given({ place, carries }),
    }));
  }

  /** From now on, what hosts tell and ask of this trial is told to these. Returns what ends it. */
  play(trial: string, ears: TrialEars): () => void {
    this.ears.set(trial, ears);
    return () => this.ears.delete(trial);
  }

  /** Lets the hosts go. Idempotent, never rejects. */
  readonly close = once(() => this.end());

  private async end(): Promise<void> {
    const signal = AbortSignal.timeout(releaseMs);
    const there = this.held.filter(({ lost }) => lost === undefined);
    await Promise.allSettled(there.map((host) => host.order({ do: 'release' }, signal, releaseMs)));
    for (const host of this.held) host.letGo();
    // A bus that is away answers nobody who ends.
    await atMost(releaseMs, Promise.allSettled(this.stops.map((stop) => stop())));
    await this.options.bus.closeStream(toldStream(this.lease)).catch(() => undefined);
  }

  private async listen(): Promise<void> {
    const { bus } = this.options;
    await bus.openStream(toldStream(this.lease), toldSubjects(this.lease));
    this.stops.push(await bus.read(toldStream(this.lease), (text, subject) => this.hear(text, subject)));
    for (const host of this.held) {
      const { offer } = host;
      this.stops.push(bus.answer(signalSubject(this.lease, offer), (text) => this.answer(offer.instance, text)));
      host.watch();
    }
  }

  /** The bus lets each host write to its own subject only: what is said there in another's name is not heard. */
  private hear(text: string, subject: string): void {
    const host = this.bySubject.get(subject);
    if (!host) return;
    const batch = readBatch(text);
    // Whatever it held is missing now, and nobody knows what that was.
    if (!batch) host.lose('what it told cannot be read');
    if (batch?.host !== host.offer.instance) return;
    host.heard();
    this.ears.get(batch.trial)?.onBatch(batch);
  }

  private async answer(host: string, text: string): Promise<string> {
    const read = signalEnvelope.safeParse(jsonIn(text));
    if (!read.success) return JSON.stringify({ ok: false, message: 'this is no question of this version' });
    const { id, trial, signal } = read.data;
    const gone: SignalReply = { ok: false, message: 'the trial is over' };
    const ears = this.ears.get(trial);
    return JSON.stringify(ears ? await this.signals.answer(id, () => ears.onSignal(host, signal)) : gone);
  }
}

interface Sorted {
  readonly fit: readonly FoundHost[];
  /** Each a line: its name, and why not. */
  readonly unfit: readonly string[];
  readonly chromium: string | undefined;
}

const lookAgainMs = 250;

async function fitHosts({ bus, wanted, atLeast = 1, waitMs = 0 }: PoolOptions): Promise<Sorted> {
  const endMs = performance.now() + waitMs;
  for (;;) {
    const sorted = sortOut(await findHosts(bus), wanted);
    if (sorted.fit.length >= atLeast || performance.now() >= endMs) return sorted;
    await new Promise((resolve) => setTimeout(resolve, lookAgainMs));
  }
}

function sortOut(found: readonly FoundHost[], wanted: Wanted): Sorted {
  const chromium = commonChromium(found, wanted);
  const looked = found.map((host) => ({
    host,
    why: unfitness(host, { ...wanted, ...(chromium ? { chromium } : {}) }),
  }));
  return {
    fit: looked.flatMap(({ host, why }) => (why === undefined ? [host] : [])),
    unfit: looked.flatMap(({ host, why }) => (why === undefined ? [] : `${host.offer.name}: ${why}`)),
    chromium,
  };
}

/** Why it could not be had; `undefined` when it is held. */
async function reserve(host: HeldHost, { by, wanted }: PoolOptions): Promise<string | undefined> {
  try {
    const reply = await host.order({ do: 'reserve', by, wireFormat, build: wanted.build }, never);
    if (!reply.ok) return reply.message;
    await host.setClock();
    return undefined;
  } catch (error) {
    return error instanceof BusSilence ? 'it does not answer' : 'what its clock shows cannot be read';
  }
}

/** One for each machine. */
function clocksOf(hosts: readonly FoundHost[]): ReadonlyMap<string, number> {
  const clocks = new Map<string, number>();
  for (const { offer } of hosts)
    if (!clocks.has(offer.boot)) clocks.set(offer.boot, clockOf(offer.boot, [...clocks.values()]));
  return clocks;
}

/** Names are for people, and two hosts may have one: then they are numbered. */
function namesOf(hosts: readonly FoundHost[]): readonly ProbeHostId[] {
  const names = hosts.map(({ offer }) => offer.name);
  return names.map((name, nth) => {
    const same = names.slice(0, nth).filter((one) => one === name).length;
    return same === 0 ? name : `${name}-${same + 1}`;
  });
}

function tooFew(there: number, atLeast: number, why: readonly string[]): LoadlineError {
  const what =
    there === 0 ? 'No probe host on the bus can serve.' : `${there} of ${atLeast} probe hosts can serve, and no more.`;
  return new LoadlineError('E_HOSTS', what, {
    where: '--hosts',
    why: why.length > 0 ? why.join('\n') : 'none answers',
    todo: 'start some with loadline host --bus URL; loadline hosts --bus URL tells of each',
  });
}
