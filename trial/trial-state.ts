import { setMaxListeners } from 'node:events';
import type { JudgedRun } from '../analysis/judge/judged-trial.js';
import type { ProbeArtifacts } from '../model/artifacts.js';
import { given } from '../model/given.js';
import type { Plan } from '../model/plan.js';
import type { ProbeHost } from '../model/probe-host.js';
import type { StepReason } from '../model/run.js';
import type { Sample } from '../model/sample.js';
import { type Participant, participantsOf, type Scenario, type Session } from '../model/scenario.js';
import type { Baseline, FleetEvent, ProbeRecord } from '../model/trial.js';
import type { Fleet, FleetListener } from '../probes/fleet.js';
import type { NamedRelay, OpenRelay } from '../server-setup/turn/turn-relay.js';
import type { Comers } from './comers.js';
import { EvidenceWatch } from './evidence-watch.js';
import { onOneClock } from './one-clock.js';
import type { TrialParts } from './parts.js';
import { progressOf } from './progress.js';
import { SampleIntake } from './sample-intake.js';
import { SentVoice } from './sent-voice.js';
import { meansLost, type ServerWatch } from './server-watch.js';
import { stepOf, stepText } from './stepped-clock.js';
import { asLoadlineError, type TrialEnd, TrialOver } from './trial-end.js';
import { TrialFindings } from './trial-findings.js';
import { TrialJournal } from './trial-journal.js';

/** What one trial is run with. */
export interface TrialSetting {
  /** What it is conducted and judged by. */
  readonly run: JudgedRun;
  readonly scenario: Scenario;
  readonly parts: TrialParts;
  readonly watch: ServerWatch;
  readonly index: number;
  readonly size: number;
  /** True where the server is cold: one session joins and leaves before this trial does. */
  readonly warmsUp?: boolean;
  /** Of the whole run; absent: this trial is no part of one. */
  readonly voice?: SentVoice;
  readonly why: StepReason;
  /** It only steers the search, so that it may end once it is clearly stable. */
  readonly screens?: true;
  readonly foresees?: 'stable' | 'unstable';
  /** Its window is so long; absent: as long as the plan has it. */
  readonly heldMs?: number;
  /** Participants per second; absent: as the plan has it. */
  readonly pacePerSecond?: number;
  /** Null for the baseline itself. */
  readonly baseline: Baseline | null;
}

/** Everything one trial knows while it runs. */
export class TrialState implements FleetListener {
  readonly sessions: readonly Session[];
  readonly participants: readonly Participant[];
  /** Those of them whose media is measured: where participants signal alone, the sentinels beside them. */
  readonly probed: readonly Participant[];
  readonly journal: TrialJournal;
  readonly intake: SampleIntake;
  readonly evidence: EvidenceWatch;
  readonly findings = new TrialFindings();
  readonly voice: SentVoice;
  private readonly stopping = new AbortController();
  private readonly stopHearing: () => void;
  private fleet: Fleet | undefined;
  private comers: Comers | undefined;
  private openRelay: OpenRelay | NamedRelay | undefined;
  private isDeaf = false;
  private records: readonly ProbeRecord[] | undefined;
  private ended: TrialEnd | undefined;
  private closed = false;
  private readonly step: () => number;

  constructor(
    readonly setting: TrialSetting,
    private readonly interrupt: AbortSignal,
    /** Already open; whoever opened it closes it. */
    relay?: OpenRelay | NamedRelay,
  ) {
    this.openRelay = relay;
    const { scenario, size, index, parts, watch } = setting;
    this.sessions = scenario.sessions(size);
    this.participants = participantsOf(this.sessions);
    const signals = this.plan.players.kind === 'signalling';
    this.voice = setting.voice ?? new SentVoice(setting.run.server.abilities, scenario);
    this.probed = signals ? this.participants.filter(({ sentinel }) => sentinel) : this.participants;
    this.intake = new SampleIntake(this.probed, this.plan, (samples) => {
      for (const sink of parts.sinks) sink.writeSamples(index, samples);
    });
    this.step = stepOf(parts.clock);
    this.journal = new TrialJournal(index, parts.clock, parts.listener);
    const sources = {
      hosts: async () => this.fleet?.readHosts() ?? [],
      server: async () => parts.server.resources?.(),
      turn: async () => this.openRelay?.resources?.(),
      scraped: async () => parts.readScraped?.() ?? [],
    };
    this.evidence = new EvidenceWatch(parts.clock, sources, () => this.tellSecond());
    this.stopHearing = watch.listen(this.participants.length, (event) => {
      if (this.isDeaf) return;
      this.journal.note({ type: 'server', ...event });
      if (meansLost(event)) this.end({ kind: 'server-lost', detail: event.detail });
    });
    // Every probe that joins listens: Node's warning at eleven is meant for leaks.
    setMaxListeners(0, this.stopping.signal);
    interrupt.addEventListener('abort', this.onInterrupt);
    if (interrupt.aborted) this.onInterrupt();
  }

  get pacePerSecond(): number {
    return this.setting.pacePerSecond ?? this.plan.timing.pacePerSecond;
  }

  get plan(): Plan {
    return this.setting.run.plan;
  }

  /** Aborts when the trial must leave the phase it is in. */
  get signal(): AbortSignal {
    return this.stopping.signal;
  }

  /** What the server says during this work, which is warming it up, is no event of this trial. */
  async notListening<T>(work: () => Promise<T>): Promise<T> {
    this.isDeaf = true;
    try {
      return await work();
    } finally {
      this.isDeaf = false;
    }
  }

  /** The way from the probes to the media server while it is open; absent: they go directly. */
  get relay(): OpenRelay | NamedRelay | undefined {
    return this.openRelay;
  }

  goThrough(relay: OpenRelay | NamedRelay): void {
    this.openRelay = relay;
  }

  /** From here on there is no relay; returns the one that there was, which is to be closed. */
  giveUpRelay(): OpenRelay | NamedRelay | undefined {
    const { openRelay } = this;
    this.openRelay = undefined;
    return openRelay;
  }

  /** @param comers hear what becomes of who comes and goes; absent: all join and stay */
  startFleet(comers?: Comers): Fleet {
    this.comers = comers;
    const { parts, index } = this.setting;
    const { media, probesPerPage, pagesPerBrowser } = this.plan;
    const options = {
      ...{ chromiumPath: parts.chromium.path, media, probesPerPage, pagesPerBrowser, sentinelSeed: index },
      ...this.voice.asked(this.plan),
      ...given({ relay: this.relay }),
      ...(parts.networks?.inside ? { inside: parts.networks.inside.bind(parts.networks) } : {}),
    };
    this.fleet = onOneClock(parts.startFleet)(options, this);
    return this.fleet;
  }

  onSamples(samples: readonly Sample[]): void {
    if (this.closed) return;
    this.intake.add(samples, this.setting.parts.clock.nowMs());
  }

  onEvent(event: FleetEvent): void {
    if (event.type === 'probe-up' && this.comers?.isUp(event.probe, event.atMs))
      this.intake.fold.beginProbe(event.probe);
    if (!this.closed) this.journal.note(event);
  }

  onArtifacts(artifacts: ProbeArtifacts): void {
    if (this.closed) return;
    for (const sink of this.setting.parts.sinks) sink.writeArtifacts?.(this.setting.index, artifacts);
  }

  /** The first end counts; what follows from it does not. */
  end(end: TrialEnd): void {
    if (this.ended) return;
    this.ended = end;
    this.stopping.abort(new TrialOver(end));
  }

  /** Throws when the trial has been ended. To be asked wherever something was waited for. */
  goOn(): void {
    if (this.ended) throw new TrialOver(this.ended);
  }

  /** What became of a trial that `error` ended. The first end counts, for what failed after it failed because of it. */
  endBecauseOf(error: unknown): void {
    if (this.ended) return;
    this.end(error instanceof TrialOver ? error.end : { kind: 'failed', error: asLoadlineError(error) });
  }

  get outcome(): TrialEnd {
    return this.ended ?? { kind: 'complete' };
  }

  /** Up and not failed. */
  probesLeft(): readonly ProbeRecord[] {
    return this.probes().filter((probe) => probe.up && probe.failures.length === 0);
  }

  /** What is known of each probe: now, or at the end of measuring, because hanging up is no failure. */
  probes(): readonly ProbeRecord[] {
    return (
      this.records ??
      this.fleet?.records() ??
      this.participants.map((participant) => ({ participant, browser: 0, page: 0, up: false, join: {}, failures: [] }))
    );
  }

  /** The hosts of its probes; none before they have been there. */
  hosts(): readonly ProbeHost[] {
    return this.fleet?.hosts() ?? [];
  }

  settleRecords(): void {
    this.records ??= this.probes();
  }

  /** No sample and no event counts from here on. */
  close(): void {
    if (!this.closed) this.endSamples();
    this.closed = true;
    this.stopHearing();
    this.interrupt.removeEventListener('abort', this.onInterrupt);
  }

  private endSamples(): void {
    this.intake.passUntil(this.setting.parts.clock.nowMs());
    for (const text of [this.intake.leftOut(), this.intake.overTcp()]) if (text !== undefined) this.journal.warn(text);
  }

  private tellSecond(): void {
    const { clock, listener, sinks } = this.setting.parts;
    const nowMs = clock.nowMs();
    const stepped = stepText(this.step());
    if (stepped !== undefined) this.end({ kind: 'stuck', text: stepped });
    const latest = this.evidence.latest();
    const { index } = this.setting;
    for (const sink of sinks) sink.writeReadings?.(index, latest);
    const progress = progressOf(this, nowMs, this.comers?.counts());
    if (progress) listener({ type: 'second', index, progress });
  }

  private readonly onInterrupt = () => this.end({ kind: 'interrupted' });
}
