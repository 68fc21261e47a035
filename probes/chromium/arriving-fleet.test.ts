import { expect, test } from '@playwright/test';
import { wallClock } from '../../cli/wiring/wall-clock.js';
import type { ArrivedJoin } from '../../model/join.js';
import type { Participant } from '../../model/scenario.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { withLateBrowsers } from '../../tests/arrivals/late-browser.js';
import { arrivingChromiumFleets } from './arriving-fleet.js';

test('a browser that is late twice is a failure of all who would come, of whom nobody is begun', async () => {
  const media = { width: 640, height: 360, framesPerSecond: 30, videoKbps: 500, videoCodec: 'VP8' } as const;
  const options = { chromiumPath: '/c', media, probesPerPage: 4, pagesPerBrowser: 4 };
  const told = { onSamples: () => undefined, onEvent: () => undefined };
  const fleet = arrivingChromiumFleets(wallClock, withLateBrowsers)(options, told);
  const participants = oneToOne.sessions(2).flatMap((one) => one.participants);
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
  expect(fleet.records()[0]?.failures[0]?.detail).toMatch(/^browser 0 did not come up, begun twice: .*20000ms/);
  // Nobody waits for one who cannot be begun.
  await fleet.join(participants, joining);
  expect(joins.map(({ failure }) => failure?.code)).toEqual(participants.map(() => 'browser-start'));
  expect(asked).toEqual([]);
  await fleet.close();
});
