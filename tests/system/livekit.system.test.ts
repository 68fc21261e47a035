import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { hasLiveKit, noLiveKit, type RealLiveKit, realLiveKit } from '../real-livekit.js';
import { messageLosses, openWorkshop, type Workshop } from './running-tool.js';

test.describe('a real LiveKit carries a room of three', () => {
  let workshop: Workshop;
  let livekit: RealLiveKit;
  test.beforeEach(async () => {
    test.skip(!hasLiveKit(), noLiveKit);
    workshop = await openWorkshop();
    livekit = await realLiveKit();
  });
  test.afterEach(async () => {
    await workshop?.dispose();
    await livekit?.close();
  });

  for (const [media, size, connections, data] of [
    ['full', 1, 'two', ['--data', '10/s']],
    // One room has browsers alone: three of them judge what only a browser knows.
    ['native', 2, 'one', []],
  ] as const) {
    test(`with ${media} probes by ${connections}: each receives both others, whole`, async () => {
      const room = ['try', 'sfu-group', '--size', String(size), '--room-size', '3', '--media', media];
      const asked = [...room, '--server', livekit.url, '--livekit-connections', connections, ...data];
      const times = ['--pace', '3', '--measure', '10s', '--settle', '6s', '--no-warm-up'];
      const windows = [...times, '--server-pid', String(livekit.pid)];
      const attempt = () => workshop.start([...asked, ...windows], livekit.env).ended;
      const first = await attempt();
      // Browsers may fill a slow host now and then: void, which says nothing about the server.
      const ended = first.exitCode === 4 ? await attempt() : first;
      expect(ended.exitCode, ended.stderr).toBe(0);
      const record = (await ended.storedRun()).records.at(-1);
      const received =
        record?.streams.filter(({ direction, kind }) => direction === 'receive' && kind !== 'data') ?? [];
      // Sound and picture of two others for each of three members.
      expect(received).toHaveLength(12 * size);
      expect(messageLosses(record)).toEqual(data.length > 0 ? [0, 0, 0, 0, 0, 0] : []);
      expect(record?.verdict.kind).toBe('stable');
      expect(record?.reset?.how).toBe('listed');
      expect(await workshop.filesLeft()).toEqual([]);
    });
  }

  test('with layers: a viewer that asks for the lowest gets it', async () => {
    test.skip(env.LOADLINE_ALL_FAULTS !== '1', 'as on the embedded server, in half a minute: LOADLINE_ALL_FAULTS=1');
    const layers = ['--simulcast', '--layer', 'low', '--resolution', '960x540', '--video-kbps', '1000'];
    const asked = ['try', 'broadcast', '--size', '1', ...layers, '--server', livekit.url];
    const windows = ['--measure', '10s', '--settle', '7s', '--no-warm-up', '--server-pid', String(livekit.pid)];
    const attempt = () => workshop.start([...asked, ...windows], livekit.env).endedOnceDecided();
    const first = await attempt();
    const ended = first.exitCode === 4 ? await attempt() : first;
    const videos = (await ended.storedRun()).records.at(-1)?.streams.filter(({ kind }) => kind === 'video') ?? [];
    const widths = videos.map(({ direction, stream, values }) => [direction, stream, values.frameWidth]);
    expect(widths, ended.stderr).toEqual([
      ['send', 'q', 240],
      ['send', 'h', 480],
      ['send', 'f', 960],
      ['receive', undefined, 240],
    ]);
  });
});
