import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { wallClock } from '../cli/wiring/wall-clock.js';
import { castAs } from '../model/cast.js';
import type { ArrivedJoin, EndedStay } from '../model/join.js';
import { mediaSchema } from '../model/plan.js';
import { type Participant, participantsOf } from '../model/scenario.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { browsingFleets } from '../tests/arrivals/browsing-trial.js';
import { soon } from '../tests/soon.js';
import type { Fleet, StartFleet } from './fleet.js';
import { mixedFleets } from './mixed-fleet.js';

const options = { chromiumPath: '', media: mediaSchema.parse({}), probesPerPage: 4, pagesPerBrowser: 4 };
const participants = participantsOf(oneToOne.sessions(3));
/** Of each call the callee. */
const callees = new Set(participants.flatMap(({ id }) => (id.endsWith('b') ? id : [])));
const scripted = browsingFleets(wallClock, { describeMs: 5, mediaMs: 20 });

interface Kept {
  readonly start: StartFleet;
  readonly fleets: Fleet[];
}

function kept(start: StartFleet): Kept {
  const fleets: Fleet[] = [];
  const remembering: StartFleet = (...of) => {
    const fleet = start(...of);
    fleets.push(fleet);
    return fleet;
  };
  return { start: remembering, fleets };
}

/** Calls that come 50 ms apart, whose callers are in browsers and whose callees are not. */
function mixed({ browsers = kept(scripted), natives = kept(scripted), holdMs = 150, serverMs = 0 } = {}) {
  const fleet = mixedFleets(
    { browsers: browsers.start, native: natives.start },
    () => castAs('native', callees),
    wallClock,
  )(options, {
    onSamples: () => undefined,
    onEvent: () => undefined,
  });
  const [joins, stays, ended]: [ArrivedJoin[], EndedStay[], string[]] = [[], [], []];
  const stop = new AbortController();
  let beginMs = Date.now();
  let asleep = 0;
  const joining = {
    ...{ pacePerSecond: 1, deadlineMs: 2000, signal: stop.signal },
    negotiate: async () => {
      await sleep(serverMs, undefined, { signal: stop.signal });
      return { answer: 'yes', addCandidate: async () => undefined };
    },
    arriving: {
      ...{ nowMs: Date.now, atOnce: () => 2, stayMs: () => holdMs },
      partyOf: ({ session }: Participant) => session,
      dueMs: ({ session }: Participant) => beginMs + 50 * Number(session),
      legsOf: ({ legs }: Participant) => legs,
      end: async (party: string) => void ended.push(party),
      onJoin: (join: ArrivedJoin) => void joins.push(join),
      onStay: (stay: EndedStay) => void stays.push(stay),
      onAsleep: () => {
        asleep += 1;
      },
    },
  };
  const come = async () => {
    await fleet.standBy?.(participants, joining);
    beginMs = Date.now();
    await fleet.join(participants, joining);
  };
  return { fleet, browsers, natives, joins, stays, ended, stop, come, asleep: () => asleep };
}

const idsOf = ({ fleets }: Kept) => fleets.flatMap((fleet) => fleet.records().map(({ participant: { id } }) => id));

test('a call of both kinds is one party: each end comes when it is due, both leave together, and the server is told once', async () => {
  const { fleet, browsers, natives, joins, stays, ended, come, asleep } = mixed();
  await come();
  expect(joins.map(({ participant, failure }) => [participant, failure]).sort()).toEqual(
    participants.map(({ id }) => [id, undefined]),
  );
  expect(idsOf(browsers)).toEqual(['1a', '2a', '3a']);
  expect(idsOf(natives)).toEqual(['1b', '2b', '3b']);
  await soon(() => ended).toEqual(['1', '2', '3']);
  expect(stays.map(({ party, inMs }) => [party, inMs !== undefined])).toEqual(ended.map((party) => [party, true]));
  const records = fleet.records();
  expect(records.map(({ participant: { id } }) => id)).toEqual(participants.map(({ id }) => id));
  for (const session of ['1', '2', '3']) {
    const [one, other] = records.filter(({ participant }) => participant.session === session);
    expect(one?.there?.untilMs).toBe(other?.there?.untilMs);
    expect((one?.there?.untilMs ?? 0) - (one?.there?.fromMs ?? 0)).toBeGreaterThanOrEqual(140);
  }
  await fleet.leave();
  await fleet.close();
  // One timer of this process is watched, and not one for each kind.
  expect(asleep()).toBeLessThan(60);
});

test('a call whose one end does not come in leaves at once, whichever kind that is of', async () => {
  const refusing = kept(browsingFleets(wallClock, { describeMs: 5, mediaMs: 20, lost: (id) => id === '2b' }));
  const { fleet, joins, stays, ended, come } = mixed({ natives: refusing, holdMs: 400 });
  await come();
  expect(joins.find(({ participant }) => participant === '2b')?.failure).toMatchObject({ code: 'host-lost' });
  await soon(() => ended).toEqual(['2', '1', '3']);
  expect(stays.find(({ party }) => party === '2')).not.toHaveProperty('inMs');
  await fleet.close();
});

test('who is told to leave from outside leaves in the fleet that plays it, and those who are there leave with all', async () => {
  const { fleet, come, ended } = mixed({ holdMs: 60_000 });
  await come();
  const outMs = Date.now();
  await fleet.hangUp?.(['1a', '2b'], outMs);
  const left = fleet.records().flatMap(({ participant: { id }, there }) => (there?.untilMs === outMs ? id : []));
  expect(left).toEqual(['1a', '2b']);
  await fleet.leave();
  expect([...ended].sort()).toEqual(['1', '2', '3']);
  await fleet.close();
});

test('a trial that ends while they come waits for none of them', async () => {
  const { fleet, stop, come } = mixed({ serverMs: 60_000 });
  const over = come();
  setTimeout(() => stop.abort(new Error('stopped')), 120);
  await expect(over).rejects.toThrow();
  await fleet.close();
});

test('where one kind cannot be played at all, both fleets are closed, and that error is told', async () => {
  let closed = 0;
  const counted: StartFleet = (...of) => {
    const fleet = scripted(...of);
    const close = fleet.close.bind(fleet);
    return Object.assign(fleet, {
      close: async () => {
        closed += 1;
        await close();
      },
    });
  };
  const broken: StartFleet = (...of) =>
    Object.assign(counted(...of), { standBy: () => Promise.reject(new Error('no process')) });
  const { come } = mixed({ browsers: kept(counted), natives: kept(broken) });
  await expect(come()).rejects.toThrow('no process');
  expect(closed).toBe(2);
});
