import { expect, test } from '@playwright/test';
import type { AskedLayer } from '../model/layer.js';
import type { ReceiveStreamSample, Sample } from '../model/sample.js';
import type { Participant } from '../model/scenario.js';
import type { LayerRequest } from '../server-setup/media-server.js';
import { Asks } from './asks.js';

const layer: AskedLayer = {
  name: 'high',
  width: 960,
  kbps: 1000,
  turns: [
    [0, 'low'],
    [5000, 'none'],
    [9000, 'high'],
  ],
};
const participant: Participant = {
  id: '1a',
  session: '1',
  role: 'member',
  legs: [{ id: '1a:from-1b', sends: [], receives: ['video'], from: { participant: '1b', layer } }],
};

function sampleAt(atMs: number): Sample {
  const stream = { leg: '1a:from-1b', direction: 'receive', kind: 'video', metrics: { framesDecoded: 30 } } as const;
  return { probe: '1a', atMs, intervalMs: 1000, lateMs: 0, legs: [], streams: [stream] };
}

/** What was asked in so long after the window began at 100 s, on a clock that stands still while nobody sleeps. */
async function asked(forMs: number, ask: (request: LayerRequest) => Promise<void> = async () => undefined) {
  const asks = new Asks([participant]);
  const ended = new AbortController();
  let nowMs = 100_000;
  const clock = {
    nowMs: () => nowMs,
    sleep: async (ms: number) => {
      await new Promise((resolve) => setImmediate(resolve));
      if (nowMs + ms > 100_000 + forMs) ended.abort();
      else nowMs += ms;
    },
  };
  const said: string[] = [];
  const failed: string[] = [];
  asks.askBy(async (request) => {
    said.push(`${nowMs - 100_000}: ${request.leg.id} ${request.source} ${request.ask}`);
    await ask(request);
  });
  await asks.begin({ clock, signal: ended.signal, onFailure: (leg, detail) => failed.push(`${leg}: ${detail}`) });
  const seen = (atMs: number) => asks.marked(sampleAt(atMs)).streams[0] as ReceiveStreamSample;
  return { said, failed, seen };
}

test('what is asked for goes to the server when it changes, and begins anew after its last', async () => {
  const { said } = await asked(126_000);
  expect(said).toEqual([
    '5000: 1a:from-1b 1b none',
    '9000: 1a:from-1b 1b high',
    '120000: 1a:from-1b 1b low',
    '125000: 1a:from-1b 1b none',
  ]);
});

test('a sample says what was asked for in its second, and for how long; who is not shown is away until it may be late', async () => {
  const { seen } = await asked(20_000);
  expect(seen(104_000)).toMatchObject({ asked: { layer: 'low' } });
  expect(seen(104_000).away).toBeUndefined();
  expect(seen(105_400)).toMatchObject({ asked: { layer: 'none', forMs: 400 }, away: true });
  expect(seen(109_300)).toMatchObject({ asked: { layer: 'high', forMs: 300 }, away: true });
  expect(seen(111_500)).toMatchObject({ asked: { forMs: 2500 }, away: true });
  expect(seen(112_100)).toMatchObject({ asked: { layer: 'high', forMs: 3100 }, metrics: { framesDecoded: 30 } });
  expect(seen(112_100).away, 'from now on it is missed').toBeUndefined();
});

test('a server that does not take what is asked is told with the leg, and asking goes on', async () => {
  const refuse = async ({ ask }: LayerRequest) => {
    if (ask === 'none') throw new Error('no such request');
  };
  const { said, failed } = await asked(10_000, refuse);
  expect(said.length).toBe(2);
  expect(failed).toEqual(['1a:from-1b: Error: no such request']);
});
