import { expect, test } from '@playwright/test';
import { thresholdsOf } from './threshold-flags.js';

const asked = (tolerate: number | undefined, ...threshold: readonly string[]) =>
  thresholdsOf({ preset: undefined, threshold: [...threshold], tolerate });

test('a share to tolerate is the limit on bad probes, and both at once are refused', () => {
  expect(asked(undefined).badProbes).toBeUndefined();
  expect(asked(0.005).badProbes).toEqual({ max: 0.5, unit: '%' });
  expect(asked(0.07, 'video.loss.mean <= 2%')).toMatchObject({
    badProbes: { max: 7, unit: '%' },
    videoLossPercentMax: 2,
  });
  expect(() => asked(0.005, 'bad probes <= 3')).toThrow('--tolerate and "bad probes <= 3" say the same');
});
