import { env } from 'node:process';
import { fileURLToPath } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { startEmbeddedServer } from '../../embedded-server/server.js';
import type { Scenario, Session } from '../../model/scenario.js';
import type { IceCandidate } from '../../model/signalling.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { KurentoServer } from '../../server-setup/kurento/kurento-server.js';
import type { ServerSession } from '../../server-setup/media-server.js';

const { signal } = new AbortController();
const args = [
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
  '--autoplay-policy=no-user-gesture-required',
  '--disable-features=WebRtcHideLocalIpsWithMdns',
];

declare const room: { candidate(member: number, candidate: IceCandidate): Promise<void> };

/**
 * One session of a scenario on an embedded server, all of whose members are in one page. The script, beside this file,
 * makes `room` in it, and has `negotiate` and `trickle` to reach the server by.
 */
export async function withRoomPage(scenario: Scenario, script: string, scene: (page: Page) => Promise<void>) {
  const found = await findChromium({ env });
  if (!found) throw new Error('this test needs a Chromium');
  const embedded = await startEmbeddedServer({ port: 0 });
  const server = new KurentoServer({ url: embedded.url });
  const browser = await chromium.launch({ executablePath: found.path, args });
  try {
    await server.start(signal);
    const [session] = scenario.sessions(1);
    if (!session) throw new Error('no session');
    const page = await browser.newPage();
    await reachable(page, await server.openSession(session, signal), session);
    await page.route('http://localhost/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<body></body>' }),
    );
    await page.goto('http://localhost/');
    await page.addScriptTag({ path: fileURLToPath(new URL(script, import.meta.url)) });
    await scene(page);
  } finally {
    await browser.close();
    await server.stop();
    await embedded.close();
  }
}

async function reachable(page: Page, session: ServerSession, { participants }: Session): Promise<void> {
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
}
