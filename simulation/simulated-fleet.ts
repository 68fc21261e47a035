import { setMaxListeners } from 'node:events';
import type { ProbeHostReading } from '../model/evidence.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import type { ProbeFailureCode, ProbeRecord } from '../model/trial.js';
import type { Fleet, FleetListener, FleetOptions, JoinOptions, StartFleet } from '../probes/fleet.js';
import type { ProbePlace } from '../probes/ledger/place.js';
import { ProbeLedger } from '../probes/ledger/probe-ledger.js';
import { type ProbeStart, startsOf } from '../probes/schedule.js';
import type { Conditions } from './conditions.js';
import {
  DealtHosts,
  isOverloaded,
  oneHost,
  overItsLink,
  readingOf,
  SimulatedClocks,
  type SimulatedHost,
} from './simulated-hosts.js';
import { simulatedSample } from './simulated-samples.js';

interface SimulatedFleetOptions {
  /** Time, virtual or real. `sleep` rejects when the signal aborts. */
  readonly clock: { nowMs(): number; sleep(ms: number, signal: AbortSignal): Promise<void> };
  /** What arrives at a participant in this second of the trial; `undefined` when nothing does any more. */
  readonly conditionsOf: (participant: string, second: number) => Conditions | undefined;
  /** A number in [0, 1) for a list of words and numbers, always the same. */
  readonly chance: (...parts: readonly (string | number)[]) => number;
  /** With more probes than this the one probe host is out of CPU. */
  readonly probeLimit?: number;
  /** Absent: one host. */
  readonly hosts?: readonly SimulatedHost[];
  /** Share of trials in which a browser crashes. */
  readonly voidRate?: number;
  /** Which trial it is now, from 1; absent: that of the fleet. */
  readonly trialNow?: () => number;
}

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
  private readonly playing: readonly SimulatedHost[];
  private readonly clocks: SimulatedClocks;
  private dealt: DealtHosts;
  private readonly lost = new Set<SimulatedHost>();
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
  ) {
    this.playing = fake.hosts ?? oneHost(fake.probeLimit, options.host);
    this.dealt = new DealtHosts([], this.playing);
    this.clocks = new SimulatedClocks(this.playing, () => fake.clock.nowMs(), fake.chance);
  }

  async join(participants: readonly Participant[], options: JoinOptions): Promise<void> {
    this.dealt = new DealtHosts(participants, this.playing);
    const ledger = new ProbeLedger(participants, this.dealt.places(this.options), (event) =>
      this.listener.onEvent(event),
    );
    this.participants = participants;
    this.ledger = ledger;
    this.ticking = this.tick();
    await options.begins?.();
    const signal = AbortSignal.any([options.signal, this.gone.signal]);
    setMaxListeners(0, signal);
    const starts = startsOf(participants, options);
    await Promise.all(
      participants.map(async (participant, index) => {
        const start = starts[index] ?? { startMs: 0, sourcesMs: 0 };
        await this.fake.clock.sleep(start.startMs, signal).catch(() => undefined);
        await this.joinOne(participant, start, options, signal);
      }),
    );
    options.signal.throwIfAborted();
  }

  hosts(): readonly ProbeHost[] {
    return this.clocks.told();
  }

  records(): readonly ProbeRecord[] {
    return this.ledger?.records() ?? [];
  }

  async readHosts(): Promise<readonly ProbeHostReading[]> {
    const there = this.playing.filter((host) => !this.lost.has(host));
    return there.map((host) => readingOf(host, this.dealt.probesOn(host), this.clocks.shownBy(host)));
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
    this.ledger?.up(id, this.nowAt(id));
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
      this.clocks.ask();
      this.maybeCrash();
      for (const host of this.playing) if (host.lostInSecond === this.second) this.lose(host);
      this.listener.onSamples(this.participants.flatMap((participant) => this.sampleOf(participant)));
    }
  }

  private sampleOf(participant: Participant) {
    const { id } = participant;
    const host = this.dealt.of(id);
    const upAtMs = this.upAtMs.get(id);
    const nowMs = this.fake.clock.nowMs();
    if (!host || upAtMs === undefined || upAtMs + secondMs > nowMs || this.ledger?.hasFailed(id)) return [];
    const conditions = this.fake.conditionsOf(id, this.second);
    if (!conditions) {
      this.fail(id, 'disconnected', 'the connection went from connected to failed');
      return [];
    }
    const second = {
      host: host.id,
      atMs: this.nowAt(id),
      ageMs: nowMs - upAtMs,
      noise: this.fake.chance('sample', this.trial, id, this.second),
      overloaded: isOverloaded(host, this.dealt.probesOn(host)),
      conditions: overItsLink(host, conditions),
    };
    return [simulatedSample(participant, this.options.media, second)];
  }

  /** What the clock shows where this probe runs. */
  private nowAt(probe: string): number {
    return this.clocks.shownBy(this.dealt.of(probe));
  }

  /** In `voidRate` of the trials browser 0 of the first host crashes. */
  private maybeCrash(): void {
    const { chance, voidRate = 0 } = this.fake;
    if (this.participants.length > this.upAtMs.size || chance('void', this.trial) >= voidRate) return;
    this.secondsUp += 1;
    if (this.secondsUp !== 1 + Math.floor(crashWithinSeconds * chance('crash', this.trial))) return;
    const [host] = this.playing;
    const probes = this.standingAt((place) => place.browser === 0 && place.host === host?.id);
    const [first] = probes;
    if (!host || first === undefined) return;
    this.listener.onEvent({ type: 'browser-crashed', atMs: this.nowAt(first), host: host.id, browser: 0, probes });
    for (const probe of probes) this.fail(probe, 'browser-crashed', 'browser 0 ended with signal 9 (simulated)');
  }

  private lose(host: SimulatedHost): void {
    this.lost.add(host);
    const probes = this.standingAt((place) => place.host === host.id);
    const atMs = this.fake.clock.nowMs();
    const detail = 'it has told nothing for a second (simulated)';
    this.listener.onEvent({ type: 'host-lost', atMs, host: host.id, probes, detail });
    for (const probe of probes) this.ledger?.failed({ probe, code: 'host-lost', atMs, detail });
  }

  private standingAt(matches: (place: ProbePlace) => boolean): readonly string[] {
    return this.ledger?.probesAt(matches).filter((id) => !this.ledger?.hasFailed(id)) ?? [];
  }

  private fail(probe: string, code: ProbeFailureCode, detail: string): void {
    this.ledger?.failed({ probe, code, atMs: this.nowAt(probe), detail });
  }
}
