import { arrivalTimes, stayTimes } from '../analysis/arrivals/arrival-times.js';
import { arrivalsRecord } from '../analysis/arrivals/arrivals-record.js';
import { type ArrivalsPlan, leadInMs, type SignallingTraffic, sessionsPerSecond } from '../model/arrivals.js';
import type { ArrivedJoin, EndedStay } from '../model/join.js';
import type { Participant } from '../model/scenario.js';
import { bounded } from './bounded.js';
import type { Scope } from './scope.js';
import { SessionBook } from './session-book.js';
import type { TrialDesk } from './trial-desk.js';
import { TrialOver } from './trial-end.js';
import { undoBoundMs } from './trial-steps.js';

/** Between being told and the first who is due: time to be ready, so that the first is not late. */
const readyMs = 250;
/** The last who were due have their time to join, and those who play them so long to say what became of them. */
const graceMs = 5000;
const secondMs = 1000;

/**
 * Joining, settling and measuring where the load is how fast sessions come: they begin before the window, until as many leave as come,
 * and go on to its end, and those who were due in it are waited for.
 */
export class ArrivingTrial {
  private readonly joins: ArrivedJoin[] = [];
  private readonly stays: EndedStay[] = [];
  private readonly asleepMs: number[] = [];
  private dueMs: ReadonlyMap<string, number> = new Map();
  private beginMs = 0;
  private coming: Promise<void> = Promise.resolve();
  private traffic: SignallingTraffic | undefined;

  constructor(
    private readonly desk: TrialDesk,
    private readonly arrivals: ArrivalsPlan,
  ) {
    desk.came = () => {
      const failed = this.joins.filter(({ failure }) => failure !== undefined).length;
      return { up: this.joins.length - failed, failed };
    };
  }

  /** Until the window begins. Returns what makes all leave: those who stay, their sessions, and who plays them. */
  async join(scope: Scope): Promise<() => Promise<void>> {
    const { desk } = this;
    const { server } = desk.setting.parts;
    const fleet = desk.startFleet();
    const book = new SessionBook(server, desk.sessions, desk.signal);
    const endFleet = scope.defer('end who plays the participants', () => fleet.close());
    const closeSessions = scope.defer('close the sessions on the media server', () => book.close());
    const hangUp = scope.defer('hang up the participants', () => fleet.leave());
    const stopReading = scope.defer('stop reading the load of the hosts', () => desk.evidence.stop());
    desk.evidence.start();
    const boundMs = leadInMs(this.arrivals) + readyMs;
    await desk.journal.phase('join', boundMs, async () => {
      this.beginMs = desk.setting.parts.clock.nowMs() + readyMs;
      this.dueMs = this.schedule();
      this.coming = fleet.join(desk.participants, this.joinOptions(book));
      // Who plays them may fail at any time: then the trial is over, whatever it waits for.
      this.coming.catch((error: unknown) => desk.endBecauseOf(error));
      await this.sleepUntil(this.windowStartMs);
    });
    return () =>
      desk.journal.phase('leave', undoBoundMs, async () => {
        for (const undo of [stopReading, hangUp, closeSessions, endFleet]) await undo();
      });
  }

  private joinOptions(book: SessionBook) {
    const { desk, dueMs, joins, stays, asleepMs } = this;
    const { plan, signal, sessions } = desk;
    const stayOf = new Map(
      stayTimes(this.seeded(), sessions.length).map((ms, index) => [sessions[index]?.id ?? '', ms] as const),
    );
    return {
      pacePerSecond: plan.timing.pacePerSecond,
      deadlineMs: plan.thresholds.joinMsMax,
      negotiate: book.negotiate,
      begin: book.begin,
      signal,
      arriving: {
        nowMs: () => desk.setting.parts.clock.nowMs(),
        dueMs: ({ id }: Participant) => dueMs.get(id) ?? this.beginMs,
        stayMs: (session: string) => stayOf.get(session) ?? this.arrivals.holdMs,
        end: (session: string) => book.end(session),
        onJoin: (join: ArrivedJoin) => void joins.push(join),
        onStay: (stay: EndedStay) => void stays.push(stay),
        onAsleep: (ms: number) => {
          if (this.isInWindow()) asleepMs.push(ms);
        },
      },
    };
  }

  /** All who take part in a session are due when it is. */
  private schedule(): ReadonlyMap<string, number> {
    const { sessions, plan } = this.desk;
    const overMs = leadInMs(this.arrivals) + plan.timing.measureMs;
    const times = arrivalTimes({ ...this.seeded(), count: sessions.length, overMs });
    return new Map(
      sessions.flatMap(({ participants }, index) =>
        participants.map(({ id }) => [id, this.beginMs + (times[index] ?? 0)] as const),
      ),
    );
  }

  /** Each trial has other times, or repeats of a size would all have the same luck. */
  private seeded(): ArrivalsPlan {
    return { ...this.arrivals, seed: this.arrivals.seed + this.desk.setting.index };
  }

  private get windowStartMs(): number {
    return this.beginMs + leadInMs(this.arrivals);
  }

  private isInWindow(): boolean {
    const { window } = this.desk.findings.now;
    return (
      window !== undefined &&
      this.desk.setting.parts.clock.nowMs() < this.windowStartMs + this.desk.plan.timing.measureMs
    );
  }

  /** The whole window, for what becomes of the last who come is not known before, and then until those have joined or failed. */
  async measure(): Promise<void> {
    const { desk } = this;
    const { plan, findings, setting } = desk;
    const { clock, server } = setting.parts;
    const { measureMs } = plan.timing;
    await desk.journal.phase('measure', measureMs + plan.thresholds.joinMsMax, async () => {
      const startMs = this.windowStartMs;
      findings.windowBegan(startMs);
      const before = server.traffic?.();
      try {
        await this.sleepUntil(startMs + measureMs);
      } finally {
        findings.windowEnded(Math.min(startMs + measureMs, clock.nowMs()));
        this.traffic = trafficBetween(before, server.traffic?.());
      }
      const patienceMs = plan.thresholds.joinMsMax + graceMs;
      const result = await bounded(clock, patienceMs, () => this.coming);
      desk.goOn();
      if (result.inTime) return;
      const text = `${patienceMs / 1000} s after the last was due, some participants had neither joined nor failed.`;
      throw new TrialOver({ kind: 'stuck', text });
    });
  }

  private async sleepUntil(atMs: number): Promise<void> {
    const { desk } = this;
    const { clock } = desk.setting.parts;
    while (clock.nowMs() < atMs) {
      await clock.sleep(Math.min(secondMs, atMs - clock.nowMs()), desk.signal);
      desk.goOn();
    }
  }

  /** What came of it, once all have left; nothing where the window never began. */
  tell(): void {
    const { desk, dueMs, joins, stays, asleepMs, traffic } = this;
    const { window } = desk.findings.now;
    if (!window) return;
    const perSecond = sessionsPerSecond(desk.setting.size, this.arrivals);
    desk.findings.arrived(
      arrivalsRecord({ sessionsPerSecond: perSecond, window, dueMs, joins, stays, asleepMs, traffic }),
    );
  }
}

function trafficBetween(
  before: SignallingTraffic | undefined,
  after: SignallingTraffic | undefined,
): SignallingTraffic | undefined {
  if (!before || !after) return undefined;
  const of = (name: keyof SignallingTraffic) => after[name] - before[name];
  return {
    sentMessages: of('sentMessages'),
    sentBytes: of('sentBytes'),
    receivedMessages: of('receivedMessages'),
    receivedBytes: of('receivedBytes'),
    roundTrips: of('roundTrips'),
  };
}
