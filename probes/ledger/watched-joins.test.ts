import { expect, test } from '@playwright/test';
import { WatchedJoin } from './watched-joins.js';

const of = (leg: string) => ({ probe: '1a', leg });

test('what the page takes to describe its offer is its own, and what the server takes is the server’s', () => {
  let now = 1000;
  const join = new WatchedJoin(1, () => now);
  const begun = join.hear({ call: 'begin', ...of('1a') });
  now = 1010;
  begun({ ok: true, first: { by: 'probe' } });
  now = 1100;
  const offered = join.hear({ call: 'negotiate', ...of('1a'), offer: 'v=0' });
  now = 1130;
  offered({ ok: true, answer: 'v=0' });
  now = 1200;
  join.hear({ call: 'reached', probe: '1a', join: { answerMs: 5, iceConnectedMs: 9 } });
  now = 1300;
  join.hear({ call: 'reached', probe: '1a', join: { answerMs: 5, iceConnectedMs: 9, dtlsConnectedMs: 11 } });

  const steps = { begunMs: 1000, createdMs: 1010, describedMs: 1100, answeredMs: 1130 };
  expect(join.times()).toEqual({ ...steps, servedMs: 40, iceMs: 1200, connectedMs: 1300 });
});

test('what the server waits for the pages of others is their part, and not the server’s', () => {
  let now = 1000;
  const join = new WatchedJoin(1, () => now);
  const begun = join.hear({ call: 'begin', ...of('1a') });
  now = 1710;
  begun({ ok: true, first: { by: 'probe', waitedMs: 700 } });
  const offered = join.hear({ call: 'negotiate', ...of('1a'), offer: 'v=0' });
  now = 1715;
  offered({ ok: true, answer: 'v=0' });

  expect(join.times()).toMatchObject({ createdMs: 1010, describedMs: 1710, servedMs: 15 });
});

test('a participant has come as far as the last of its legs, and a refused one has no answer', () => {
  let now = 0;
  const join = new WatchedJoin(2, () => now);
  for (const [leg, ms] of [
    ['1a', 5],
    ['1a:from-1b', 20],
  ] as const) {
    const begun = join.hear({ call: 'begin', ...of(leg) });
    now += ms;
    begun({ ok: true, first: { by: 'probe' } });
  }
  const first = join.hear({ call: 'negotiate', ...of('1a'), offer: 'v=0' });
  now = 100;
  first({ ok: true, answer: 'v=0' });
  join.hear({ call: 'negotiate', ...of('1a:from-1b'), offer: 'v=0' })({ ok: false, code: 'refused', detail: 'full' });

  expect(join.times()).toEqual({ begunMs: 0, createdMs: 25, describedMs: 100 });
});

test('how it ended is told once', async () => {
  const join = new WatchedJoin(1, () => 0);
  join.failed({ code: 'refused', detail: 'full' });
  join.up();
  expect(await join.settled).toEqual({ code: 'refused', detail: 'full' });
});
