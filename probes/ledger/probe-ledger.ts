import { lateStartMs } from '../../model/probe-host.js';
import type { VideoRateControl } from '../../model/rate-control.js';
import type { Participant } from '../../model/scenario.js';
import type { FleetEvent, JoinTimes, ProbeFailure, ProbeRecord } from '../../model/trial.js';
import type { LegRoute } from '../../model/turn.js';
import type { ProbePlace } from './place.js';

interface Entry {
  readonly participant: Participant;
  place: ProbePlace;
  join: JoinTimes;
  up: boolean;
  readonly failures: ProbeFailure[];
  there?: ProbeRecord['there'];
  routes?: readonly LegRoute[];
  rates?: readonly VideoRateControl[];
  /** As it is now; absent where it was not asked for since it changed. */
  record?: ProbeRecord | undefined;
}

/**
 * What became of each probe. A probe settles once: up or failed; one that fails after it was up stays in `up` and has
 * the failure, too. Nothing here ever turns a failure back.
 */
export class ProbeLedger {
  private readonly entries: ReadonlyMap<string, Entry>;
  private readonly onEvent: (event: FleetEvent) => void;
  private unsettledCount: number;
  private waiting: (() => void) | undefined;

  constructor(
    participants: readonly Participant[],
    places: readonly ProbePlace[],
    onEvent: (event: FleetEvent) => void,
  ) {
    this.onEvent = onEvent;
    this.entries = new Map(
      participants.map((participant, index) => {
        const place = places[index] ?? { browser: 0, page: 0 };
        return [participant.id, { participant, place, join: {}, up: false, failures: [] }];
      }),
    );
    this.unsettledCount = this.entries.size;
  }

  reached(probe: string, join: JoinTimes): void {
    const entry = this.entries.get(probe);
    if (entry) change(entry).join = { ...entry.join, ...join };
  }

  /** Where it is played, of one whose place is found when it is due. */
  placed(probe: string, place: ProbePlace): void {
    const entry = this.entries.get(probe);
    if (entry) change(entry).place = place;
  }

  /** Begins the stay of one that will leave by itself. */
  stays(probe: string, fromMs: number): void {
    const entry = this.entries.get(probe);
    if (entry) change(entry).there = { fromMs };
  }

  leaves(probe: string, untilMs: number): void {
    const entry = this.entries.get(probe);
    if (entry?.there) change(entry).there = { ...entry.there, untilMs };
  }

  /** It was begun, so much later than planned. */
  begun(probe: string, lateMs: number): void {
    if (lateMs > lateStartMs) this.reached(probe, { startedLateMs: Math.round(lateMs) });
  }

  /** How it reaches its server now. */
  routed(probe: string, routes: readonly LegRoute[]): void {
    const entry = this.entries.get(probe);
    if (entry) change(entry).routes = routes;
  }

  up(probe: string, atMs: number, rates: readonly VideoRateControl[] = []): void {
    const entry = this.entries.get(probe);
    if (!entry || entry.up || entry.failures.length > 0) return;
    change(entry).up = true;
    this.unsettledCount -= 1;
    if (rates.length > 0) entry.rates = rates;
    this.onEvent({ type: 'probe-up', atMs, ...hostIn(entry), probe, join: entry.join });
    this.checkSettled();
  }

  /** Records a probe's first failure; what follows from it is not told again. */
  failed(failure: ProbeFailure): void {
    const entry = this.entries.get(failure.probe);
    if (!entry || entry.failures.length > 0) return;
    change(entry).failures.push(failure);
    if (!entry.up) this.unsettledCount -= 1;
    this.onEvent({ type: 'probe-failed', atMs: failure.atMs, ...hostIn(entry), failure });
    this.checkSettled();
  }

  isSettled(probe: string): boolean {
    const entry = this.entries.get(probe);
    return entry !== undefined && (entry.up || entry.failures.length > 0);
  }

  failureOf(probe: string): ProbeFailure | undefined {
    return this.entries.get(probe)?.failures[0];
  }

  hasFailed(probe: string): boolean {
    return this.failureOf(probe) !== undefined;
  }

  unsettled(): readonly string[] {
    return [...this.entries.keys()].filter((probe) => !this.isSettled(probe));
  }

  probesAt(matches: (place: ProbePlace) => boolean): readonly string[] {
    return [...this.entries.values()].filter((entry) => matches(entry.place)).map((entry) => entry.participant.id);
  }

  /** Resolves when every probe is up or has failed. */
  allSettled(): Promise<void> {
    return new Promise((resolve) => {
      this.waiting = resolve;
      this.checkSettled();
    });
  }

  /** Of ten thousand probes that are up, each is the same object each time. */
  records(): readonly ProbeRecord[] {
    return Array.from(this.entries.values(), (entry) => {
      entry.record ??= recordOf(entry);
      return entry.record;
    });
  }

  private checkSettled(): void {
    if (this.unsettledCount === 0) this.waiting?.();
  }
}

function change(entry: Entry): Entry {
  entry.record = undefined;
  return entry;
}

function recordOf({ participant, place, join, up, failures, there, routes, rates }: Entry): ProbeRecord {
  return {
    participant,
    ...place,
    up,
    join,
    failures: [...failures],
    ...(there ? { there } : {}),
    ...(routes ? { routes } : {}),
    ...(rates ? { rates } : {}),
  };
}

const hostIn = ({ place: { host } }: Entry) => (host === undefined ? {} : { host });
