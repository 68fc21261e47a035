import { type Plan, planSchema } from '../../model/plan.js';
import { localHostId } from '../../model/probe-host.js';
import type { Participant } from '../../model/scenario.js';
import type { ProbeFailureCode } from '../../model/trial.js';
import { ComingAndGoing, type DueParticipant, type FleetClock } from '../../probes/coming-and-going.js';
import type { ComingOptions, Fleet, FleetListener, StartFleet } from '../../probes/fleet.js';
import { ProbeLedger } from '../../probes/ledger/probe-ledger.js';
import type { SimulationOptions } from '../../simulation/simulated-parts.js';
import { simulatedSample } from '../../simulation/simulated-samples.js';
import { healthy, sufferingFrom } from '../../simulation/symptoms.js';
import { aSimulatedRun } from '../simulated-run.js';
import { type QueueOptions, queueing } from './queue-server.js';

export interface BrowsingTrial {
  readonly queue: QueueOptions;
  /** With more participants than this there, media of all of them suffers. */
  readonly roomFor?: number;
  /** How long a page takes to make its offer. */
  readonly describeMs?: number;
  /** How long media takes from the answer on. */
  readonly mediaMs?: number;
  /** These lose their connection when they have been there for two seconds. */
  readonly fall?: (participant: string) => boolean;
  /** These never join, because their host is lost. */
  readonly lost?: (participant: string) => boolean;
  /** What befalls these before anybody comes, by the number of their trial. */
  readonly fallsInStandBy?: (participant: string, trial: number) => ProbeFailureCode | undefined;
}

export function aPlanOfBrowsers(holdMs: number, measureMs: number, search: Partial<Plan['search']> = {}): Plan {
  return planSchema.parse({
    scenario: 'one-to-one',
    server: { kind: 'embedded' },
    load: { by: 'arrivals', process: 'constant', holdMs, stay: 'constant', perMs: 10_000, seed: 3 },
    search: { within: 1, ...search },
    timing: { measureMs },
  });
}

/**
 * Parts of a run by arrivals whose participants are browsers that exist in numbers only, on a server that queues; in
 * virtual time, where nothing else is said.
 */
export function browsingParts(trial: BrowsingTrial, time: Pick<Partial<SimulationOptions>, 'clock' | 'startMs'> = {}) {
  const { parts: simulated } = aSimulatedRun({ voidRate: 0, capacity: 1e6, ...time });
  const { clock } = simulated;
  const queued = queueing(simulated.server, clock, trial.queue);
  const startFleet = browsingFleets(clock, trial);
  return { ...queued, parts: { ...simulated, server: queued.server, startFleet } };
}

export function browsingFleets(clock: FleetClock, trial: Omit<BrowsingTrial, 'queue'>): StartFleet {
  let trials = 0;
  return ({ host = localHostId }, listener) => {
    trials += 1;
    return new BrowsingFleet(clock, trial, listener, host, trials);
  };
}

class BrowsingFleet implements Fleet {
  private readonly arrivals: ComingAndGoing;
  private readonly there = new Map<string, { readonly participant: Participant; readonly sinceMs: number }>();
  private readonly gone = new AbortController();
  private ledger = new ProbeLedger([], [], () => undefined);
  private ticking: Promise<void> = Promise.resolve();

  constructor(
    private readonly clock: FleetClock,
    private readonly trial: Omit<BrowsingTrial, 'queue'>,
    private readonly listener: FleetListener,
    private readonly host: string,
    private readonly nth: number,
  ) {
    this.arrivals = new ComingAndGoing(clock, {
      join: (due) => this.play(due),
      hangUp: (probes, outMs) => this.hangUp(probes, outMs),
    });
  }

  async hangUp(probes: readonly string[], outMs: number): Promise<void> {
    for (const id of probes) {
      this.ledger.leaves(id, outMs);
      this.there.delete(id);
    }
  }

  async standBy(participants: readonly Participant[]): Promise<void> {
    const places = participants.map(() => ({ host: this.host, browser: 0, page: 0 }));
    this.ledger = new ProbeLedger(participants, places, (event) => {
      if (event.type === 'probe-up') this.ledger.stays(event.probe, event.atMs);
      this.listener.onEvent(event);
    });
    this.ticking = this.tick();
    for (const { id } of participants) {
      const code = this.trial.fallsInStandBy?.(id, this.nth);
      if (code) this.ledger.failed({ probe: id, code, atMs: this.clock.nowMs(), detail: 'it fell' });
    }
  }

  join(...[participants, options]: Parameters<Fleet['join']>): Promise<void> {
    return this.arrivals.join(participants, options as ComingOptions);
  }

  hosts = () => [{ id: this.host, besideConductor: true as const }];
  records = () => this.ledger.records();
  readHosts = async () => [];
  leave = () => this.arrivals.leave();

  async close(): Promise<void> {
    this.gone.abort();
    await this.arrivals.close();
    await this.ticking;
  }

  private async play({ participant, legs, dueMs, options, signal }: DueParticipant) {
    const { describeMs = 10, mediaMs = 300 } = this.trial;
    const now = () => this.clock.nowMs();
    const begunMs = now();
    const told = { participant: participant.id, session: participant.session, dueMs, begunMs, createdMs: begunMs };
    if (this.trial.lost?.(participant.id)) {
      const failure = { probe: participant.id, code: 'host-lost' as const, atMs: begunMs, detail: 'it has gone' };
      this.ledger.failed(failure);
      return { ...told, endedMs: begunMs, failure };
    }
    await this.clock.sleep(describeMs, signal);
    const describedMs = now();
    const [leg] = legs;
    if (!leg) throw new Error('a participant without a leg');
    try {
      await options.negotiate({ participant, leg, offer: 'v=0', onCandidate: () => undefined, signal });
    } catch (error) {
      const failure = { probe: participant.id, code: 'refused' as const, atMs: now(), detail: String(error) };
      this.ledger.failed(failure);
      return { ...told, describedMs, endedMs: now(), failure };
    }
    const answeredMs = now();
    await this.clock.sleep(mediaMs, signal);
    const firstFrameMs = now();
    const [answerMs, wholeMs] = [answeredMs - begunMs, firstFrameMs - begunMs];
    this.ledger.reached(participant.id, { answerMs, dtlsConnectedMs: answerMs, firstFrameMs: wholeMs });
    this.ledger.up(participant.id, firstFrameMs);
    this.there.set(participant.id, { participant, sinceMs: firstFrameMs });
    const connected = { iceMs: answeredMs, connectedMs: answeredMs, firstFrameMs };
    const servedMs = answeredMs - describedMs;
    return { ...told, describedMs, answeredMs, ...connected, servedMs, endedMs: firstFrameMs };
  }

  private async tick(): Promise<void> {
    const { media } = planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded' } });
    while (!this.gone.signal.aborted) {
      await this.clock.sleep(1000, this.gone.signal).catch(() => undefined);
      if (this.gone.signal.aborted) return;
      const atMs = this.clock.nowMs();
      const suffers = this.there.size > (this.trial.roomFor ?? Number.POSITIVE_INFINITY);
      const conditions = suffers ? sufferingFrom('slow', 0, 0.5) : healthy(0.5);
      const samples = [...this.there].flatMap(([id, { participant, sinceMs }]) => {
        const ageMs = atMs - sinceMs;
        if (ageMs < 1000 || this.fell(id, ageMs, atMs)) return [];
        return [
          simulatedSample(participant, media, {
            host: this.host,
            atMs,
            ageMs,
            noise: 0.5,
            overloaded: false,
            conditions,
          }),
        ];
      });
      this.listener.onSamples(samples);
    }
  }

  private fell(probe: string, ageMs: number, atMs: number): boolean {
    if (ageMs < 2000 || !this.trial.fall?.(probe)) return false;
    this.ledger.failed({ probe, code: 'disconnected', atMs, detail: 'the connection was failed' });
    return true;
  }
}
