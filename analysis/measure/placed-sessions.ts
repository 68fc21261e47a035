import type { TrialRecord } from '../../model/trial.js';

/** One server of a cluster in one trial. */
export interface ServerShare {
  readonly server: string;
  readonly sessions: number;
  /** Those of them that a reason of the verdict is about. */
  readonly failing: number;
}

/** What each of these servers of a cluster had, in their order; one on which nothing was placed had none. */
export function serverShares({ events, probes, verdict }: TrialRecord, servers: readonly string[]): ServerShare[] {
  const placed = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'server' && event.kind === 'placed') placed.set(event.session, event.server);
  }
  const sessionOf = new Map(probes.map(({ participant }) => [participant.id, participant.session] as const));
  const failing = new Set(
    verdict.reasons.flatMap(
      ({ probe, session }) => session ?? (probe === undefined ? [] : (sessionOf.get(probe) ?? [])),
    ),
  );
  const shares = new Map(servers.map((server) => [server, { sessions: 0, failing: 0 }]));
  for (const [session, server] of placed) {
    const before = shares.get(server);
    if (!before) continue;
    shares.set(server, { sessions: before.sessions + 1, failing: before.failing + (failing.has(session) ? 1 : 0) });
  }
  return [...shares].map(([server, share]) => ({ server, ...share }));
}
