import { LoadlineError } from '../../model/errors.js';
import type { MemberReading, ServerReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import { combinedTraffic, type SignallingTraffic } from '../../model/signalling-traffic.js';
import type { LostMember, MediaServer, Recordings, ResetHow, ServerSession } from '../media-server.js';
import { ServerEvents } from '../server-events.js';
import { busyOfAll, type Reading } from './busy.js';
import { type AskedPlacement, type Candidate, type Placement, placementOf } from './placement.js';
import { allOf, factsTogether, proofTogether, readingsTogether } from './together.js';

export interface ClusterMember {
  /** What it is called in events: "A". */
  readonly name: string;
  readonly weight: number;
  readonly server: MediaServer;
  /** Takes it away; left out: the server's own way, where it has one. */
  readonly takeAway?: () => Promise<void>;
  /** What a reading of its own says of how busy it is, 0 to 1; left out: what is in use of what it is known to have. */
  readonly busy?: (reading: ServerReading) => number | undefined;
}

/** What a server said last, and how many sessions it had then. */
interface Read extends Reading {
  readonly sessions: number;
}

/** Several media servers as one: each session is placed on one of them, and the unit is the cluster's. */
export class ClusterServer implements MediaServer {
  /** The sessions that are on each. */
  private readonly sessions: Set<string>[];
  /** Taken away on purpose. */
  private readonly away = new Set<number>();
  private place: Placement | AskedPlacement;
  private placing: Promise<unknown> = Promise.resolve();
  private readonly read: (Read | undefined)[];
  /** The last of each that told bytes, which are those since the one before. */
  private readonly told: (ServerReading | undefined)[] = [];
  private facts: readonly ServerFacts[] = [];
  private readonly events = new ServerEvents();
  readonly onEvent = this.events.listen;
  readonly resources?: () => Promise<ServerReading>;
  readonly recordings?: Recordings;
  readonly lose?: () => Promise<LostMember>;

  constructor(
    private readonly members: readonly ClusterMember[],
    /** Made anew for each trial, so that a trial does not depend on those before it. */
    private readonly newPlacement: () => Placement | AskedPlacement,
    private readonly nowMs: () => number,
  ) {
    this.sessions = members.map(() => new Set());
    this.place = newPlacement();
    this.read = members.map(() => undefined);
    if (members.every(({ server }) => server.resources)) this.resources = () => this.readAll();
    const recordings = members.flatMap(({ server }) => server.recordings ?? []);
    if (recordings.length === members.length) this.recordings = clusterRecordings(recordings);
    members.forEach(({ name, server }, nth) => {
      server.onEvent((event) => {
        if (!this.away.has(nth)) this.events.tell(saidBy(name, event));
      });
    });
    if (members.every(({ server, takeAway }) => takeAway ?? server.kill)) this.lose = () => this.loseFullest();
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    this.facts = await allOf(this.members.map(({ server }) => server.start(signal)));
    return factsTogether(
      this.members.map(({ name }) => name),
      this.facts,
    );
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const index = await this.placed(session);
    const opened = await this.member(index)
      .server.openSession(session, signal)
      .catch((error: unknown) => {
        this.sessions[index]?.delete(session.id);
        throw error;
      });
    return {
      ...given({
        begin: opened.begin?.bind(opened),
        ask: opened.ask?.bind(opened),
        leave: opened.leave?.bind(opened),
      }),
      join: (request) => opened.join(request),
      close: async () => {
        this.sessions[index]?.delete(session.id);
        // With its server, everything of it is gone.
        if (!this.away.has(index)) await opened.close();
      },
    };
  }

  async reset(signal: AbortSignal, how?: ResetHow): Promise<ResetProof> {
    const there = this.members.filter((_, nth) => !this.away.has(nth));
    const proofs = await allOf(there.map(({ server }) => server.reset(signal, how)));
    for (const sessions of this.sessions) sessions.clear();
    this.place = this.newPlacement();
    this.read.fill(undefined);
    return proofTogether(proofs);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.stop()));
  }

  readonly traffic = (): SignallingTraffic | undefined => {
    const told = this.members.flatMap(({ server }) => server.traffic?.() ?? []);
    if (told.length < this.members.length) return undefined;
    return told.reduce((sum, one) => combinedTraffic(sum, one, (a, b) => a + b));
  };

  /** One after the other, so that each is placed with those before it counted. */
  private placed(session: Session): Promise<number> {
    const placing = this.placing.then(async () => {
      const there = this.candidates();
      const chosen = await this.place(
        session.id,
        there.map(({ candidate }) => candidate),
      );
      const index = there[chosen]?.index ?? -1;
      const { name } = this.member(index);
      this.sessions[index]?.add(session.id);
      this.events.tell({ kind: 'placed', atMs: this.nowMs(), session: session.id, server: name });
      return index;
    });
    this.placing = placing.catch(() => undefined);
    return placing;
  }

  readonly inTurn = (): number => {
    this.place = placementOf('round-robin');
    return this.members.length;
  };

  private member(index: number): ClusterMember {
    const member = this.members[index];
    if (member) return member;
    throw new LoadlineError('E_SERVER_REFUSED', `There is no server ${index} in the cluster.`);
  }

  /** The one with the most sessions, the first of several. */
  private async loseFullest(): Promise<LostMember> {
    const counts = this.sessions.map(({ size }, nth) => (this.away.has(nth) ? -1 : size));
    const index = counts.indexOf(Math.max(...counts));
    const { name, server, takeAway } = this.member(index);
    const sessions = [...(this.sessions[index] ?? [])];
    this.away.add(index);
    await (takeAway ?? server.kill)?.();
    this.events.tell({ kind: 'taken-away', atMs: this.nowMs(), server: name, sessions: sessions.length });
    return { server: name, sessions };
  }

  /** Those that are there, each with its index among all. */
  private candidates(): { readonly index: number; readonly candidate: Candidate }[] {
    const busy = this.busy();
    const costs = this.read.flatMap((read, nth) => {
      const share = busy[nth];
      return read && share !== undefined && read.sessions > 0 ? [share / read.sessions] : [];
    });
    const usualCost = costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    return this.members.flatMap(({ name, weight }, index) => {
      if (this.away.has(index)) return [];
      const sessions = this.sessions[index]?.size ?? 0;
      const now = busyNow(busy[index], this.read[index]?.sessions ?? 0, sessions, usualCost);
      return [{ index, candidate: given({ name, weight, sessions, busy: now }) }];
    });
  }

  /** When each was last read. */
  private busy(): readonly (number | undefined)[] {
    const own = this.members.map(({ busy }, nth) => busy && this.read[nth] && busy(this.read[nth].now));
    if (this.members.every(({ busy }) => busy)) return own;
    const weights = this.members.map(({ weight }) => weight);
    // One that is away is asked for nothing.
    const there = this.members.flatMap((_, nth) => (this.away.has(nth) ? [] : [nth]));
    const of = <T>(values: readonly T[]) => there.map((nth) => values[nth] as T);
    const busy = busyOfAll(of(this.read), of(this.facts), of(weights));
    return this.members.map((_, nth) => busy[there.indexOf(nth)]);
  }

  /** One that cannot be read is none, and then there is no sum of all; the others are told. */
  private async readAll(): Promise<ServerReading> {
    const readings = await Promise.allSettled(this.members.map(async ({ server }) => server.resources?.()));
    const atMs = this.nowMs();
    const servers = readings.map((result, nth): MemberReading => {
      const reading = result.status === 'fulfilled' ? result.value : undefined;
      const before = this.told[nth];
      this.read[nth] = reading && given({ now: reading, before, sessions: this.sessions[nth]?.size ?? 0 });
      if (reading?.egressBytes !== undefined) this.told[nth] = reading;
      return { server: this.members[nth]?.name ?? '', ...(reading ?? { atMs }) };
    });
    return readingsTogether(atMs, servers);
  }
}

/**
 * A reading is up to a second old, and sessions that came since would all go to the server that was idlest then. So
 * each of them counts for what its server's sessions cost on average, or for what a session costs elsewhere where it
 * had none.
 */
function busyNow(share: number | undefined, sessionsThen: number, sessions: number, usualCost: number | undefined) {
  if (share === undefined) return undefined;
  if (sessionsThen > 0) return (share / sessionsThen) * sessions;
  if (sessions === 0) return share;
  return usualCost === undefined ? undefined : share + usualCost * sessions;
}

/** An event of one server, with its name where it has words. */
function saidBy(name: string, event: ServerEvent): ServerEvent {
  return 'detail' in event ? { ...event, detail: `${name}: ${event.detail}` } : event;
}

/** What several servers recorded, as one. */
function clusterRecordings(recordings: readonly Recordings[]): Recordings {
  return {
    stop: async () => void (await allOf(recordings.map((one) => one.stop()))),
    check: async (request, signal) => {
      let files = 0;
      const faults = [];
      const notChecked = new Set<string>();
      // One server after the other, as one server looks at one file at a time: looking takes CPU.
      for (const one of recordings) {
        const found = await one.check(request, signal);
        files += found.files;
        faults.push(...found.faults);
        if (found.notChecked !== undefined) notChecked.add(found.notChecked);
      }
      return { files, faults, ...(notChecked.size === 0 ? {} : { notChecked: [...notChecked].join('; ') }) };
    },
  };
}
