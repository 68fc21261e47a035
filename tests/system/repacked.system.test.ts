import { expect, test } from '@playwright/test';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import { isInstalled } from '../installed.js';
import { openWorkshop } from './running-tool.js';

test('on a server that parses sound and packs it anew, encoded calls are stable with the ordinary voice, which the warm-up has chosen', async () => {
  test.skip(!isInstalled(['gst-launch-1.0']), 'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools)');
  const [workshop, far] = await Promise.all([
    openWorkshop(),
    startEmbeddedServer({ port: 0, imitation: { repack: true } }),
  ]);
  try {
    const asked = ['--size', '1', '--media', 'encoded', '--measure', '10s', '--settle', '5s', '--no-record'];
    const server = ['--server', `kurento://127.0.0.1:${far.port}`];
    const ended = await workshop.start(['try', 'one-to-one', ...server, ...asked]).ended;
    const { records } = await ended.storedRun();
    expect(records[0]?.warmUp?.proofs, ended.stderr).toMatchObject([
      {
        voice: 'light',
        changes: [
          { change: 'multiplied', kind: 'audio' },
          { change: 'multiplied', kind: 'audio' },
        ],
      },
      { voice: 'ordinary', changes: [] },
    ]);
    const said = records[0]?.events.flatMap((event) => (event.type === 'warning' ? [event.text] : [])) ?? [];
    expect(said.filter((text) => text.includes('gave up the light voice'))).toHaveLength(1);
    expect(records.map(({ voice, mediaChanges }) => [voice, mediaChanges])).toEqual(
      records.map(() => ['ordinary', undefined]),
    );
    const heard = records.flatMap(({ streams }) =>
      streams.filter(({ direction, kind }) => direction === 'receive' && kind === 'audio'),
    );
    expect(heard.every(({ values }) => (values.mos ?? 0) >= 3.5)).toBe(true);
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(await workshop.processesLeft()).toEqual([]);
  } finally {
    await far.close();
    await workshop.dispose();
  }
});
