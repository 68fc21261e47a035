import { expect } from '@playwright/test';
import { long } from '../../tests/effort.js';
import { soon } from '../../tests/soon.js';
import { aVisit } from '../../tests/visit/a-visit.js';
import { test, type Visiting } from '../../tests/visit/visit-stage.js';
import { loadJoinScript } from './join-script.js';
import type { PageReading } from './page-readings.js';

const timeout = 15_000;

/** What flows in the last whole reading: "receive video" and so on, in order. */
const flows = ({ readings }: Visiting): readonly string[] =>
  (readings.at(-1)?.connections ?? [])
    .flatMap(({ streams }) => streams)
    .filter(({ sample, wanted }) => {
      const { packetsReceived, packetsSent } = { packetsReceived: 0, packetsSent: 0, ...sample?.metrics };
      return wanted && packetsReceived + packetsSent > 0;
    })
    .map(({ direction, kind }) => `${direction} ${kind}`)
    .sort();

const sentPictures = (reading: PageReading | undefined) =>
  (reading?.connections ?? []).flatMap(({ streams }) =>
    streams.flatMap(({ sample }) => (sample?.direction === 'send' && sample.kind === 'video' ? [sample.metrics] : [])),
  );

const aCall = ['receive audio', 'receive video', 'send audio', 'send video'];

for (const act of ['call', 'frame', 'blank', 'again', 'subclass']) {
  const effort = act === 'again' ? long : {};
  test(`connections are observed however a page makes them: ${act}`, effort, async ({ stage }) => {
    await stage.visiting(`/?act=${act}`, async (visit) => {
      await soon(() => flows(visit), { timeout }).toEqual(aCall);
      expect(visit.readings.at(-1)?.connections.map(({ connectionState }) => connectionState)).toEqual([
        'connected',
        'connected',
      ]);
      if (act === 'subclass') expect(await visit.visited.page.title()).toBe('true,true,true,true');
    });
  });
}

test('a page sees the same world with and without the observer', async ({ stage }) => {
  const context = await stage.browser.newContext();
  try {
    const plain = await context.newPage();
    await plain.goto(`${stage.app.origin}/?act=nothing`);
    const without: string = await plain.evaluate('world()');
    await stage.visiting('/?act=nothing', async ({ visited }) => {
      const observed: string = await visited.page.evaluate('world()');
      expect(JSON.parse(observed)).toEqual(JSON.parse(without));
      expect(JSON.parse(without)).toMatchObject({ same: [true, true, true, true, true] });
    });
  } finally {
    await context.close();
  }
});

test('a stream more and a stream less are seen, and the one that the page ended is not wanted', async ({ stage }) => {
  await stage.visiting('/?act=renegotiate', async (visit) => {
    const { page } = visit.visited;
    await soon(() => flows(visit), { timeout }).toEqual(aCall);
    await page.evaluate('more()');
    await soon(() => flows(visit), { timeout }).toContainEqual('receive video');
    await soon(() => flows(visit).filter((one) => one === 'receive video').length, { timeout }).toBe(2);
    await page.evaluate('less()');
    await soon(() => flows(visit).filter((one) => one === 'receive video').length, { timeout }).toBe(1);
  });
});

test('a camera of which the app asks 15 frames a second is held to 15', async ({ stage }) => {
  await stage.visiting('/?act=fifteen', async ({ readings }) => {
    await soon(() => sentPictures(readings.at(-1)).map(({ askedFps }) => askedFps), { timeout }).toEqual([15]);
  });
});

test('of pictures that a script makes, nobody asked for as many as came', async ({ stage }) => {
  await stage.visiting('/?act=generated', async ({ readings }) => {
    const told = () => sentPictures(readings.at(-1)).map(({ framesSent = 0, askedFps }) => [framesSent > 5, askedFps]);
    await soon(told, { timeout }).toEqual([[true, undefined]]);
  });
});

test('20 streams on one connection are told apart', async ({ stage }) => {
  await stage.visiting('/?act=many', async (visit) => {
    await soon(() => flows(visit).filter((one) => one === 'receive video').length, { timeout }).toBe(20);
    const mids = visit
      .connections()
      .flatMap(({ streams }) => streams.filter(({ direction }) => direction === 'receive'));
    expect(new Set(mids.map(({ mid }) => mid)).size).toBe(21);
  });
});

test(
  'two of three layers that are switched off and on change what is sent, and restart nothing',
  long,
  async ({ stage }) => {
    test.setTimeout(90_000);
    await stage.visiting('/?act=simulcast', async (visit) => {
      const { page } = visit.visited;
      const widths = () =>
        visit.readings
          .slice(-1)
          .flatMap(sentPictures)
          .map(({ frameWidth = 0 }) => frameWidth);
      // How many layers the link carries is for Chromium to find out; the smallest one has 240.
      const hasUpper = () => widths().map((width) => width > 240);
      const rises = { timeout: 30_000 };
      await soon(hasUpper, rises).toEqual([true]);
      await page.evaluate('upper(false)');
      await soon(widths, rises).toEqual([240]);
      await page.evaluate('upper(true)');
      await soon(hasUpper, rises).toEqual([true]);
      const whole = visit.readings.map(sentPictures);
      // The first reading of a stream has no counts: there is none before it.
      const since = whole.slice(whole.findIndex(([one]) => (one?.packetsSent ?? 0) > 0));
      expect(since.length).toBeGreaterThan(0);
      expect(since.filter((all) => all.length !== 1 || !all.every(({ packetsSent = 0 }) => packetsSent > 0))).toEqual(
        [],
      );
    });
  },
);

test('a page that reloads itself is observed again, as another document', long, async ({ stage }) => {
  await stage.visiting('/?act=reload', async (visit) => {
    const documents = () =>
      new Set(visit.frames.filter(({ connections }) => connections.length > 0).map(({ frame }) => frame));
    await soon(() => documents().size, { timeout }).toBe(2);
    await soon(() => flows(visit), { timeout }).toEqual(aCall);
  });
});

test('a page that crashes is told of', async ({ stage }) => {
  await stage.visiting('/?act=call', async (visit) => {
    await visit.visited.page.goto('chrome://crash').catch(() => undefined);
    await soon(() => visit.crashed(), { timeout }).toBe(true);
  });
});

test('what keeps a page from being joined has a name', long, async ({ stage }) => {
  const visit = aVisit();
  const script = await loadJoinScript(undefined);
  const found: Record<string, string> = {};
  for (const [name, path] of Object.entries({ missing: '/missing', login: '/private', dialog: '/?act=dialog' })) {
    await stage.visiting('/?act=nothing', async ({ visited }) => {
      const address = `${stage.app.origin}${path}`;
      const failure = await visited.join({ address, script, visit, deadlineMs: 5_000 });
      const where = await visited.whereabouts(address);
      found[name] = `${failure?.code ?? 'opened'}: ${failure?.detail ?? ''}${where}`.replaceAll(stage.app.origin, '');
    });
  }
  await stage.visiting('/?act=nothing', async ({ visited }) => {
    const failure = await visited.join({ address: 'http://localhost:1/', script, visit, deadlineMs: 5_000 });
    found.refused = `${failure?.code}: ${failure?.detail}`;
  });
  expect(found).toEqual({
    missing: expect.stringMatching(/^page-not-opened: .* 404 /),
    login: expect.stringMatching(/^opened: .*\/log-in/),
    dialog: expect.stringMatching(/^opened: .* dialog /),
    refused: expect.stringMatching(
      /^page-not-opened: the page cannot be opened: .*net::ERR_(UNSAFE_PORT|CONNECTION_REFUSED)/,
    ),
  });
});

test('with a relay of ours each connection of a page has that one way, whatever the app configures', async ({
  stage,
}) => {
  const relay = { url: 'turn:127.0.0.1:9?transport=udp', protocol: 'udp', username: 'u', credential: 'c' } as const;
  const configured = `(() => {
    const own = { iceServers: [{ urls: 'stun:192.0.2.1' }], bundlePolicy: 'max-bundle' };
    const [made, bare] = [new RTCPeerConnection(own), new RTCPeerConnection()];
    made.setConfiguration({ ...own, iceTransportPolicy: 'all' });
    return [made, bare].map((one) => {
      const { iceTransportPolicy, iceServers, bundlePolicy } = one.getConfiguration();
      return [iceTransportPolicy, [iceServers[0]?.urls].flat()[0], bundlePolicy];
    });
  })()`;
  const seen = ({ visited }: Visiting) => visited.page.evaluate<readonly unknown[]>(configured);
  const settings = { relay };
  await stage.visiting(
    '/?act=nothing',
    async (visit) =>
      expect(await seen(visit)).toEqual([
        ['relay', relay.url, 'max-bundle'],
        ['relay', relay.url, 'balanced'],
      ]),
    { settings },
  );
  await stage.visiting('/?act=nothing', async (visit) =>
    expect((await seen(visit))[0]).toEqual(['all', 'stun:192.0.2.1', 'max-bundle']),
  );
});
