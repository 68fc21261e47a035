import { expect, test } from '@playwright/test';
import { hasLiveKit, noLiveKit, type RealLiveKit, realLiveKit } from '../real-livekit.js';
import { openWorkshop, type Workshop } from './running-tool.js';

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

  for (const media of ['full']) {
    test(`with ${media} probes: each receives both others, whole`, async () => {
      const asked = ['try', 'sfu-group', '--size', '1', '--room-size', '3', '--media', media, '--server', livekit.url];
      const windows = ['--pace', '3', '--measure', '10s', '--settle', '12s', '--server-pid', String(livekit.pid)];
      const ended = await workshop.start([...asked, ...windows], livekit.env).ended;
      expect(ended.exitCode, ended.stderr).toBe(0);
      const record = (await ended.storedRun()).records.at(-1);
      const received = record?.streams.filter(({ direction }) => direction === 'receive') ?? [];
      // Sound and picture of two others for each of three members.
      expect(received).toHaveLength(12);
      expect(record?.verdict.kind).toBe('stable');
      expect(record?.reset?.how).toBe('listed');
      expect(await workshop.filesLeft()).toEqual([]);
    });
  }
});
