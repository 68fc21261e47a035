import { expect, test } from '@playwright/test';
import type { ExpectedStream } from '../../model/expected-streams.js';
import type { Link, Network } from '../../model/network.js';
import { pathLoss } from './link-model.js';
import { hopsOf } from './link-path.js';
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
  } as unknown as ExpectedStream;
  const carried = { media, kinds: ['video'], packetsPerSecond: 57, framesPerSecond: 30 } as never;
  const percents = hopsOf(stream, { networks } as unknown as StreamMeasure).map(
    (hops) => 100 * pathLoss(hops, carried),
  );
  expect(Math.max(...percents)).toBeCloseTo(7.85);
});
