import { arrivalsRecord } from '../analysis/arrivals/arrivals-record.js';
import { type ArrivalsPlan, leadInMs, sessionsPerSecond } from '../model/arrivals.js';
import type { ArrivedJoin, EndedStay } from '../model/join.js';
import { localHostId, type ProbeHostId } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import { type SignallingTraffic, trafficBetween } from '../model/signalling-traffic.js';
import type { ComingOptions, Fleet } from '../probes/fleet.js';
import { type ArrivalSchedule, arrivalSchedule } from './arrival-schedule.js';
import { ArrivingMedia } from './arriving-media.js';
import { residentMissing } from './arriving-resident.js';
import { bounded } from './bounded.js';
import { Comers } from './comers.js';
import { MeetingLegs } from './meeting-legs.js';
import type { Scope } from './scope.js';
import { SessionBook } from './session-book.js';
import { TrialOver } from './trial-end.js';
import type { TrialState } from './trial-state.js';
import { undoBoundMs } from './trial-steps.js';
import type { Party } from './who-comes.js';

/** Between being told and the first who is due: time to be ready, so that the first is not late. */
const readyMs = 250;
/** The last who were due have their time to join, and those who play them so long to say what became of them. */
const graceMs = 5000;
const secondMs = 1000;

/**
 * Joining, settling and measuring where the load is how fast sessions come: they begin before the window, until as many
 * leave as come, and go on to its end, and those who were due in it are waited for.
 */
export class ArrivingTrial {
  private readonly stays: EndedStay[] = [];
  /** How late timers woke, by who has them: the conductor, and each host. */
  private readonly asleepMs = new Map<ProbeHostId, number[]>();
  private dueMs: ReadonlyMap<string, number> = new Map();
  private beginMs = 0;
  private coming: Promise<void> = Promise.resolve();
  private readonly schedule: ArrivalSchedule;
  private readonly meeting: MeetingLegs | undefined;
  private readonly media: ArrivingMedia;
  private readonly comers: Comers;
  private traffic: SignallingTraffic | undefined;
  /** Aborts when all who are there lose their connections. */
  private readonly lost = new AbortController();

  constructor(
    private readonly state: TrialState,
    private readonly arrivals: ArrivalsPlan,
  ) {
    const { coming } = state.setting.scenario;
    // Each trial has other times, or repeats of a size would all have the same luck.
    const seeded = { ...arrivals, seed: arrivals.seed + state.setting.index };
    this.schedule = arrivalSchedule(state.sessions, coming, seeded, {
      size: state.setting.size,
      measureMs: state.plan.timing.measureMs,
    });
    this.comers = new Comers(this.schedule.partyOf);
    this.media = new ArrivingMedia(state, this.schedule, this.comers);
    this.meeting = coming?.meets && new MeetingLegs(coming.meets);
  }

  /** Until the window begins. Returns what makes all leave: those who stay, their sessions, and who plays them. */
  async join(scope: Scope): Promise<() => Promise<void>> {
    const { state } = this;
    const { server } = state.setting.parts;
    const fleet = state.startFleet(this.comers);
    const book = new SessionBook(server, state.sessions, state.signal);
    const endFleet = scope.defer('end who plays the participants', () => fleet.close());
    const closeSessions = scope.defer('close the sessions on the media server', () => book.close());
    const hangUp = scope.defer('hang up the participants', () => fleet.leave());
    const stopReading = scope.defer('stop reading the load of the hosts', () => state.evidence.stop());
    state.evidence.start();
    const residentsMs = this.schedule.residents.length > 0 ? state.plan.thresholds.joinMsMax : 0;
    const boundMs = this.media.boundMs + residentsMs + readyMs + leadInMs(this.arrivals);
    await state.journal.phase('join', boundMs, async () => {
      await this.media.prepare(fleet, book, this.joinOptions(book));
      await this.joinResidents(fleet, book);
      this.beginMs = state.setting.parts.clock.nowMs() + readyMs;
      this.dueMs = new Map([...this.schedule.afterMs].map(([id, ms]) => [id, this.beginMs + ms]));
      const comers = this.schedule.parties.flatMap(({ participants }) => participants);
      this.coming = fleet.join(comers, this.joinOptions(book));
      if (this.arrivals.reconnect) void this.loseAllInTheStorm();
      // Who plays them may fail at any time: then the trial is over, whatever it waits for.
      this.coming.catch((error: unknown) => state.endBecauseOf(error));
      await this.sleepUntil(this.windowStartMs);
    });
    return () =>
      state.journal.phase('leave', undoBoundMs, async () => {
        for (const undo of [stopReading, hangUp, closeSessions, endFleet]) await undo();
      });
  }

  private async loseAllInTheStorm(): Promise<void> {
    const { clock } = this.state.setting.parts;
    const atMs = this.beginMs + (this.schedule.storm?.afterMs ?? 0);
    await clock.sleep(Math.max(0, atMs - clock.nowMs()), this.state.signal).then(
      () => this.lost.abort(),
      () => undefined,
    );
  }

  /** Whoever the others come for. When one of them does not join, what the others find is not what was asked. */
  private async joinResidents(fleet: Fleet, book: SessionBook): Promise<void> {
    const { residents } = this.schedule;
    if (residents.length === 0) return;
    const failed: ArrivedJoin[] = [];
    const { arriving, ...rest } = this.joinOptions(book);
    const nowMs = arriving.nowMs();
    const onJoin = (join: ArrivedJoin) => void (join.failure && failed.push(join));
    await fleet.join(residents, { ...rest, arriving: { ...arriving, dueMs: () => nowMs, onJoin } });
    const [first] = failed;
    if (first) throw residentMissing(first, this.state.plan.players.kind !== 'signalling');
  }

  private joinOptions(book: SessionBook): ComingOptions {
    const { state, dueMs, comers, stays, asleepMs, schedule } = this;
    const { plan, signal } = state;
    const parties = new Map(schedule.parties.map((party) => [party.id, party]));
    const participants = new Map(state.participants.map((one) => [one.id, one]));
    return {
      pacePerSecond: plan.timing.pacePerSecond,
      deadlineMs: plan.thresholds.joinMsMax,
      negotiate: book.negotiate,
      begin: book.begin,
      signal,
      arriving: {
        nowMs: () => state.setting.parts.clock.nowMs(),
        dueMs: ({ id }: Participant) => dueMs.get(id) ?? this.beginMs,
        partyOf: ({ id }: Participant) => schedule.partyOf.get(id)?.id,
        legsOf: (one: Participant) => this.meeting?.come(one) ?? one.legs,
        lost: this.lost.signal,
        atOnce: schedule.atOnce,
        stayMs: (party: string) => schedule.stayMs.get(party) ?? this.arrivals.holdMs,
        end: (party: string) => this.end(book, parties.get(party)),
        onJoin: (join: ArrivedJoin) => {
          comers.joined(join);
          const participant = participants.get(join.participant);
          if (participant) this.meeting?.joined(participant);
        },
        onStay: (stay: EndedStay) => void stays.push(stay),
        onAsleep: (ms: number, host: ProbeHostId = localHostId) => {
          if (!this.isInWindow()) return;
          const known = asleepMs.get(host);
          if (known) known.push(ms);
          else asleepMs.set(host, [ms]);
        },
      },
    };
  }

  private async end(book: SessionBook, party: Party | undefined): Promise<void> {
    if (!party) return;
    if (this.state.setting.scenario.coming?.who !== 'members') return book.end(party.session);
    for (const one of party.participants) {
      const legs = (await this.meeting?.leave(one)) ?? one.legs.map(({ id }) => id);
      await book.leave(party.session, one.id, legs);
    }
  }

  private get windowStartMs(): number {
    return this.beginMs + leadInMs(this.arrivals);
  }

  private isInWindow(): boolean {
    const { window } = this.state.findings.now;
    return (
      window !== undefined &&
      this.state.setting.parts.clock.nowMs() < this.windowStartMs + this.state.plan.timing.measureMs
    );
  }

  /** Measures the full window, then waits until late joiners have joined or failed. */
  async measure(): Promise<void> {
    const { state } = this;
    const { plan, findings, setting } = state;
    const { clock, server } = setting.parts;
    const { measureMs } = plan.timing;
    await state.journal.phase('measure', measureMs + plan.thresholds.joinMsMax, async () => {
      const startMs = this.windowStartMs;
      findings.windowBegan(startMs);
      this.media.windowBegan(startMs);
      const before = server.traffic?.();
      try {
        await this.sleepUntil(startMs + measureMs);
      } finally {
        const endedMs = Math.min(startMs + measureMs, clock.nowMs());
        findings.windowEnded(endedMs);
        this.media.windowEnded(endedMs);
        this.traffic = trafficBetween(before, server.traffic?.());
      }
      await this.media.lastSamples();
      const patienceMs = plan.thresholds.joinMsMax + graceMs;
      const result = await bounded(clock, patienceMs, () => this.coming);
      state.goOn();
      // That they leave, when all do, is no failure of theirs.
      state.settleRecords();
      if (result.inTime) return;
      const text = `${patienceMs / 1000} s after the last was due, some participants had neither joined nor failed.`;
      throw new TrialOver({ kind: 'stuck', text });
    });
  }

  private async sleepUntil(atMs: number): Promise<void> {
    const { state } = this;
    const { clock } = state.setting.parts;
    while (clock.nowMs() < atMs) {
      await clock.sleep(Math.min(secondMs, atMs - clock.nowMs()), state.signal);
      state.goOn();
    }
  }

  /** What came of it, once all have left; nothing where the window never began. */
  tell(): void {
    const { state, dueMs, comers, stays, asleepMs, traffic, schedule } = this;
    const { window } = state.findings.now;
    if (!window) return;
    const storm = schedule.storm && {
      atMs: this.beginMs + schedule.storm.afterMs,
      participants: schedule.storm.participants,
      losesAll: this.arrivals.reconnect === true,
    };
    state.findings.add({
      arrivals: arrivalsRecord({
        sessionsPerSecond: sessionsPerSecond(state.setting.size, this.arrivals),
        window,
        dueMs,
        joins: comers.joins,
        stays,
        asleepMs: [...asleepMs.values()],
        storm,
        traffic,
        areBrowsers: state.plan.players.kind !== 'signalling',
      }),
    });
  }
}
