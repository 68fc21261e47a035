import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { pathToFileURL } from 'node:url';
import { chromium, expect, test } from '@playwright/test';
import { runResult } from '../../analysis/search/result.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { ledgerPage } from '../../report/ledger-page.js';
import { runStory } from '../builders/run-stories.js';
import { reportAssets } from '../report-assets.js';
import { withRunFolder } from '../stored-runs.js';

test('the page of many runs sorts by any column and shows only what has every word', async () => {
  const { style, runs: script } = await reportAssets();
  const listed = (['found', 'reachedMax', 'baselineUnstable'] as const).map((story, nth) => {
    const run = runStory(story);
    const manifest = { ...runStory('found').manifest, tags: [`v${nth}`], startedAt: `2026-11-2${nth}T10:00:00.000Z` };
    return { name: story, manifest, result: runResult(run), trials: run.records.length };
  });
  const text = ledgerPage({ runs: listed, unreadable: [], reportOf: () => undefined }, { style, version: '1', script });
  const found = await findChromium({ env });
  if (!found) throw new Error('this test needs a Chromium');
  const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
  try {
    await withRunFolder(async (folder) => {
      const path = join(folder, 'runs.html');
      await writeFile(path, text);
      const page = await browser.newPage({ viewport: { width: 400, height: 900 } });
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      await page.goto(pathToFileURL(path).href);
      const names = page.locator('tbody tr:visible td:last-child');
      await expect(names).toHaveText(['found', 'reachedMax', 'baselineUnstable']);
      await page.getByRole('button', { name: 'run', exact: true }).click();
      await expect(names).toHaveText(['baselineUnstable', 'found', 'reachedMax']);
      await page.getByRole('button', { name: 'run', exact: true }).click();
      await expect(names).toHaveText(['reachedMax', 'found', 'baselineUnstable']);
      await page.getByRole('searchbox').fill('v2 not');
      await expect(names).toHaveText(['baselineUnstable']);
      await page.getByRole('searchbox').fill('nothing of the kind');
      await expect(page.locator('section:visible')).toHaveCount(0);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(400);
      expect(complaints).toEqual([]);
    });
  } finally {
    await browser.close();
  }
});
