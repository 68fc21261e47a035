import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import type { Page } from 'playwright-core';
import { group } from '../../scenarios/group.js';
import { withRoomPage } from './room-page.js';

const colours = ['#c00000', '#00a000', '#0000c0', '#c0c000'];

interface Quadrant {
  readonly red: number;
  readonly green: number;
  readonly blue: number;
}

/** What one member sees at one moment. */
interface Seen {
  readonly width: number;
  readonly height: number;
  readonly quadrants: readonly Quadrant[];
  /** Mean difference of the pixels of each quadrant to half a second later, 0 to 255. */
  readonly moved: readonly number[];
}

interface Room {
  join(member: number, colour: string): Promise<void>;
  look(member: number): Promise<Seen>;
}
declare const room: Room;

test('a room of four shows each member four different pictures, all moving, in 800x600', async () => {
  await withRoomPage(group(4), './mixed-room.js', async (page) => {
    for (const [member, colour] of colours.entries()) {
      await page.evaluate(([number, paint]) => room.join(number, paint), [member, colour] as const);
    }
    for (const member of colours.keys()) {
      await expect.poll(async () => namesOf((await look(page, member)).quadrants), { timeout: 20_000 }).toEqual(all);
      const { width, height } = await look(page, member);
      expect([width, height]).toEqual([800, 600]);
      // Whoever has just come may still wait for a key frame; then all four move at once.
      await expect.poll(async () => Math.min(...(await look(page, member)).moved)).toBeGreaterThan(2);
    }
    if (env.LOADLINE_SCREENSHOT) await page.screenshot({ path: env.LOADLINE_SCREENSHOT, fullPage: true });
  });
});

const all = ['blue', 'green', 'red', 'yellow'];
const look = (page: Page, member: number) => page.evaluate((number) => room.look(number), member);

function namesOf(quadrants: readonly Quadrant[]): readonly string[] {
  return quadrants.map(nameOf).sort();
}

function nameOf({ red, green, blue }: Quadrant): string {
  const most = Math.max(red, green, blue);
  const strong = [red, green, blue].map((part) => part > most / 2 && most > 50);
  return { truefalsefalse: 'red', falsetruefalse: 'green', falsefalsetrue: 'blue', truetruefalse: 'yellow' }[
    strong.join('') as 'truefalsefalse'
  ];
}
