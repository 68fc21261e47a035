import { expect, test } from '@playwright/test';
import type { ScrapedReading } from '../../model/evidence.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { scrapeSentences } from '../report/scrape-sentences.js';
import { scrapeAccounts } from './scrape-accounts.js';
import { limitLoad, scrapedLoad } from './scraped-load.js';

const source = 'http://far:9100/metrics';

function told(readings: readonly ScrapedReading[], metrics: readonly string[] = []): string {
  const record = { ...aRecord(calls(1), { index: 1, size: 1 }), scrapes: scrapeAccounts(readings) };
  const run = aRun([record], { outcome: 'found', stable: 1 });
  const plan = { ...run.manifest.plan, evidence: { urls: [source], metrics } };
  return scrapeSentences({ ...run, manifest: { ...run.manifest, plan } }).join(' ');
}

test('scrapes that failed are counted and named as gaps', () => {
  const good = { atMs: 1, source, hostBusyCores: 1, hostCores: 2 };
  expect(told([good, { atMs: 2, source, failure: 'it answered 503' }, { ...good, atMs: 3 }])).toBe(
    `Evidence of ${source}: the server's host; 1 of 3 scrapes failed, the first because it answered 503: gaps in its curves.`,
  );
  expect(told([{ atMs: 2, source, failure: 'refused' }])).toBe(`Evidence of ${source}: none, in 1 scrape: refused.`);
  expect(told([])).toContain('no trial came to ask it');
});

test('a metric that no page had, a restart, and what could not be told apart are said', () => {
  const reading = { atMs: 1, source, wentBack: true, unclear: ['it tells of 2 containers'], named: { up: 1 } } as const;
  const said = told([reading], ['up', 'nowhere']);
  expect(said).toContain('In 1 scrape of http://far:9100/metrics a counter had gone back');
  expect(said).toContain('it tells of 2 containers.');
  expect(said).toContain('Evidence: nowhere had a value on no page.');
  expect(said).not.toContain('up had');
});

test('a quota is throttled by the share of all its periods, and what was never read is absent', () => {
  const load = limitLoad([
    { cpuQuotaCores: 0.9 },
    { quotaPeriods: 10, throttledPeriods: 9 },
    { quotaPeriods: 90, throttledPeriods: 1 },
  ]);
  expect(load).toMatchObject({ serverCpuQuotaCores: 0.9, serverThrottledPercent: 10 });
  expect(load.serverMemoryLimitMb).toBeUndefined();
  const failed = Object.values(scrapedLoad([{ atMs: 1, source, failure: 'late' }]));
  expect(failed.filter((value) => value !== undefined)).toEqual([]);
});
