import { expect, test } from '@playwright/test';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { withLateBrowsers } from '../../tests/arrivals/late-browser.js';
import { soon } from '../../tests/soon.js';
import { localFleets } from '../local-fleet.js';
import type { ProbeOrder } from '../page/wire.js';
import { browserPlayer } from './browser-player.js';
import type { BrowserSet } from './browser-set.js';
import type { openTrial } from './open-trial.js';

const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' } as const;
const options = { chromiumPath: '/c', media, probesPerPage: 4, pagesPerBrowser: 4 };
const participants = oneToOne.sessions(2).flatMap((one) => one.participants);

test('a browser that is late twice is a failure of all who would come, of whom nobody is begun', async () => {
  const told = { onSamples: () => undefined, onEvent: () => undefined };
  const fleet = localFleets(browserPlayer(withLateBrowsers), wallClock)(options, told);
  const joins: ArrivedJoin[] = [];
  const asked: string[] = [];
  const joining = {
    ...{ pacePerSecond: 1, deadlineMs: 10_000, signal: new AbortController().signal },
    negotiate: async ({ participant }: { readonly participant: Participant }) => {
      asked.push(participant.id);
      throw new Error('nobody is begun');
    },
    arriving: {
      ...{ nowMs: Date.now, dueMs: Date.now, partyOf: ({ session }: Participant) => session, atOnce: () => 4 },
      ...{ legsOf: ({ legs }: Participant) => legs, end: async () => undefined },
      onJoin: (join: ArrivedJoin) => void joins.push(join),
      ...{ onStay: () => undefined, onAsleep: () => undefined },
    },
  };

  await fleet.standBy?.(participants, joining);

  expect(fleet.records().map(({ participant: { id }, failures: [first] }) => [id, first?.code])).toEqual(
    participants.map(({ id }) => [id, 'browser-start']),
  );
  expect(fleet.records()[0]?.failures[0]?.detail).toMatch(/^browser 0 .*20000ms/);
  // Nobody waits for one who cannot be begun.
  await fleet.join(participants, joining);
  expect(joins.map(({ failure }) => failure?.code)).toEqual(participants.map(() => 'browser-start'));
  expect(asked).toEqual([]);
  await fleet.close();
});

test('what a page reads of one who has left, until it has closed its connections, is none of its stay', async () => {
  const samples: Sample[] = [];
  let read: (sample: Sample) => void = () => undefined;
  const sample = (atMs: number): Sample => ({
    ...{ probe: '1a', atMs, intervalMs: 1000, lateMs: 0, legs: [], streams: [] },
  });
  const open: typeof openTrial = async (of, order) => {
    const trial = await withLateBrowsers(of, order);
    read = (one) => order.host.samples([one]);
    const page = {
      start: async ({ participant }: ProbeOrder) => order.ledger.up(participant.id, Date.now()),
      hangUp: async () => {
        const outMs = fleet.records()[0]?.there?.untilMs ?? 0;
        read(sample(outMs + 300));
        read(sample(outMs - 100));
      },
    };
    const closed = async () => undefined;
    const browsers = { launch: closed, roots: () => new Set(), page: () => page, leave: closed, close: closed };
    return { ...trial, browsers: browsers as unknown as BrowserSet };
  };
  const told = { onSamples: (all: readonly Sample[]) => void samples.push(...all), onEvent: () => undefined };
  const fleet = localFleets(browserPlayer(open), wallClock)(options, told);
  const [first] = participants;
  if (!first) throw new Error('nobody');
  let ended = false;
  const arriving = {
    ...{ nowMs: Date.now, dueMs: Date.now, partyOf: ({ session }: Participant) => session, atOnce: () => 1 },
    ...{ legsOf: ({ legs }: Participant) => legs, stayMs: () => 50, onAsleep: () => undefined },
    end: async () => {
      ended = true;
    },
    ...{ onJoin: () => undefined, onStay: () => undefined },
  };
  const negotiate = () => Promise.reject(new Error('nobody negotiates'));
  const { signal } = new AbortController();
  const joining = { pacePerSecond: 1, deadlineMs: 1000, negotiate, arriving, signal };
  await fleet.standBy?.([first], joining);
  await fleet.join([first], joining);
  await soon(() => ended).toBe(true);

  const untilMs = fleet.records()[0]?.there?.untilMs ?? 0;
  expect(samples.map(({ atMs }) => atMs)).toEqual([untilMs - 100]);
  await fleet.close();
});
