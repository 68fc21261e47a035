import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--media', 'encoded', '--measure', '12s', '--settle', '15s'];

test.describe('a media server whose up-link carries 3 Mbit/s', () => {
  let workshop: Workshop;
  let far: EmbeddedServer;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
    far = await startEmbeddedServer({ port: 0, egressLimitBps: 3_000_000 });
  });
  test.afterEach(async () => {
    await far.close();
    await workshop.dispose();
  });

  test('holds as many viewers by WHIP and WHEP as by its other protocol', async () => {
    test.setTimeout(1_200_000);
    const limits = [];
    for (const server of [[far.url], ['whip', '--whip', far.whip, '--whep', far.whep]]) {
      const asked = ['find', 'broadcast', '--server', ...server, '--from', '4', '--max', '8', ...windows];
      const ended = await workshop.start(asked).ended;
      expect(ended.exitCode, ended.stderr).toBe(0);
      limits.push(ended.result().limit);
    }
    expect(limits[1]).toEqual(limits[0]);
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});
