import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--media', 'encoded', '--measure', '10s', '--settle', '7s'];
/** A viewer takes 0.56 Mbit/s of it: two are well below, and three lose a seventh of what they should get. */
const egressLimitBps = 1_450_000;

test.describe('a media server whose up-link carries two viewers and a half', () => {
  let workshop: Workshop;
  let far: EmbeddedServer;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
    far = await startEmbeddedServer({ port: 0, egressLimitBps });
  });
  test.afterEach(async () => {
    await far.close();
    await workshop.dispose();
  });

  test('is found to hold two by WHIP and WHEP, as by its other protocol, and nothing is left behind', async () => {
    test.skip(env.LOADLINE_ALL_FAULTS !== '1', 'a search of minutes, as by its other protocol: LOADLINE_ALL_FAULTS=1');
    const server = ['--server', 'whip', '--whip', far.whip, '--whep', far.whep];
    const search = ['--from', '2', '--max', '3', '--confirm', '1'];
    const ended = await workshop.start(['find', 'broadcast', ...server, ...search, ...windows]).ended;
    expect(ended.result().limit, ended.stderr).toEqual({ stable: 2, unstable: 3, flaky: [] });
    expect(ended.exitCode).toBe(0);
    const { records } = await ended.storedRun();
    for (const { probes } of records) {
      const publisher = probes.find(({ participant }) => participant.legs.some(({ sends }) => sends.includes('video')));
      expect(publisher?.rates?.map(({ feedback }) => feedback)).toEqual([['remb']]);
    }
    const response = await fetch(`http://127.0.0.1:${far.port}/loadline/resources`);
    expect(await response.json()).toMatchObject({ endpoints: 0 });
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});
