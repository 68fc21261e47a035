import { expect, test } from '@playwright/test';
import { isInstalled } from '../installed.js';
import { openWorkshop, type Workshop } from './running-tool.js';

const gstreamer = isInstalled(['gst-launch-1.0']);
const windows = ['--media', 'encoded', '--measure', '10s', '--settle', '4s', '--no-warm-up'];

test.describe('a room of sound on the embedded server', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    test.skip(!gstreamer, 'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools)');
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop?.dispose());

  test('gives each member a mix with somebody in it, and nobody a picture', async () => {
    const ended = await workshop.start(['try', 'audio-room', '--size', '1', '--room-size', '3', ...windows]).ended;
    expect(ended.exitCode, ended.stderr).toBe(0);
    const record = (await ended.storedRun()).records.at(-1);
    expect(record?.verdict.kind).toBe('stable');
    const streams = record?.streams ?? [];
    expect(streams.map(({ direction, kind }) => `${direction} ${kind}`).sort()).toEqual([
      ...Array(3).fill('receive audio'),
      ...Array(3).fill('send audio'),
    ]);
    const levels = streams.flatMap(({ direction, values }) => (direction === 'receive' ? values.audioLevel : []));
    for (const level of levels) expect(level).toBeGreaterThan(0.05);
    expect(await workshop.processesLeft()).toEqual([]);
    expect(await workshop.filesLeft()).toEqual([]);
  });
});
