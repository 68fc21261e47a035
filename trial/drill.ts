import type { DrillRecord, Returned } from '../model/drill.js';
import type { Scenario, Session } from '../model/scenario.js';
import type { ProbeRecord } from '../model/trial.js';
import type { LostMember, MediaServer } from '../server-setup/media-server.js';
import { Scope } from './scope.js';
import { TrialState } from './trial-state.js';
import { join, measure, settle, undoBoundMs } from './trial-steps.js';

/** A connection whose other end is silent is given up after 30 s without consent (RFC 7675). */
const noticeBoundMs = 45_000;
const lookMs = 250;

/**
 * Instead of measuring alone: a third into the window one server of the cluster is taken away. When its participants
 * have noticed, each comes back as a new probe in a new session, which the cluster places on those that are left. A
 * probe that fails stays failed; nothing is healed.
 */
export async function losingHost(state: TrialState): Promise<void> {
  await settle(state);
  const { clock } = state.setting.parts;
  const scope = new Scope(clock, undoBoundMs, (text) => state.journal.warn(text));
  try {
    const results = await Promise.allSettled([measure(state), loseAndReturn(state, scope)]);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  } finally {
    await scope.close();
  }
}

async function loseAndReturn(state: TrialState, scope: Scope): Promise<void> {
  const { setting, plan, findings, signal } = state;
  const { clock, server } = setting.parts;
  const windowMs = setting.heldMs ?? plan.timing.measureMs;
  await clock.sleep(windowMs / 3, signal);
  const lost = await server.lose?.();
  if (!lost) return;
  const lostAtMs = clock.nowMs();
  const drill = { server: lost.server, lostAtMs, sessions: lost.sessions };
  findings.add({ drill: { ...drill, returned: [] } });
  const those = () => state.probes().filter(({ participant }) => lost.sessions.includes(participant.session));
  const endMs = lostAtMs + noticeBoundMs;
  while (clock.nowMs() < endMs && those().some(({ failures }) => failures.length === 0))
    await clock.sleep(lookMs, signal);
  const gone = those();
  findings.add({ drill: { ...drill, returned: gone.map((probe) => noticedBy(probe, lostAtMs)) } });
  const own = deskOfReturning(state, lost);
  await join(own, scope);
  own.settleRecords();
  scope.defer('let go of those who came back', async () => own.close());
  findings.add({ drill: { ...drill, returned: gone.map((probe) => returnOf(probe, lostAtMs, own)) } });
}

function noticedBy({ participant, failures }: ProbeRecord, lostAtMs: number): Returned {
  const [first] = failures;
  return { participant: participant.id, ...(first ? { noticedMs: Math.max(0, first.atMs - lostAtMs) } : {}) };
}

function returnOf(probe: ProbeRecord, lostAtMs: number, own: TrialState): DrillRecord['returned'][number] {
  const id = again(probe.participant.id);
  const back = own.probes().find(({ participant }) => participant.id === id);
  const placed = own.journal.events.findLast(
    (event) => event.type === 'server' && event.kind === 'placed' && event.session === again(probe.participant.session),
  );
  const failure = back?.failures[0]?.detail;
  return {
    ...noticedBy(probe, lostAtMs),
    ...(back?.up && back.join.firstFrameMs !== undefined ? { backMs: back.join.firstFrameMs } : {}),
    ...(placed && 'server' in placed ? { server: placed.server } : {}),
    ...(failure === undefined ? {} : { failure }),
  };
}

/** The same sessions anew. It tells nobody and reads no server: each reading is what came since the one before. */
function deskOfReturning({ setting, sessions, signal }: TrialState, lost: LostMember): TrialState {
  const { readScraped: _, ...parts } = setting.parts;
  const renamed = sessions.filter(({ id }) => lost.sessions.includes(id)).map(renamedSession);
  const scenario: Scenario = { ...setting.scenario, sessions: () => renamed };
  const ownParts = { ...parts, server: sessionsAlone(parts.server), sinks: [], listener: () => undefined };
  return new TrialState({ ...setting, scenario, baseline: null, parts: ownParts }, signal);
}

function sessionsAlone(server: MediaServer): MediaServer {
  return {
    start: (signal) => server.start(signal),
    openSession: (session, signal) => server.openSession(session, signal),
    reset: (signal) => server.reset(signal),
    stop: () => server.stop(),
    onEvent: (listener) => server.onEvent(listener),
  };
}

const again = (id: string): string => `${id}-again`;

/** With every name in it a new one: participants, their connections, and whose media they want. */
function renamedSession(session: Session): Session {
  const names = new Set([
    session.id,
    ...session.participants.flatMap(({ id, legs }) => [id, ...legs.map((leg) => leg.id)]),
  ]);
  const rename = (value: unknown): unknown => {
    if (typeof value === 'string') return names.has(value) ? again(value) : value;
    if (Array.isArray(value)) return value.map(rename);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rename(inner)]));
  };
  return rename(session) as Session;
}
