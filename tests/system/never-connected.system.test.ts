import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { type EmbeddedServer, startEmbeddedServer } from '../../embedded-server/server.js';
import { startUnreachableServer, type UnreachableServer } from '../unreachable-server.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const joining = ['--threshold', 'join.time <= 3s', '--measure', '10s'];

test.describe('a media server whose candidates nobody can reach', () => {
  let workshop: Workshop;
  let far: EmbeddedServer;
  let unreachable: UnreachableServer;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
    far = await startEmbeddedServer({ port: 0 });
    unreachable = await startUnreachableServer(far.url);
  });
  test.afterEach(async () => {
    await unreachable.close();
    await far.close();
    await workshop.dispose();
  });

  for (const media of ['full', 'native']) {
    test(`is never called one that holds nothing: nobody ever connected, with ${media} probes`, async () => {
      test.skip(media === 'native' && env.LOADLINE_ALL_FAULTS !== '1', 'as with full ones: LOADLINE_ALL_FAULTS=1');
      const server = ['--server', unreachable.url, '--media', media];
      const ended = await workshop.start(['find', 'one-to-one', ...server, ...joining]).ended;
      expect(ended.exitCode, ended.stderr).toBe(4);
      expect(ended.result()).toMatchObject({ outcome: 'never-connected', limit: { stable: null, unstable: null } });
      expect(ended.result().because).toMatch(/^The media server offered only .*127\.0\.0\.1/);
      const { records } = await ended.storedRun();
      for (const { tried = [] } of records) {
        expect(tried.map(({ probe }) => probe).sort()).toEqual(['1a', '1b']);
        for (const { ofProbe, ofServer } of tried) {
          expect(ofServer).toContainEqual({ type: 'host', protocol: 'udp', address: '127.0.0.1', port: 9 });
          expect(ofProbe.length).toBeGreaterThan(0);
        }
      }
      expect(await workshop.processesLeft()).toEqual([]);
    });
  }
});
