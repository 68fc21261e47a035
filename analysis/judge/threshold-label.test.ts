import { expect, test } from '@playwright/test';
import { builtInRules } from './built-in-rules.js';
import { namedLimits } from './named-limits.js';
import { labelOf, onlyOne } from './threshold-label.js';

test('every limit that is there by default has a name in words, and no two have the same', () => {
  const named = namedLimits.map(({ ofBaseline, ...one }) =>
    labelOf({
      of: 'stream',
      aggregate: one.aggregate,
      kind: onlyOne(one.kinds),
      direction: onlyOne(one.directions),
      comparison: one.comparison,
      ...(ofBaseline ? { shareOf: 'baseline' } : {}),
    }),
  );
  const builtIn = builtInRules.map(({ subject: { ofBaseline: _, ...subject } }) =>
    labelOf({ of: 'stream', ...subject }),
  );
  const all = [...named, ...builtIn];
  expect(all.filter((label) => /^(?:received|sent)\.|\w\.\w/.test(label))).toEqual([]);
  expect(new Set(all).size).toBe(all.length);
});

test('a limit of the plan alone keeps the name by which it was asked', () => {
  const ssim = { aggregate: 'ssim', kind: 'video', direction: 'receive', comparison: 'at-least' } as const;
  expect(labelOf({ of: 'stream', ...ssim })).toBe('received.video.ssim.mean');
});
