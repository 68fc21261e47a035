import { videoCodecs } from '../model/codec.js';
import { LoadlineError } from '../model/errors.js';
import type { ServerReading } from '../model/evidence.js';
import type { ResetProof } from '../model/reset-proof.js';
import type { ServerFacts } from '../model/run.js';
import type { Session } from '../model/scenario.js';
import type { ServerAbilities } from '../model/server-abilities.js';
import type { ServerEvent } from '../model/server-event.js';
import type { NegotiationRequest } from '../model/signalling.js';
import { hashOfText, spread } from '../model/text-hash.js';
import type { MediaServer, ResetHow, ServerSession } from '../server-setup/media-server.js';
import type { Conditions } from './conditions.js';
import { healthy, type Symptom, sufferingFrom } from './symptoms.js';

export interface SimulatedServerOptions {
  /** The largest size that it carries, in the scenario's unit. */
  readonly capacity: number;
  /** Over so many sizes around the capacity the outcome is chance; 0 for a sharp limit. */
  readonly flakyWidth?: number;
  /** The capacity falls by this much with each trial; below 0 it rises. */
  readonly driftPercentPerTrial?: number;
  /** The capacity falls by this much with each overload, until a reset that cures it. */
  readonly fatiguePercentPerOverload?: number;
  /** True unless said otherwise. */
  readonly resetCures?: boolean;
  /** What participants notice above the capacity; `mixed` when absent: some are slow, some have loss, some freeze. */
  readonly symptom?: Symptom;
  /** Above this size, further sessions are refused. */
  readonly refusesAbove?: number;
  /** Above this size, the server goes away and does not come back. */
  readonly diesAbove?: number;
  /** How long it takes to answer an offer; absent: no time. */
  readonly answersInMs?: number;
  /** The same for offers that come before it has answered any: a cold start. */
  readonly coldJoinMs?: number;
  /** Sizes of the trials that were run on it before, for a run that is resumed. */
  readonly past?: readonly number[];
  readonly seed: number;
  readonly nowMs: () => number;
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** The size, in the scenario's unit, that so many participants are. */
  readonly sizeOf: (participants: number) => number;
}

/** Of each simulated server. */
export const simulatedCores = 4;

const abilities: ServerAbilities = {
  shapes: ['forward', 'mix', 'mix-sound'],
  mixedFps: 15,
  severalStreams: true,
  records: false,
  tellsResources: true,
  reset: 'listed',
  turn: false,
  codecs: { forwards: videoCodecs, mixes: videoCodecs, records: [] },
};

/** A media server that exists in numbers only: a chosen capacity with chosen faults, the same for the same seed. */
export class SimulatedServer implements MediaServer {
  private readonly listeners: ((event: ServerEvent) => void)[] = [];
  private readonly present = new Set<string>();
  private readonly held = new Set<string>();
  private trial = 0;
  private overloads = 0;
  private overloadedNow = false;
  private lost = false;
  private warm = false;
  private victims: { readonly size: number; readonly ids: ReadonlySet<string> } = { size: 0, ids: new Set() };

  constructor(private readonly options: SimulatedServerOptions) {
    for (const size of options.past ?? []) {
      this.newTrial();
      this.overloadedNow = Math.min(size, options.refusesAbove ?? size) > this.capacityNow();
    }
  }

  async start(): Promise<ServerFacts> {
    return {
      kind: 'simulated',
      nature: 'simulated',
      name: 'simulated server',
      version: '1',
      url: 'simulated:',
      sameHost: false,
      abilities,
    };
  }

  async openSession(session: Session): Promise<ServerSession> {
    this.assertThere();
    this.held.add(session.id);
    return {
      join: (request) => this.join(request),
      close: async () => {
        this.held.delete(session.id);
        for (const { id } of session.participants) this.present.delete(id);
      },
    };
  }

  async reset(_signal: AbortSignal, { anew = true }: ResetHow = {}): Promise<ResetProof> {
    this.assertThere();
    if (anew) this.newTrial();
    this.held.clear();
    this.present.clear();
    this.victims = { size: 0, ids: new Set() };
    return { how: 'listed', tookMs: 0, released: 0, foreign: 0 };
  }

  async stop(): Promise<void> {
    this.present.clear();
  }

  /** From 1: each reset begins one. */
  get trialNow(): number {
    return this.trial;
  }

  onEvent(listener: (event: ServerEvent) => void): void {
    this.listeners.push(listener);
  }

  readonly resources = async (): Promise<ServerReading> => {
    this.assertThere();
    const share = Math.min(0.98, (0.95 * this.size()) / Math.max(1, this.capacityNow()));
    const atMs = this.options.nowMs();
    return { atMs, cpuCores: simulatedCores * share, rssMb: 80 + 2 * this.present.size, sessions: this.held.size };
  };

  readonly kill = async (): Promise<void> => this.die();

  holds(participant: string): boolean {
    return this.present.has(participant);
  }

  /** What this participant gets in this second; `undefined` when nothing arrives any more. */
  conditionsOf(participant: string, second: number): Conditions | undefined {
    if (this.lost || !this.present.has(participant)) return undefined;
    const { seed, symptom = 'mixed' } = this.options;
    const noise = chance(seed, this.trial, participant, second);
    if (!this.victimsNow().has(participant)) return healthy(noise);
    return sufferingFrom(symptom, chance(seed, 'symptom', this.trial, participant), noise);
  }

  private async join({ participant, signal }: NegotiationRequest): ReturnType<ServerSession['join']> {
    const { refusesAbove, diesAbove, answersInMs = 0, coldJoinMs = 0 } = this.options;
    const takesMs = this.warm ? answersInMs : Math.max(answersInMs, coldJoinMs);
    if (takesMs > 0) await this.options.sleep(takesMs, signal);
    this.assertThere();
    const next = this.options.sizeOf(this.present.size + 1);
    if (refusesAbove !== undefined && next > refusesAbove) {
      throw new LoadlineError('E_SERVER_REFUSED', `endpoint refused: the server carries ${refusesAbove} at most`);
    }
    this.present.add(participant.id);
    this.warm = true;
    if (diesAbove !== undefined && this.size() > diesAbove) this.die();
    if (this.size() > this.capacityNow()) this.overloadedNow = true;
    return { answer: 'simulated', addCandidate: async () => undefined };
  }

  private newTrial(): void {
    if (this.overloadedNow) this.overloads += 1;
    if (this.options.resetCures ?? true) this.overloads = 0;
    this.overloadedNow = false;
    this.trial += 1;
  }

  private size(): number {
    return this.options.sizeOf(this.present.size);
  }

  private capacityNow(): number {
    const { capacity, flakyWidth = 0, driftPercentPerTrial = 0, fatiguePercentPerOverload = 0, seed } = this.options;
    const drift = (capacity * driftPercentPerTrial * Math.max(0, this.trial - 1)) / 100;
    const fatigue = (capacity * fatiguePercentPerOverload * this.overloads) / 100;
    return capacity - drift - fatigue + flakyWidth * (chance(seed, 'capacity', this.trial) - 0.5);
  }

  /** Only some suffer, as in the field: the first signs of a full server are a few slow calls among many fine ones. */
  private victimsNow(): ReadonlySet<string> {
    if (this.victims.size === this.present.size) return this.victims.ids;
    const excess = this.size() - this.capacityNow();
    const share = excess <= 0 ? 0 : Math.min(1, (2 * excess) / this.size());
    const ranked = [...this.present].sort((a, b) => this.rank(a) - this.rank(b));
    const ids = new Set(ranked.slice(0, Math.ceil(share * ranked.length)));
    this.victims = { size: this.present.size, ids };
    return ids;
  }

  private rank(participant: string): number {
    return chance(this.options.seed, 'rank', this.trial, participant);
  }

  private die(): void {
    this.lost = true;
    const atMs = this.options.nowMs();
    for (const listener of this.listeners) listener({ kind: 'lost', atMs, detail: 'its process ended (simulated)' });
  }

  private assertThere(): void {
    if (this.lost) throw new LoadlineError('E_SERVER_LOST', 'The simulated server has gone away.');
  }
}

/**
 * Chance that is the same each time: a number in [0, 1) for a list of words and numbers (FNV-1a with a final mix).
 * It depends on nothing else, so that the order in which things are asked does not matter.
 */
export function chance(...parts: readonly (string | number)[]): number {
  return spread(hashOfText(parts.join('|'))) / 2 ** 32;
}
