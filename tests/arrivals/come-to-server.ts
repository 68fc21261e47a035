import { setTimeout as pause } from 'node:timers/promises';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { ArrivedJoin, EndedStay } from '../../model/join.js';
import { type Participant, participantsOf } from '../../model/scenario.js';
import { monotonicClock } from '../../probes/monotonic-clock.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { SessionBook } from '../../trial/session-book.js';
import type { Stage } from '../fleet-stage.js';

const nowMs = () => monotonicClock.nowMs();

interface Coming {
  readonly calls: number;
  /** From one call to the next. */
  readonly everyMs: number;
  readonly holdMs: number;
  readonly atOnce: number;
  /** Called once a second while they come. */
  readonly look?: () => Promise<void>;
}

/** What happened to a participant that has media, in the order that it must have happened in. */
export function timesOf(join: ArrivedJoin): readonly (number | undefined)[] {
  const { dueMs, begunMs, createdMs, describedMs, answeredMs, iceMs, connectedMs, firstFrameMs, endedMs } = join;
  // A timer of Node's counts whole milliseconds and can be one early.
  const earliestMs = dueMs - 2;
  return [earliestMs, begunMs, createdMs, describedMs, answeredMs, iceMs, connectedMs, firstFrameMs, endedMs];
}

/** So many calls come to a real server one after the other, and leave. */
export async function come({ fleet }: Stage, { calls, everyMs, holdMs, atOnce, look }: Coming) {
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = new KurentoServer({ url: embedded.url });
  const { signal } = new AbortController();
  await server.start(signal);
  const sessions = oneToOne.sessions(calls);
  const book = new SessionBook(server, sessions, signal);
  const [joins, stays]: [ArrivedJoin[], EndedStay[]] = [[], []];
  const partyOf = ({ session }: Participant) => session;
  let beginMs = Number.POSITIVE_INFINITY;
  const arriving = {
    ...{ nowMs, partyOf, atOnce: () => atOnce, stayMs: () => holdMs },
    dueMs: ({ session }: Participant) => beginMs + everyMs * (Number(session) - 1),
    legsOf: ({ legs }: Participant) => legs,
    end: (session: string) => book.end(session),
    onJoin: (join: ArrivedJoin) => void joins.push(join),
    onStay: (stay: EndedStay) => void stays.push(stay),
    onAsleep: () => undefined,
  };
  const { negotiate, begin } = book;
  const options = { pacePerSecond: 1, deadlineMs: 10_000, negotiate, begin, signal, arriving };
  const participants = participantsOf(sessions);
  const timer = look && setInterval(() => void look().catch(() => undefined), 1000);
  try {
    await fleet.standBy?.(participants, options);
    beginMs = nowMs() + 250;
    await fleet.join(participants, options);
    await pause(holdMs + 500);
    await fleet.leave();
    return { joins, stays, reset: await server.reset(signal) };
  } finally {
    clearInterval(timer);
    await server.stop();
    await embedded.close();
  }
}
