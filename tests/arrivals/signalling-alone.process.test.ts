import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import type { ArrivedJoin, EndedStay } from '../../model/join.js';
import { participantsOf } from '../../model/scenario.js';
import type { Fleet } from '../../probes/fleet.js';
import { signallingFleets } from '../../probes/signalling/signalling-fleet.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import { SessionBook } from '../../trial/session-book.js';

const { signal } = new AbortController();
const clock = {
  nowMs: () => performance.timeOrigin + performance.now(),
  sleep: (ms: number, stop: AbortSignal) => pause(ms, undefined, { signal: stop }),
};

let embedded: EmbeddedServer;
let fleet: Fleet;
test.beforeEach(async () => {
  embedded = await startEmbeddedServer({ port: 0 });
  fleet = signallingFleets(clock, async () => undefined)(
    {
      chromiumPath: 'none',
      media: { width: 0, height: 0, framesPerSecond: 0, videoKbps: 0, videoCodec: 'VP8' },
      probesPerPage: 1,
      pagesPerBrowser: 1,
    },
    { onSamples: () => undefined, onEvent: () => undefined },
  );
});
test.afterEach(async () => {
  await fleet.close();
  await embedded.close();
});

test('participants without media are answered by a real server step by step, are counted, and leave nothing on it', async () => {
  const server = new KurentoServer({ url: embedded.url });
  await server.start(signal);
  const sessions = oneToOne.sessions(6);
  const participants = participantsOf(sessions);
  const book = new SessionBook(server, sessions, signal);
  const [joins, stays]: [ArrivedJoin[], EndedStay[]] = [[], []];
  const before = server.traffic?.();
  const beginMs = clock.nowMs();
  await fleet.join(participants, {
    pacePerSecond: 1,
    deadlineMs: 20_000,
    negotiate: book.negotiate,
    begin: book.begin,
    signal,
    arriving: {
      nowMs: clock.nowMs,
      dueMs: ({ session }) => beginMs + 20 * Number(session),
      partyOf: ({ session }) => session,
      legsOf: ({ legs }) => legs,
      atOnce: () => 1,
      stayMs: () => 50,
      end: (session) => book.end(session),
      onJoin: (join) => void joins.push(join),
      onStay: (stay) => void stays.push(stay),
      onAsleep: () => undefined,
    },
  });
  await fleet.leave();

  expect(joins.map(({ participant }) => participant).sort()).toEqual(participants.map(({ id }) => id).sort());
  for (const { failure, dueMs, begunMs = 0, createdMs = 0, answeredMs = 0, trickledMs = 0, endedMs } of joins) {
    expect(failure).toBeUndefined();
    const times = [dueMs - 2, begunMs, createdMs, answeredMs, trickledMs, endedMs];
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
  expect(stays.map(({ party }) => party).sort()).toEqual(sessions.map(({ id }) => id));
  expect(stays.every(({ failure, inMs }) => failure === undefined && inMs !== undefined)).toBe(true);
  const after = server.traffic?.();
  // A session, and for each of its two an endpoint, an offer, a candidate and what is told of it: no fewer than ten
  // requests each.
  expect((after?.roundTrips ?? 0) - (before?.roundTrips ?? 0)).toBeGreaterThan(10 * participants.length);
  expect(after?.receivedMessages).toBeGreaterThanOrEqual(after?.roundTrips ?? 0);
  expect(await server.reset(signal)).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
  await server.stop();
});
