import { setMaxListeners } from 'node:events';
import type { ProbeHostReading } from '../model/evidence.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeFailureCode, ProbeRecord } from '../model/trial.js';
import { layOut } from '../probes/chromium/layout.js';
import { ProbeLedger } from '../probes/chromium/probe-ledger.js';
import { type ProbeStart, startSchedule } from '../probes/chromium/schedule.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../probes/fleet.js';
import type { Conditions } from './conditions.js';
import { simulatedSample } from './simulated-samples.js';

export interface SimulatedFleetOptions {
  /** Time, virtual or real. `sleep` rejects when the signal aborts. */
  readonly clock: { nowMs(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };
  /** What arrives at a participant in this second of the trial; `undefined` when nothing does any more. */
  readonly conditionsOf: (participant: string, second: number) => Conditions | undefined;
  /** A number in [0, 1) for a list of words and numbers, always the same. */
  readonly chance: (...parts: readonly (string | number)[]) => number;
  /** With more probes than this the probe host is out of CPU. */
  readonly probeLimit?: number;
  /** Share of trials in which a browser crashes. */
  readonly voidRate?: number;
  /** Which trial it is now, from 1; absent: that of the fleet. */
  readonly trialNow?: () => number;
}

const hostCores = 8;
/** From the answer, and from the start of the last source, whichever is later. */
const mediaMs = 300;
const afterAnswer = { answerMs: 100, iceConnectedMs: 150, dtlsConnectedMs: 200 };
const secondMs = 1000;
/** After all are up. A window is as long at least, so that no crash comes too late to be seen. */
const crashWithinSeconds = 10;

/** Fleets of probes that do not exist: they join, give samples and fail as real ones do, on any clock. */
export function simulatedFleets(fake: SimulatedFleetOptions): StartFleet {
  let fleets = 0;
  return (options, listener) => {
    fleets += 1;
    return new SimulatedFleet(fake, options, listener, fake.trialNow?.() ?? fleets);
  };
}

class SimulatedFleet implements Fleet {
  private participants: readonly Participant[] = [];
  private ledger: ProbeLedger | undefined;
  private readonly upAtMs = new Map<string, number>();
  private readonly gone = new AbortController();
  private ticking: Promise<void> | undefined;
  private second = 0;
  private secondsUp = 0;

  constructor(
    private readonly fake: SimulatedFleetOptions,
    private readonly options: FleetOptions,
    private readonly listener: FleetListener,
    private readonly trial: number,
  ) {}

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    const { probesPerPage, pagesPerBrowser } = this.options;
    const { places } = layOut(participants.length, probesPerPage, pagesPerBrowser);
    const ledger = new ProbeLedger(participants, places, (event) => this.listener.onEvent(event));
    this.participants = participants;
    this.ledger = ledger;
    this.ticking = this.tick();
    const signal = AbortSignal.any([options.signal, this.gone.signal]);
    setMaxListeners(0, signal);
    const schedule = startSchedule(participants, options.pacePerSecond);
    await Promise.all(
      participants.map(async (participant, index) => {
        const start = schedule[index] ?? { startMs: 0, sourcesMs: 0 };
        await this.fake.clock.sleep(start.startMs, signal).catch(() => undefined);
        await this.joinOne(participant, start, options, signal);
      }),
    );
    options.signal.throwIfAborted();
  }

  records(): readonly ProbeRecord[] {
    return this.ledger?.records() ?? [];
  }

  async readHost(): Promise<ProbeHostReading> {
    const busyCores = this.overloaded() ? hostCores : 0.5 + 0.01 * this.participants.length;
    const atMs = this.fake.clock.nowMs();
    return {
      atMs,
      cores: hostCores,
      busyCores: Math.min(hostCores, busyCores),
      stealCores: 0,
      probeCores: Math.min(hostCores, busyCores) * 0.95,
      memoryAvailableMb: 16_000,
    };
  }

  async leave(): Promise<void> {
    this.gone.abort();
    await this.ticking;
  }

  close(): Promise<void> {
    return this.leave();
  }

  private async joinOne(
    participant: Participant,
    { sourcesMs }: ProbeStart,
    options: JoinOptions,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock } = this.fake;
    const { id } = participant;
    const startedMs = clock.nowMs();
    const deadlineMs = options.deadlineMs + sourcesMs;
    if (sourcesMs > 0) this.ledger?.reached(id, { sourcesStartedMs: sourcesMs });
    try {
      if (!(await this.answered(participant, deadlineMs, options, signal))) {
        this.fail(id, 'signalling-timeout', `no SDP answer in ${deadlineMs / 1000} s`);
        return;
      }
      const waitedMs = clock.nowMs() - startedMs;
      const { answerMs, iceConnectedMs, dtlsConnectedMs } = afterAnswer;
      this.ledger?.reached(id, {
        answerMs: waitedMs + answerMs,
        iceConnectedMs: waitedMs + iceConnectedMs,
        dtlsConnectedMs: waitedMs + dtlsConnectedMs,
      });
      await clock.sleep(Math.max(0, sourcesMs - waitedMs) + mediaMs, signal);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      this.fail(id, signal.aborted ? 'aborted' : 'refused', detail);
      return;
    }
    this.upAtMs.set(id, clock.nowMs());
    this.ledger?.reached(id, { firstFrameMs: clock.nowMs() - startedMs });
    this.ledger?.up(id, clock.nowMs());
  }

  /** Whether every leg got its answer in time. Rejects as the server does. */
  private async answered(
    participant: Participant,
    deadlineMs: number,
    options: JoinOptions,
    signal: AbortSignal,
  ): Promise<boolean> {
    const waiting = new AbortController();
    const answers = participant.legs.map(async (leg) => {
      const request = { participant, leg, onCandidate: () => undefined, signal };
      const first = await options.begin?.({ ...request, renegotiate: async () => 'simulated' });
      if (first?.by === 'server') await first.answer('simulated');
      else await options.negotiate({ ...request, offer: 'simulated' });
    });
    const late = this.fake.clock.sleep(deadlineMs, waiting.signal).then(() => false);
    try {
      return await Promise.race([Promise.all(answers).then(() => true), late]);
    } finally {
      late.catch(() => undefined);
      waiting.abort('no longer waited for');
    }
  }

  private async tick(): Promise<void> {
    while (!this.gone.signal.aborted) {
      await this.fake.clock.sleep(secondMs, this.gone.signal).catch(() => undefined);
      if (this.gone.signal.aborted) return;
      this.second += 1;
      this.maybeCrash();
      this.listener.onSamples(this.participants.flatMap((participant) => this.sampleOf(participant)));
    }
  }

  private sampleOf(participant: Participant) {
    const { id } = participant;
    const upAtMs = this.upAtMs.get(id);
    const atMs = this.fake.clock.nowMs();
    if (upAtMs === undefined || upAtMs + secondMs > atMs || this.ledger?.hasFailed(id)) return [];
    const conditions = this.fake.conditionsOf(id, this.second);
    if (!conditions) {
      this.fail(id, 'disconnected', 'the connection went from connected to failed');
      return [];
    }
    const noise = this.fake.chance('sample', this.trial, id, this.second);
    const second = { atMs, ageMs: atMs - upAtMs, noise, overloaded: this.overloaded(), conditions };
    return [simulatedSample(participant, this.options.media, second)];
  }

  private overloaded(): boolean {
    return this.participants.length > (this.fake.probeLimit ?? Number.POSITIVE_INFINITY);
  }

  private maybeCrash(): void {
    const { chance, voidRate = 0 } = this.fake;
    if (this.participants.length > this.upAtMs.size || chance('void', this.trial) >= voidRate) return;
    this.secondsUp += 1;
    if (this.secondsUp !== 1 + Math.floor(crashWithinSeconds * chance('crash', this.trial))) return;
    const probes =
      this.ledger?.probesAt(({ browser }) => browser === 0).filter((id) => !this.ledger?.hasFailed(id)) ?? [];
    if (probes.length === 0) return;
    this.listener.onEvent({ type: 'browser-crashed', atMs: this.fake.clock.nowMs(), browser: 0, probes });
    for (const probe of probes) this.fail(probe, 'browser-crashed', 'browser 0 ended with signal 9 (simulated)');
  }

  private fail(probe: string, code: ProbeFailureCode, detail: string): void {
    this.ledger?.failed({ probe, code, atMs: this.fake.clock.nowMs(), detail });
  }
}
