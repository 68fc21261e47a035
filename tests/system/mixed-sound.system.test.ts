import { expect, test } from '@playwright/test';
import { audioRoom } from '../../scenarios/audio-room.js';
import { isInstalled } from '../installed.js';
import { withRoomPage } from './room-page.js';

const gstreamer = isInstalled(['gst-launch-1.0']);

/** Of each member; none is a multiple of another. */
const hertz = [500, 1100, 1700];

declare const room: {
  join(member: number, hertz: number): Promise<void>;
  hear(member: number, hertz: readonly number[]): readonly number[];
};

test('in a room of sound each member hears the tones of all others, and not his own', async () => {
  test.skip(
    !gstreamer,
    'gst-launch-1.0 is not installed (apt-get install gstreamer1.0-tools gstreamer1.0-plugins-good)',
  );
  await withRoomPage(audioRoom(hertz.length), './sounding-room.js', async (page) => {
    for (const [member, tone] of hertz.entries())
      await page.evaluate(([number, own]) => room.join(number, own), [member, tone] as const);
    for (const member of hertz.keys()) {
      const others = hertz.map((_, of) => of !== member);
      const levels = () => page.evaluate(heard, [member, hertz] as const);
      await expect.poll(async () => standOut(await levels()), { timeout: 20_000 }).toEqual(others);
    }
  });
});

const heard = ([member, tones]: readonly [number, readonly number[]]) => room.hear(member, tones);

/** Which tones are within 20 dB of the loudest. */
const standOut = (levels: readonly number[]) => levels.map((level) => level > -60 && level > Math.max(...levels) - 20);
