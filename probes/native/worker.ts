import { readFileSync } from 'node:fs';
import { networkInterfaces } from 'node:os';
import { giveBackMemory } from '../../host/give-back-memory.js';
import { mappedFile } from '../../host/mapped-file.js';
import { given } from '../../model/given.js';
import type { AllowedAddresses } from '../../rtp/ice-guard.js';
import { NativeLink } from '../../rtp/native-link.js';
import { allowedOnly } from '../allowed.js';
import { startTicks } from '../page/clock.js';
import { unpackClip } from '../page/encoded/clip-file.js';
import type { HostCall, HostReply } from '../page/wire.js';
import { NativeProbe } from './native-probe.js';
import { dropsByPort, dropsSince } from './socket-drops.js';
import { type WorkerSurroundings, workerSurroundings } from './surroundings.js';
import type { Channel, FromWorker, ToWorker } from './worker-wire.js';

/** Probes are read a part at a time, so that reading hundreds of them holds up no packet for long. */
const slices = 20;
/** Each part costs a waking and a message: a further one is made for so many more. */
const readTogether = 8;
/** From one part to the next, by the golden section: however many there are, they are far from each other. */
const stride = 13;
/** With more addresses than this a host has mostly bridges of its own. */
const addressesMost = 4;

/** Plays native probes in this process, as the fleet tells it over the channel. */
export class NativeWorker {
  private readonly probes = new Map<string, NativeProbe>();
  /** Which part of a second each is read in: the same from its start to its end, whoever comes and leaves meanwhile. */
  private readonly sliceOf = new Map<NativeProbe, number>();
  private readonly inSlice: number[] = [];
  private readonly replies = new Map<number, (reply: HostReply | null) => void>();
  private readonly ends: (() => void)[] = [];
  private surroundings: WorkerSurroundings | undefined;
  private phaseMs = 0;
  private drops: ReadonlyMap<number, number> = new Map();
  private lateMs = 0;
  private wasHurried = false;
  private hasCollected = false;
  private calls = 0;

  constructor(private readonly channel: Channel<FromWorker, ToWorker>) {
    channel.onMessage((message) => this.take(message));
  }

  private take(message: ToWorker): void {
    switch (message.to) {
      case 'set-up':
        void this.setUp(message);
        return;
      case 'start':
        this.start(message);
        return;
      case 'candidate':
        void this.probes.get(message.probe)?.addCandidate(message.leg, message.candidate);
        return;
      case 'renegotiate':
        void this.renegotiate(message);
        return;
      case 'reply':
        this.replies.get(message.nth)?.(message.reply);
        this.replies.delete(message.nth);
        return;
      case 'hang-up':
        this.hangUp(message.probe);
        return;
      case 'leave':
        this.leave();
        return;
    }
  }

  private async setUp({
    videoCodec,
    ownClock,
    phaseMs,
    clip,
    trustedKey,
    allow,
  }: Extract<ToWorker, { to: 'set-up' }>): Promise<void> {
    await NativeLink.prepare();
    // Frames are views of the file, shared by all probes of this host.
    const sending = clip && { ...clip, clips: clip.paths.map((path) => unpackClip(mappedFile(path))) };
    this.surroundings = workerSurroundings({
      addresses: ownAddresses(),
      ...{ videoCodec, ownClock },
      ...given({ sending, trustedKey, allowed: allow && this.allowedAddresses(allow) }),
    });
    this.ends.push(this.surroundings.pulse.hold());
    this.ends.push(startTicks(phaseMs % 1000, () => this.eachSecond()));
    this.phaseMs = phaseMs;
    this.channel.send({ from: 'ready' });
  }

  /** The first that is forbidden is told: with it, this trial is over for the host. */
  private allowedAddresses(words: readonly string[]): AllowedAddresses {
    const allowed = allowedOnly(words);
    let hasTold = false;
    return {
      permits: (source) => allowed.forbidden({ source }) === undefined,
      onForbidden: (address) => {
        if (!hasTold) this.channel.send({ from: 'forbidden', address });
        hasTold = true;
      },
    };
  }

  private async renegotiate({ nth, probe, leg, offer }: Extract<ToWorker, { to: 'renegotiate' }>): Promise<void> {
    const answer = (await this.probes.get(probe)?.renegotiate(leg, offer)) ?? null;
    this.channel.send({ from: 'renegotiated', nth, answer });
  }

  private start({ order }: Extract<ToWorker, { to: 'start' }>): void {
    if (!this.surroundings) return;
    if (order.relay) this.surroundings.pulse.nodeReads();
    const probe = new NativeProbe(order, this.surroundings, (call) => this.ask(call));
    this.probes.set(order.participant.id, probe);
    const slice = this.emptiestSlice();
    this.sliceOf.set(probe, slice);
    this.inSlice[slice] = (this.inSlice[slice] ?? 0) + 1;
    void probe.start();
  }

  /** Of those that there are, or a new one. */
  private emptiestSlice(): number {
    const fewest = Math.min(...this.inSlice);
    const slice = this.inSlice.length;
    if (slice === slices || fewest < readTogether) return this.inSlice.indexOf(fewest);
    this.inSlice.push(0);
    const at = this.phaseMs + ((slice * stride) % slices) * (1000 / slices);
    this.ends.push(startTicks(at % 1000, ({ lateMs }) => this.read(slice, lateMs)));
    return slice;
  }

  /** Only signalling is answered. */
  private ask(call: HostCall): Promise<HostReply | null> {
    this.calls += 1;
    const nth = this.calls;
    this.channel.send({ from: 'call', nth, call });
    if (call.call !== 'begin' && call.call !== 'negotiate' && call.call !== 'answered') return Promise.resolve(null);
    return new Promise((resolve) => this.replies.set(nth, resolve));
  }

  private read(slice: number, tickLateMs: number): void {
    const lateMs = Math.max(this.lateMs, tickLateMs, this.lagMs());
    const lines: string[] = [];
    for (const [probe, its] of this.sliceOf) {
      const sample = its === slice ? probe.sample(lateMs) : undefined;
      if (sample) lines.push(JSON.stringify(sample));
    }
    if (lines.length > 0) void this.ask({ call: 'samples', samples: lines.join('\n') });
  }

  /** How late this process was at worst since the second began. */
  private lagMs(): number {
    return this.surroundings?.pulse.latestMs ?? 0;
  }

  /**
   * A third of all, which is free afterwards; what JavaScript holds of it first, once: to collect all of it takes 20 ms
   * and more, in which nothing is sent, and of those who come and go one joins again and again while others are
   * measured.
   */
  private giveBackWhatJoiningTook(): void {
    if (!this.hasCollected) globalThis.gc?.();
    this.hasCollected = true;
    giveBackMemory();
  }

  private eachSecond(): void {
    const isHurried = this.surroundings?.pulse.isHurried ?? false;
    if (this.wasHurried && !isHurried) this.giveBackWhatJoiningTook();
    this.wasHurried = isHurried;
    // What is read in a second tells of the second before it, too: none of its lateness is lost between two slices.
    this.lateMs = this.surroundings?.pulse.takeLatestMs() ?? 0;
    const ports = new Set([...this.probes.values()].flatMap((probe) => probe.ports));
    const { lateMs } = this;
    const now = dropsByPort(socketTable(), ports);
    const dropped = dropsSince(this.drops, now);
    this.drops = now;
    this.channel.send({ from: 'second', dropped, lateMs });
  }

  private hangUp(id: string): void {
    const probe = this.probes.get(id);
    const slice = probe && this.sliceOf.get(probe);
    if (!probe || slice === undefined) return;
    probe.leave();
    this.probes.delete(id);
    this.sliceOf.delete(probe);
    this.inSlice[slice] = Math.max(0, (this.inSlice[slice] ?? 0) - 1);
  }

  private leave(): void {
    for (const end of this.ends) end();
    for (const probe of this.probes.values()) probe.leave();
    this.channel.send({ from: 'left' });
  }
}

/** Read in one go: it is made up while read, and a second read costs three times as much. Empty if absent. */
function socketTable(): string {
  try {
    return readFileSync('/proc/self/net/udp', 'utf8');
  } catch {
    return '';
  }
}

/** This host's, without those that others cannot reach; of one that has no other, its loopback. */
function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  const reachable = all.filter(({ family, internal }) => family === 'IPv4' && !internal).map(({ address }) => address);
  return reachable.length > 0 ? reachable.slice(0, addressesMost) : ['127.0.0.1'];
}
