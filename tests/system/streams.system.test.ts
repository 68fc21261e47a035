import { pid } from 'node:process';
import { expect, test } from '@playwright/test';
import { antServer } from '../stream-servers/ant-server.js';
import { ovenServer } from '../stream-servers/oven-server.js';
import { realMedia } from '../stream-servers/stream-media.js';
import type { ScriptedStreams } from '../stream-servers/stream-server.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--measure', '10s', '--settle', '2s', '--no-warm-up', '--server-pid', String(pid)];

test.describe('servers that know streams by name, each over a WebSocket', () => {
  const workshops: Workshop[] = [];
  const servers: ScriptedStreams[] = [];
  test.afterEach(async () => {
    for (const one of workshops.splice(0)) await one.dispose();
    for (const one of servers.splice(0)) await one.close();
  });

  test('a browser publishes on the offer of the one and on its own to the other, and a second one views', async () => {
    const oven = await ovenServer({ media: realMedia() });
    const ant = await antServer({ media: realMedia() });
    servers.push(oven, ant);
    const tried = async (url: string, media: string) => {
      const workshop = await openWorkshop();
      workshops.push(workshop);
      const asked = ['try', 'broadcast', '--size', '1', '--media', media, '--server', url, ...windows];
      const ended = await workshop.start(asked).ended;
      expect(await workshop.processesLeft(), ended.stderr).toEqual([]);
      return { ended, record: (await ended.storedRun()).records.at(-1) };
    };
    const all = await Promise.all([
      tried(`ovenmedia://127.0.0.1:${oven.port}/app`, 'full'),
      tried(`antmedia://127.0.0.1:${ant.port}/live`, 'encoded'),
    ]);
    for (const { ended, record } of all) {
      expect(record?.probesUp, ended.stderr).toBe(2);
      const received = record?.streams.filter(({ direction }) => direction === 'receive') ?? [];
      expect(received.map(({ kind }) => kind).toSorted()).toEqual(['audio', 'video']);
      // That it flows, and not how well: both tools and both servers share this host.
      for (const { values } of received) expect(values.bitrateKbps).toBeGreaterThan(5);
      expect(record?.reset).toMatchObject({ how: 'not-provable' });
      expect(record?.load.serverCoresMean).toBeGreaterThan(0);
    }
    expect([oven.media.streams.size, ant.media.streams.size]).toEqual([0, 0]);
  });
});
