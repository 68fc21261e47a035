import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { clusterAccount } from '../../analysis/report/cluster-account.js';
import { clusterSentences } from '../../analysis/report/cluster-sentences.js';
import { finishedRun } from '../../cli/report/finished-run.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { measuredFor } from '../faults/fault.js';
import { type EndedTool, openWorkshop, type Workshop } from './running-tool.js';

/**
 * What one call of encoded probes at 100 kbit/s makes the server send, with all headers. Small, so that the probes of
 * eleven calls leave a machine of two cores with room.
 */
const callKbps = 315;
const media = ['--media', 'encoded', '--video-kbps', '100', '--measure', '10s', '--settle', '12s', '--pace', '4/s'];

/** Up-links for two, three and five calls and a half. */
const servers = [
  { name: 'A', weight: 2, calls: 2.5 },
  { name: 'B', weight: 3, calls: 3.5 },
  { name: 'C', weight: 5, calls: 5.5 },
];

let workshop: Workshop;
test.beforeEach(async () => {
  workshop = await openWorkshop();
});
test.afterEach(() => workshop.dispose());

async function file(): Promise<string> {
  const path = join(workshop.temporaryFolder, 'servers.yaml');
  const entries = servers.map(
    ({ name, weight, calls }) =>
      `  - {server: embedded, name: ${name}, weight: ${weight}, egressLimit: ${Math.round(callKbps * calls)}kbit}\n`,
  );
  await writeFile(path, `servers:\n${entries.join('')}`);
  return path;
}

async function toldBy(ended: EndedTool): Promise<FinishedRun> {
  return finishedRun(await ended.storedRun());
}

test('of three servers for two, three and five calls, seven calls dealt in turn fill the up-link of the weakest first, which the report names', async () => {
  const listed = ['--servers', await file()];
  const ended = await workshop.start(['try', 'one-to-one', '--size', '7', ...listed, ...media]).ended;
  const run = await toldBy(ended);
  const account = clusterAccount(run);
  const last = run.records.at(-1);
  expect([last?.size, last?.verdict.kind], ended.stderr).toEqual([7, 'unstable']);
  expect(account?.above[0]?.servers.map(({ server, sessions }) => [server, sessions])).toEqual([
    ['A', 3],
    ['B', 2],
    ['C', 2],
  ]);
  expect(account?.failedFirst).toMatchObject({ server: 'A', verdict: 'unstable' });
  // The up-links of the others are wide enough, whatever else a busy machine does to their calls.
  expect(account?.above[0]?.servers.map(({ egressDropped = -1 }) => egressDropped > 0)).toEqual([true, false, false]);
  expect(clusterSentences(run).join(' ')).toContain('A failed first: its up-link of');
  expect(await workshop.processesLeft()).toEqual([]);
});

test.describe('whole searches on three servers', () => {
  test.skip(process.env.LOADLINE_CLUSTER === undefined, 'takes ten minutes: LOADLINE_CLUSTER=1');

  for (const [placement, sizes, fewest, most] of [
    ['round-robin', '6,7', 6, 6],
    ['weight', '9,10,11', 9, 10],
    ['least-loaded', '9,10,11', 9, 10],
  ] as const) {
    test(`placed ${placement} they hold ${fewest === most ? most : `${fewest} or ${most}`} of the ten that they hold alone`, async () => {
      const asked = ['--servers', await file(), '--placement', placement, '--strategy', 'fixed', '--sizes', sizes];
      const ended = await workshop.start(['find', 'one-to-one', ...asked, '--confirm', '1', ...media]).ended;
      const { limit } = ended.result();
      expect(limit.stable, ended.stderr).toBeGreaterThanOrEqual(fewest);
      expect(limit.stable).toBeLessThanOrEqual(most);
      expect(await workshop.processesLeft()).toEqual([]);
    });
  }

  test('one of them is taken away: its calls come back on the others, and what the probes recorded says when', async () => {
    const asked = ['--servers', await file(), '--placement', 'weight', '--drill', 'lose-host', '--size', '4'];
    const ended = await workshop.start(['try', 'one-to-one', ...asked, ...measuredFor('60s', media)]).ended;
    const record = (await toldBy(ended)).records.at(-1);
    const { sessions = [], returned = [], lostAtMs = 0 } = record?.drill ?? {};
    expect(sessions.length, ended.stderr).toBeGreaterThan(0);
    for (const { participant, noticedMs = -1, backMs = -1, server } of returned) {
      const probe = record?.probes.find((one) => one.participant.id === participant);
      expect(probe?.failures[0]?.atMs).toBe(lostAtMs + noticedMs);
      expect(backMs).toBeGreaterThan(0);
      expect(server).not.toBe(record?.drill?.server);
    }
    expect(returned).toHaveLength(2 * sessions.length);
    expect(await workshop.processesLeft()).toEqual([]);
  });
});
