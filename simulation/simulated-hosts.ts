import type { ProbeHostReading } from '../model/evidence.js';
import { localHostId, type ProbeHost, type ProbeHostId } from '../model/probe-host.js';
import type { Participant } from '../model/scenario.js';
import { ClockEstimate } from '../probes/clock-estimate.js';
import type { FleetOptions } from '../probes/fleet.js';
import { layOut } from '../probes/layout.js';
import type { ProbePlace } from '../probes/ledger/place.js';
import type { Conditions } from './conditions.js';

/** A probe host that exists in numbers only. */
export interface SimulatedHost {
  readonly id: ProbeHostId;
  /** Its clock is so far ahead of the run's, and was measured to be; absent: it goes by the run's own. */
  readonly clockAheadMs?: number;
  /** How far that measurement may be off. */
  readonly clockBoundMs?: number;
  /** Parts per million by which its clock runs faster than the run's; present: it is asked its time each second. */
  readonly clockDriftPpm?: number;
  /** With more probes than this it is out of CPU. */
  readonly probeLimit?: number;
  /** Share of packets, 0 to 1, that its own link loses on the way down. */
  readonly lossShare?: number;
  /** What its own link carries; each of its probes asks for 600 kbit/s of it. */
  readonly linkSpeedKbps?: number;
  /** In this second of the trial it goes away. */
  readonly lostInSecond?: number;
}

const cores = 8;
const probeKbps = 600;
/** One way of a question for the time takes up to this. */
const slowestWayMs = 30;

/** The host of a fleet that is told of none in particular. */
export function oneHost(probeLimit?: number, id = localHostId): readonly SimulatedHost[] {
  return [{ id, ...(probeLimit === undefined ? {} : { probeLimit }) }];
}

/** What the clocks of the hosts show, and what is known of them. */
export class SimulatedClocks {
  private readonly estimates = new Map<SimulatedHost, ClockEstimate>();
  private readonly sinceMs: number;

  constructor(
    private readonly hosts: readonly SimulatedHost[],
    private readonly nowMs: () => number,
    private readonly chance: (...parts: readonly (string | number)[]) => number,
  ) {
    this.sinceMs = nowMs();
    this.ask();
  }

  shownBy(host: SimulatedHost | undefined, nowMs = this.nowMs()): number {
    const { clockAheadMs = 0, clockDriftPpm = 0 } = host ?? {};
    return nowMs + clockAheadMs + ((nowMs - this.sinceMs) * clockDriftPpm) / 1e6;
  }

  /** One exchange with each host whose clock drifts, over a way that is as uneven as chance has it. */
  ask(): void {
    const nowMs = this.nowMs();
    for (const host of this.hosts) {
      if (host.clockDriftPpm === undefined) continue;
      const estimate = this.estimates.get(host) ?? new ClockEstimate();
      this.estimates.set(host, estimate);
      const wayMs = (way: string) => slowestWayMs * this.chance('clock', host.id, nowMs, way);
      const [thereMs, backMs] = [wayMs('there'), wayMs('back')];
      const shownMs = Math.floor(this.shownBy(host, nowMs - backMs));
      estimate.add({ askedAtMs: Math.floor(nowMs - backMs - thereMs), answeredAtMs: nowMs, shownMs });
    }
  }

  /** The media server is beside the first of them, if it is beside any. */
  told(): readonly ProbeHost[] {
    return this.hosts.map((host, index) => {
      const { id, clockAheadMs, clockBoundMs = 0 } = host;
      const given = clockAheadMs === undefined ? undefined : { offsetMs: -clockAheadMs, boundMs: clockBoundMs };
      const clock = this.estimates.get(host)?.clock(this.nowMs()) ?? given;
      return { id, ...(index === 0 ? { besideConductor: true } : {}), ...(clock === undefined ? {} : { clock }) };
    });
  }
}

/** Participants dealt to the hosts one after the other, like cards, so that sessions lie across hosts. */
export class DealtHosts {
  private readonly hostOf = new Map<string, SimulatedHost>();
  private readonly counts = new Map<SimulatedHost, number>();

  constructor(
    participants: readonly Participant[],
    private readonly hosts: readonly SimulatedHost[],
  ) {
    participants.forEach(({ id }, index) => {
      const host = hosts[index % hosts.length];
      if (!host) return;
      this.hostOf.set(id, host);
      this.counts.set(host, this.probesOn(host) + 1);
    });
  }

  of(participant: string): SimulatedHost | undefined {
    return this.hostOf.get(participant);
  }

  probesOn(host: SimulatedHost): number {
    return this.counts.get(host) ?? 0;
  }

  /** In the order of the participants; browsers and pages are numbered on each host. */
  places({
    probesPerPage,
    pagesPerBrowser,
  }: Pick<FleetOptions, 'probesPerPage' | 'pagesPerBrowser'>): readonly ProbePlace[] {
    const free = new Map(
      this.hosts.map((host) => [host, [...layOut(this.probesOn(host), { probesPerPage, pagesPerBrowser }).places]]),
    );
    return [...this.hostOf.values()].map((host) => ({
      host: host.id,
      ...(free.get(host)?.shift() ?? { browser: 0, page: 0 }),
    }));
  }
}

export function isOverloaded({ probeLimit }: SimulatedHost, probes: number): boolean {
  return probes > (probeLimit ?? Number.POSITIVE_INFINITY);
}

export function readingOf(host: SimulatedHost, probes: number, atMs: number): ProbeHostReading {
  const { linkSpeedKbps } = host;
  const busyCores = Math.min(cores, isOverloaded(host, probes) ? cores : 0.5 + 0.01 * probes);
  return {
    host: host.id,
    atMs,
    cores,
    busyCores,
    stealCores: 0,
    probeCores: busyCores * 0.95,
    memoryAvailableMb: 16_000,
    ...(linkSpeedKbps === undefined ? {} : { linkKbps: Math.min(linkSpeedKbps, probeKbps * probes), linkSpeedKbps }),
  };
}

/** What arrives at a host's probes after the way over its own link. */
export function overItsLink({ lossShare = 0 }: SimulatedHost, conditions: Conditions): Conditions {
  return lossShare === 0 ? conditions : { ...conditions, lossShare: 1 - (1 - conditions.lossShare) * (1 - lossShare) };
}
