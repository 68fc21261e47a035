import { expect, test } from '@playwright/test';
import type { LegRoute } from '../../model/turn.js';
import { aVisit } from '../../tests/visit/a-visit.js';
import type { FrameReading } from '../page/visit/wire.js';
import { libraryScript } from './library-page.js';
import type { VisitedPage } from './visited-page.js';
import { VisitingProbe } from './visiting-probe.js';

const relay = { url: 'turn:10.0.0.7:3478', protocol: 'udp', username: 'u', credential: 'c' } as const;
const relayed = { candidateType: 'relay', relayProtocol: 'udp' };

/** A page with a connection for each of these routes; undefined: getStats does not say yet. */
function reading(routes: readonly (Omit<LegRoute, 'leg'> | undefined)[]): FrameReading {
  const connections = routes.map((route, nth) => ({
    id: `${nth}`,
    connectionState: 'connected',
    iceState: 'connected',
    ...(route ? { route: { leg: `${nth}`, ...route } } : {}),
    leg: { leg: `${nth}`, connectionState: 'connected' },
    streams: [],
  }));
  return { frame: 'top', isTop: true, dueMs: 1000, lateMs: 0, atMs: 1000, isWhole: false, unspared: [], connections };
}

/** What a probe of such a page tells. */
async function told(seen: readonly FrameReading[], given?: typeof relay): Promise<readonly string[]> {
  const words: string[] = [];
  const page = { join: async () => undefined, isUp: async () => undefined, whereabouts: async () => '' };
  const probe = new VisitingProbe(
    { id: '1a', session: '1', role: 'member', legs: [{ id: '1a', sends: [], receives: [] }] },
    {
      onReached: () => undefined,
      onRoutes: (routes) => words.push(routes.map(({ leg, candidateType }) => `${leg} by ${candidateType}`).join(', ')),
      onUp: () => words.push('up'),
      onFailed: ({ code, detail }) => words.push(`${code}: ${detail}`),
      onSample: () => undefined,
      onArtifacts: () => undefined,
    },
  );
  const kept = { ...page, keep: async () => ({ probe: '1a', atMs: 0, texts: [] }) } as unknown as VisitedPage;
  const order = { address: 'http://app/', script: libraryScript, visit: aVisit(), deadlineMs: 5_000 };
  const started = probe.start(kept, { ...order, ...(given ? { relay: given } : {}) });
  // Before it has joined, so that the route comes first.
  for (const one of seen) probe.take(one);
  await started;
  probe.leave();
  return words;
}

test('a page is up through a relay only once each of its connections is seen to be relayed', async () => {
  expect(await told([reading([undefined])], relay)).toEqual([]);
  expect(await told([reading([relayed, undefined])], relay)).toEqual(['1a by relay', 'up']);
  expect(await told([reading([relayed]), reading([relayed, { candidateType: 'host' }])], relay)).toEqual([
    '1a by relay',
    '1a by host, 1a by relay',
    'not-relayed: leg 1a went directly: its selected local candidate is host',
  ]);
});

test('without a relay of ours the way is told, and fails nobody', async () => {
  expect(await told([reading([{ candidateType: 'host' }, relayed])])).toEqual(['1a by host, 1a by relay', 'up']);
  expect(await told([reading([relayed])])).toEqual(['1a by relay', 'up']);
});
