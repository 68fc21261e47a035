import { expect, test } from '@playwright/test';
import { evidenceFlags, evidenceOf } from './evidence-flags.js';
import { readFlags, type WordsOf } from './flag.js';

const read = (words: WordsOf<typeof evidenceFlags>) => evidenceOf(readFlags(evidenceFlags, words));

test('several pages and metrics are taken, and an address without a path is that of the usual page', () => {
  const asked = { evidence: ['http://a:9100', 'https://b/federate?x=1'], evidenceMetric: 'up{job="kms"}' };
  expect(read(asked)).toEqual({
    urls: ['http://a:9100/metrics', 'https://b/federate?x=1'],
    metrics: ['up{job="kms"}'],
  });
  expect(read({})).toBeUndefined();
});

for (const [what, asked] of [
  ['an address that is none', { evidence: 'far:9100' }],
  ['a login in the address', { evidence: 'http://me:pw@a:9100/metrics' }],
  ['a query instead of a metric', { evidence: 'http://a', evidenceMetric: 'rate(up[1m])' }],
  ['a metric without a page', { evidenceMetric: 'up' }],
] as const) {
  test(`${what} is refused before anything starts`, () => {
    expect(() => read(asked)).toThrow(expect.objectContaining({ code: 'E_USAGE', todo: expect.any(String) }));
  });
}
