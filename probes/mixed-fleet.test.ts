import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from '@playwright/test';
import { mediaSchema } from '../model/plan.js';
import { type Participant, participantsOf } from '../model/scenario.js';
import type { Sentinels } from '../model/sentinels.js';
import type { ProbeRecord } from '../model/trial.js';
import { broadcast } from '../scenarios/broadcast.js';
import type { Fleet, JoinOptions, StartFleet } from './fleet.js';
import { castBy, mixedFleets } from './mixed-fleet.js';
import type { ProbeStart } from './schedule.js';

interface Part {
  readonly starts: Map<string, ProbeStart | undefined>;
  readonly start: StartFleet;
  began: boolean;
  closed: number;
}

/**
 * A fleet of one kind, which remembers what it was asked. `fails`: it ends joining before it is ready to begin;
 * `rejects`: with an error.
 */
function aPart(probeCores: number, { fails = false, rejects = false, ready = turn() } = {}): Part {
  const part: Part = { starts: new Map(), start: () => fleet, began: false, closed: 0 };
  let joined: readonly Participant[] = [];
  const fleet: Fleet = {
    async join(participants: readonly Participant[], { starts, begins }: JoinOptions) {
      joined = participants;
      for (const { id } of participants) part.starts.set(id, starts?.get(id));
      await ready;
      if (rejects) throw new Error('no browser at all');
      if (fails) return;
      await begins?.();
      part.began = true;
    },
    hosts: () => [{ id: 'local', besideConductor: true }],
    records: () =>
      joined.map(
        (participant): ProbeRecord => ({ participant, browser: 0, page: 0, up: true, join: {}, failures: [] }),
      ),
    readHosts: async () => [
      { atMs: 1, cores: 4, busyCores: 2, stealCores: 0, probeCores, memoryAvailableMb: 1000, socketDrops: 3 },
    ],
    leave: async () => undefined,
    close: async () => {
      part.closed += 1;
    },
  };
  return part;
}

const fleetsOf = (browsers: Part, natives: Part) => ({ browsers: browsers.start, native: natives.start });
const sentinels = (count: Sentinels) => castBy({ kind: 'native', sentinels: count });
const participants = participantsOf(broadcast.sessions(20));
const options = { chromiumPath: '', media: mediaSchema.parse({}), probesPerPage: 4, pagesPerBrowser: 4 };
const listener = { onSamples: () => undefined, onEvent: () => undefined };
const joinOptions = (begins?: () => Promise<void>): JoinOptions => ({
  pacePerSecond: 2,
  deadlineMs: 1000,
  negotiate: () => Promise.reject(new Error('nobody negotiates here')),
  ...(begins ? { begins } : {}),
  signal: new AbortController().signal,
});

test('each participant is in one of the two fleets, starts by the pace over all of them, and is told in the order of all', async () => {
  const [browsers, natives] = [aPart(0.5), aPart(0.25)];
  const fleet = mixedFleets(fleetsOf(browsers, natives), sentinels('10%'))(options, listener);
  await fleet.join(participants, joinOptions());
  expect([browsers.starts.size, natives.starts.size]).toEqual([4, 17]);
  const starts = participants.map(({ id }) => (browsers.starts.get(id) ?? natives.starts.get(id))?.startMs);
  expect(starts).toEqual(participants.map((_, index) => index * 500));
  expect(fleet.records().map(({ participant }) => participant.id)).toEqual(participants.map(({ id }) => id));
});

test('nobody begins before both fleets are ready, and the conductor is asked once', async () => {
  let comeUp = () => {};
  const ready = new Promise<void>((resolve) => {
    comeUp = resolve;
  });
  const [browsers, natives] = [aPart(0, { ready }), aPart(0)];
  let asked = 0;
  const fleet = mixedFleets(fleetsOf(browsers, natives), sentinels(4))(options, listener);
  const joining = fleet.join(
    participants,
    joinOptions(async () => {
      asked += 1;
    }),
  );
  await turn();
  expect([natives.began, asked]).toEqual([false, 0]);
  comeUp();
  await joining;
  expect([natives.began, browsers.began, asked]).toEqual([true, true, 1]);
});

test('a fleet whose browsers do not come up keeps the other one waiting no longer', async () => {
  const [browsers, natives] = [aPart(0, { fails: true }), aPart(0)];
  await mixedFleets(fleetsOf(browsers, natives), sentinels(4))(options, listener).join(participants, joinOptions());
  expect(natives.began).toBe(true);
});

test('there is one reading of the host, with the CPU of both kinds, and both fleets are closed', async () => {
  const [browsers, natives] = [aPart(0.5), aPart(0.25)];
  const fleet = mixedFleets(fleetsOf(browsers, natives), sentinels(4))(options, listener);
  await fleet.join(participants, joinOptions());
  expect(await fleet.readHosts()).toEqual([
    { atMs: 1, cores: 4, busyCores: 2, stealCores: 0, probeCores: 0.75, memoryAvailableMb: 1000, socketDrops: 3 },
  ]);
  await fleet.close();
  expect([browsers.closed, natives.closed]).toEqual([1, 1]);
});

test('where one of them cannot play at all both are closed, and its error is told', async () => {
  const [browsers, natives] = [aPart(0, { rejects: true }), aPart(0)];
  const fleet = mixedFleets(fleetsOf(browsers, natives), sentinels(4))(options, listener);
  await expect(fleet.join(participants, joinOptions())).rejects.toThrow('no browser at all');
  expect([browsers.closed, natives.closed]).toEqual([1, 1]);
});
