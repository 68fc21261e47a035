import { expect, test } from '@playwright/test';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { Link, Network } from '../../model/network.js';
import { fittingShare, pathDelayMs, pathLoss, roundTripMs } from './link-model.js';
import { hopsOf, ownHops } from './link-path.js';
import type { StreamMeasure } from './stream-rules.js';

const lossy = (percent: number): Link => ({ loss: { kind: 'random', percent } });
const media = { framesPerSecond: 30, videoKbps: 500 };

test('links explain what they lose once a step has ended while another network still has one', () => {
  const step = (fromMs: number, toMs: number, percent: number) => ({
    ...{ atMs: fromMs, forMs: toMs - fromMs },
    ...{ up: lossy(percent), down: lossy(percent) },
  });
  const shares = { sharePercent: 50 };
  const networks: Network[] = [
    { name: 'own', ...shares, up: lossy(3), down: lossy(3), steps: [step(10_000, 20_000, 0)] },
    { name: 'theirs', ...shares, up: {}, down: {}, steps: [step(15_000, 35_000, 5)] },
  ];
  const stream = {
    ...{ direction: 'receive', kind: 'video', participant: { network: 'own' } },
    from: { participant: '1b', network: 'theirs' },
    leg: { sends: [], receives: ['video'], from: { participant: '1b' } },
  } as unknown as ExpectedStream;
  const carried = { media, kinds: ['video'], packetsPerSecond: 57, framesPerSecond: 30 } as never;
  const percents = hopsOf(stream, { networks, media } as unknown as StreamMeasure).map(
    (hops) => 100 * pathLoss(hops, carried),
  );
  expect(Math.max(...percents)).toBeCloseTo(7.85);
});

/** In a room of eight, each with a camera of 500 kbit/s, over one connection: all others are received over it. */
const kinds = ['audio', 'video'];
const named = [1, 2, 3, 4, 5, 6, 7].map((nth) => ({ participant: `${nth}`, network: 'home', kinds }));

function inRoom(upBps: number, downBps: number, from: readonly { readonly participant: string }[] = named) {
  const own = from[2];
  const stream = {
    ...{ direction: 'receive', kind: 'video', stream: '3', participant: { network: 'home' } },
    ...{ from: own, leg: { sends: kinds, receives: kinds, from } },
  } as unknown as ExpectedStream;
  const home: Network = {
    name: 'home',
    sharePercent: 100,
    up: { rateBps: upBps },
    down: { rateBps: downBps },
    steps: [],
  };
  const measure = { networks: [home], media } as unknown as StreamMeasure;
  const all = from.flatMap(() => kinds);
  const carried = { media, kinds: all, packetsPerSecond: 57, framesPerSecond: 30 } as never;
  const [hops = [], ownHop] = [hopsOf(stream, measure)[0], ownHops(stream, measure)[0]];
  return { hops, carried, own: ownHop ?? { there: {}, back: {} } };
}

test('up a slow way goes one camera and one voice, however many come down: a room excuses no more loss by it', () => {
  const { hops, carried, own } = inRoom(1e6, 10e6);
  expect([fittingShare(hops, carried), pathLoss(hops, carried), pathDelayMs(hops, carried)]).toEqual([1, 0, 0]);
  expect(roundTripMs(own, carried)).toBe(0);
  const fits = (upBps: number, downBps: number) => {
    const slower = inRoom(upBps, downBps);
    return fittingShare(slower.hops, slower.carried);
  };
  expect(fits(0.5e6, 10e6)).toBeCloseTo(0.84, 2);
  expect(fits(1e6, 3e6)).toBeCloseTo(0.72, 2);
  const slow = inRoom(0.5e6, 10e6);
  expect(roundTripMs(slow.own, slow.carried)).toBeCloseTo(300 + 20, 6);
});

test('of a visited app, which names no sources, one camera and one voice go up, and down come layers as they are asked', () => {
  const others = { participant: 'others', network: 'home', kinds: ['audio', 'video'] };
  const from = [1, 2, 3, 4, 5, 6, 7].map((nth) => ({ ...others, stream: `${nth}` }));
  const { hops, carried } = inRoom(1e6, 10e6, from);
  expect([fittingShare(hops, carried), pathLoss(hops, carried)]).toEqual([1, 0]);
  const layered = from.map((one, nth) => ({ ...one, layer: { name: 'low', kbps: nth === 0 ? 400 : 100 } }));
  const narrow = inRoom(10e6, 2.4e6, layered);
  expect(pathLoss(narrow.hops, narrow.carried), 'on 1.5 times of 1.53 Mbit/s').toBe(0);
  expect(pathLoss(inRoom(10e6, 1.8e6, layered).hops, narrow.carried)).toBeGreaterThan(0);
});
