import { expect, test } from '@playwright/test';
import { LossScan } from './loss.js';
import { ReadingFold } from './reading-fold.js';
import { receiveAggregates } from './receive-stream.js';

function valuesOf(ssims: readonly (number | undefined)[]) {
  const fold = new ReadingFold({ direction: 'receive', kind: 'video' }, ssims.length);
  for (const [nth, ssim] of ssims.entries()) {
    const metrics = { framesDecoded: 30, ...(ssim === undefined ? {} : { ssim, psnrDb: 40 * ssim, vmaf: 100 * ssim }) };
    const stream = { leg: '1a', direction: 'receive', kind: 'video', metrics } as const;
    fold.add({ atMs: 1000 * (nth + 1), intervalMs: 1000, stream });
  }
  return receiveAggregates(fold, 'video', new LossScan());
}

test('of pictures that were compared the mean is told, and the worst twentieth', () => {
  const { ssim, ssimP5, psnrDb, vmaf, vmafP5 } = valuesOf(
    Array.from({ length: 40 }, (_, nth) => (nth < 3 ? 0.5 : 0.9)),
  );
  expect(ssim).toBeCloseTo(0.87, 9);
  expect(psnrDb).toBeCloseTo(34.8, 9);
  expect(ssimP5).toBeCloseTo(0.5, 9);
  expect(vmaf).toBeCloseTo(87, 9);
  expect(vmafP5).toBeCloseTo(50, 9);
  expect(valuesOf([0.9, 0.3, 0.9, 0.9]).ssimP5, 'a single one is no twentieth').toBeCloseTo(0.9, 9);
});

test('seconds without a look count for nothing, and where nobody looks nothing is told', () => {
  expect(valuesOf([0.8, undefined, 0.8]).ssim).toBeCloseTo(0.8, 9);
  const { ssim, vmaf, vmafP5 } = valuesOf([undefined, undefined]);
  expect([ssim, vmaf, vmafP5]).toEqual([undefined, undefined, undefined]);
});
