import { expect, test } from '@playwright/test';
import type { JoinTimes, ProbeRecord } from '../../model/trial.js';
import { fleetOf, onHosts } from '../../tests/hosts-stage.js';
import { afterOthersConnected } from './visit-on-hosts.js';

const wanted = { build: 'b1', version: '0.1.0', boot: 'desk', app: 'app-1' };
const players = {
  kind: 'visiting',
  join: '/home/ada/join.mjs',
  users: '/home/ada/users.csv',
  block: ['*.woff2'],
} as const;

test('hosts that visit the same app in the same way play its pages, and are told who each is in the whole trial', () =>
  onHosts(
    [
      { name: 'a', app: 'app-1' },
      { name: 'b', app: 'app-1' },
    ],
    async (stage) => {
      const { fleet, join } = fleetOf(await stage.pool({ wanted }), {}, players);
      await join({ size: 2 });
      const played = stage.hosts.map(({ fleets }) =>
        fleets.map(({ player, joined }) => [player, joined.map(({ id }) => id)]),
      );
      expect(played).toEqual([[['visiting', ['1a', '2a']]], [['visiting', ['1b', '2b']]]]);
      const [first, second] = stage.hosts.map(({ fleets }) => fleets[0]?.options.pages);
      expect(first).toMatchObject({ block: ['*.woff2'], painted: false, encoded: false });
      expect(first?.seats).toEqual({ '1a': { nth: 0, index: 0 }, '2a': { nth: 2, index: 0 } });
      expect(second?.seats).toEqual({ '1b': { nth: 1, index: 1 }, '2b': { nth: 3, index: 1 } });
      expect(second?.trial, 'members of one room find each other by its name').toBe(first?.trial);
      // What is run on a host is its own: an order names no file and no address.
      expect(JSON.stringify(stage.hosts.map(({ fleets }) => fleets[0]?.options))).not.toContain('/home/ada');
      await fleet.close();
    },
  ));

test('a host without the app, or with another script, serves no run that visits it, and says why', () =>
  onHosts([{ name: 'a' }, { name: 'b', app: 'app-2' }], async (stage) => {
    const opened = stage.pool({ wanted });
    await expect(opened).rejects.toMatchObject({
      code: 'E_HOSTS',
      why: expect.stringMatching(/a: it visits no web app.*\nb: it visits another web app, or has another join script/),
    });
  }));

const recordOf = (id: string, session: string, join: JoinTimes): ProbeRecord => ({
  participant: { id, session, role: 'member', legs: [] },
  ...{ browser: 0, page: 0, up: true, failures: [], join },
});

test('what a member waits for is the last other one of its room that was connected, on whichever host', () => {
  const records = [
    recordOf('1a', '1', { dtlsConnectedMs: 300, firstFrameMs: 900 }),
    recordOf('1b', '1', { dtlsConnectedMs: 400, firstFrameMs: 500, startedLateMs: 150 }),
    recordOf('2a', '2', { dtlsConnectedMs: 300, firstFrameMs: 500 }),
    recordOf('2b', '2', {}),
  ];
  // By the pace, 1b began 100 ms after 1a, and 150 ms late.
  const waits = afterOthersConnected(records, 10).map(({ join }) => join.sourcesStartedMs);
  expect(waits).toEqual([650, 50, undefined, 200]);
});
