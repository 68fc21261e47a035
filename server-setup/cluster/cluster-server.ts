import { LoadlineError } from '../../model/errors.js';
import type { ServerReading } from '../../model/evidence.js';
import type { ResetProof } from '../../model/reset-proof.js';
import type { ServerFacts } from '../../model/run.js';
import type { Session } from '../../model/scenario.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { MediaServer, ResetHow, ServerSession } from '../media-server.js';
import type { Candidate, Placement } from './placement.js';

export interface ClusterMember {
  /** What it is called in events: "A". */
  readonly name: string;
  readonly weight: number;
  readonly server: MediaServer;
  /** What a reading of its own says of how busy it is, 0 to 1; absent where that cannot be said. */
  readonly busy?: (reading: ServerReading) => number | undefined;
}

/** Several media servers as one: each session is placed on one of them, and the unit is the cluster's. */
export class ClusterServer implements MediaServer {
  private readonly sessions: number[];
  private place: Placement;
  private readonly read: (Read | undefined)[];
  private readonly listeners: ((event: ServerEvent) => void)[] = [];
  readonly resources?: () => Promise<ServerReading>;

  constructor(
    private readonly members: readonly ClusterMember[],
    /** Made anew for each trial, so that a trial does not depend on those before it. */
    private readonly newPlacement: () => Placement,
    private readonly nowMs: () => number,
  ) {
    this.sessions = members.map(() => 0);
    this.place = newPlacement();
    this.read = members.map(() => undefined);
    if (members.every(({ server }) => server.resources)) this.resources = () => this.readAll();
  }

  async start(signal: AbortSignal): Promise<ServerFacts> {
    const facts = await Promise.all(this.members.map(({ server }) => server.start(signal)));
    const [first] = facts;
    if (!first) throw new LoadlineError('E_INTERNAL', 'A cluster has no servers.');
    const names = [...new Set(facts.map(({ name }) => name))];
    return {
      kind: first.kind,
      nature: first.nature,
      name: `${facts.length} × ${names.join(', ')}`,
      version: [...new Set(facts.map(({ version }) => version))].join(', '),
      url: facts.map(({ url }) => url).join(' '),
      sameHost: facts.some(({ sameHost }) => sameHost),
      abilities: first.abilities,
    };
  }

  async openSession(session: Session, signal: AbortSignal): Promise<ServerSession> {
    const index = this.place(session.id, this.candidates());
    const member = this.members[index];
    if (!member) throw new LoadlineError('E_SERVER_REFUSED', `No server of the cluster was chosen for ${session.id}.`);
    this.sessions[index] = (this.sessions[index] ?? 0) + 1;
    this.tell({ kind: 'placed', atMs: this.nowMs(), session: session.id, server: member.name });
    const opened = await member.server.openSession(session, signal);
    let isOpen = true;
    return {
      ...(opened.begin
        ? { begin: (request) => opened.begin?.(request) as ReturnType<NonNullable<typeof opened.begin>> }
        : {}),
      join: (request) => opened.join(request),
      close: async () => {
        if (isOpen) this.sessions[index] = (this.sessions[index] ?? 1) - 1;
        isOpen = false;
        await opened.close();
      },
    };
  }

  /** Clean is a cluster when each server of it is; the weakest proof is that of all. */
  async reset(signal: AbortSignal, how?: ResetHow): Promise<ResetProof> {
    const proofs = await Promise.all(this.members.map(({ server }) => server.reset(signal, how)));
    this.sessions.fill(0);
    this.place = this.newPlacement();
    this.read.fill(undefined);
    return weakest(proofs);
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map(({ server }) => server.stop()));
  }

  onEvent(listener: (event: ServerEvent) => void): void {
    this.listeners.push(listener);
    for (const { name, server } of this.members) {
      server.onEvent((event) => listener('detail' in event ? { ...event, detail: `${name}: ${event.detail}` } : event));
    }
  }

  private tell(event: ServerEvent): void {
    for (const listener of this.listeners) listener(event);
  }

  private candidates(): Candidate[] {
    const costs = this.read.flatMap((read) => (read && read.sessions > 0 ? [read.busy / read.sessions] : []));
    const usualCost = costs.length === 0 ? undefined : costs.reduce((sum, cost) => sum + cost, 0) / costs.length;
    return this.members.map(({ weight }, index) => {
      const sessions = this.sessions[index] ?? 0;
      const busy = busyNow(this.read[index], sessions, usualCost);
      return { weight, sessions, ...(busy === undefined ? {} : { busy }) };
    });
  }

  private async readAll(): Promise<ServerReading> {
    const readings = await Promise.all(this.members.flatMap(({ server }) => server.resources?.() ?? []));
    readings.forEach((reading, index) => {
      const busy = this.members[index]?.busy?.(reading);
      this.read[index] = busy === undefined ? undefined : { busy, sessions: this.sessions[index] ?? 0 };
    });
    return together(readings);
  }
}

/** What a server said last, and how many sessions it had then. */
interface Read {
  readonly busy: number;
  readonly sessions: number;
}

/**
 * A reading is up to a second old, and sessions that came since would all go to the server that was idlest then. So each of them
 * counts for what its server's sessions cost on average, or for what a session costs elsewhere where it had none.
 */
function busyNow(read: Read | undefined, sessions: number, usualCost: number | undefined): number | undefined {
  if (!read) return undefined;
  if (read.sessions > 0) return (read.busy / read.sessions) * sessions;
  if (sessions === 0) return read.busy;
  return usualCost === undefined ? undefined : read.busy + usualCost * sessions;
}

const proofsFromWeakest = ['not-provable', 'idle', 'listed', 'restarted'] as const;

function weakest(proofs: readonly ResetProof[]): ResetProof {
  const found = proofsFromWeakest.flatMap((how) => proofs.find((proof) => proof.how === how) ?? [])[0];
  if (!found) throw new LoadlineError('E_INTERNAL', 'A cluster has no servers.');
  return { ...found, tookMs: Math.max(...proofs.map(({ tookMs }) => tookMs)) };
}

/** The sum; what one of them does not tell is not told of all. */
function together(readings: readonly ServerReading[]): ServerReading {
  const sums = (['cpuCores', 'rssMb', 'sessions', 'egressBytes', 'egressDroppedPackets'] as const).map((key) => {
    const values = readings.flatMap((reading) => reading[key] ?? []);
    return [key, values.length === readings.length ? values.reduce((a, b) => a + b, 0) : undefined] as const;
  });
  const known = Object.fromEntries(sums.filter(([, value]) => value !== undefined));
  return { atMs: Math.max(...readings.map(({ atMs }) => atMs)), ...known };
}

/** A to Z, and from then on by number. */
export function clusterName(nth: number): string {
  return nth < 26 ? String.fromCharCode(65 + nth) : `server ${nth + 1}`;
}
