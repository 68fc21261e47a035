import type { TrialRecord } from '../../model/trial.js';

/** One server of a cluster in one trial. */
export interface ServerShare {
  readonly server: string;
  readonly sessions: number;
  /** Those of them that a reason of the verdict is about. */
  readonly failing: number;
}

/** What each server of a cluster had, by name; empty where nothing was placed. */
export function serverShares({ events, probes, verdict }: TrialRecord): ServerShare[] {
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
  const shares = new Map<string, { sessions: number; failing: number }>();
  for (const [session, server] of placed) {
    const before = shares.get(server) ?? { sessions: 0, failing: 0 };
    const worse = failing.has(session) ? 1 : 0;
    shares.set(server, { sessions: before.sessions + 1, failing: before.failing + worse });
  }
  return [...shares]
    .map(([server, share]) => ({ server, ...share }))
    .sort((a, b) => a.server.localeCompare(b.server, 'en', { numeric: true }));
}
