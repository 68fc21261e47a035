import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { chromium, type Page } from 'playwright-core';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { IceCandidate } from '../../model/signalling.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { group } from '../../scenarios/group.js';
import { kurentoServer } from '../../server-setup/kurento/kurento-server.js';
import type { ServerSession } from '../../server-setup/media-server.js';

const { signal } = new AbortController();
const args = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];
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
  candidate(member: number, candidate: IceCandidate): Promise<void>;
  look(member: number): Promise<Seen>;
}
declare const room: Room;
declare const negotiate: (member: number, offer: string) => Promise<string>;
declare const trickle: (member: number, candidate: unknown) => Promise<void>;

test('a room of four shows each member four different pictures, all moving, in 800x600', async () => {
  const found = await findChromium({ env });
  if (!found) throw new Error('this test needs a Chromium');
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = kurentoServer({ url: embedded.url });
  const browser = await chromium.launch({ executablePath: found.path, args });
  try {
    await server.start(signal);
    const [session] = group(4).sessions(1);
    if (!session) throw new Error('no session');
    const page = await openRoom(await browser.newPage(), await server.openSession(session, signal), session);
    for (const [member, colour] of colours.entries()) {
      await page.evaluate(([number, paint]) => room.join(number, paint), [member, colour] as const);
    }
    for (const member of colours.keys()) {
      await expect.poll(async () => namesOf((await look(page, member)).quadrants), { timeout: 20_000 }).toEqual(all);
      const { width, height, moved } = await look(page, member);
      expect([width, height]).toEqual([800, 600]);
      for (const difference of moved) expect(difference).toBeGreaterThan(2);
    }
    if (env.LOADLINE_SCREENSHOT) await page.screenshot({ path: env.LOADLINE_SCREENSHOT, fullPage: true });
  } finally {
    await browser.close();
    await server.stop();
    await embedded.close();
  }
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

/** Four members in one page; each sends a colour of its own with a white bar that runs through it. */
async function openRoom(
  page: Page,
  session: ServerSession,
  { participants }: { participants: Members },
): Promise<Page> {
  const joined = new Map<number, Awaited<ReturnType<ServerSession['join']>>>();
  const early: [number, IceCandidate][] = [];
  await page.exposeFunction('negotiate', async (member: number, offer: string) => {
    const participant = participants[member];
    const leg = participant?.legs[0];
    if (!participant || !leg) throw new Error(`no member ${member}`);
    const onCandidate = (candidate: IceCandidate): void => {
      void page.evaluate(([number, one]) => room.candidate(number, one), [member, candidate] as const);
    };
    const negotiated = await session.join({ participant, leg, offer, onCandidate, signal });
    joined.set(member, negotiated);
    for (const [of, candidate] of early) if (of === member) await negotiated.addCandidate(candidate);
    return negotiated.answer;
  });
  await page.exposeFunction('trickle', async (member: number, candidate: IceCandidate) => {
    const to = joined.get(member);
    if (to) await to.addCandidate(candidate);
    else early.push([member, candidate]);
  });
  await page.route('http://localhost/', (route) => route.fulfill({ contentType: 'text/html', body: '<body></body>' }));
  await page.goto('http://localhost/');
  await page.addScriptTag({ path: fileURLToPath(new URL('./mixed-room.js', import.meta.url)) });
  return page;
}

type Members = ReturnType<ReturnType<typeof group>['sessions']>[number]['participants'];
