import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, expect, type Page, test } from '@playwright/test';
import { finishedRun } from '../../cli/report/finished-run.js';
import { askedLayer } from '../../model/layer.js';
import { findChromium } from '../../probes/chromium/find-chromium.js';
import { buildReport, type ReportAssets, type ReportInput } from '../../report/build-report.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { aProbe } from '../builders/probe-builder.js';
import { aRecord, aRun } from '../builders/run-builder.js';
import { startMs } from '../builders/trial-builder.js';
import { long } from '../effort.js';
import { reportAssets } from '../report-assets.js';
import { killed, recordedRun, renamedRun, storedSimulation, withRunFolder } from '../stored-runs.js';

let browser: Browser;
let assets: ReportAssets;

test.beforeAll(async () => {
  const found = await findChromium({ env });
  if (!found) throw new Error('these tests need a Chromium');
  browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
  assets = await reportAssets();
});
test.afterAll(() => browser.close());

interface Visit {
  readonly page: Page;
  /** What the page asked for beside itself, and what it complained of. */
  readonly requests: readonly string[];
  readonly complaints: readonly string[];
}

/** Builds the report of a stored run, opens it as a file, and waits until its first trial is shown. */
async function visit(run: string, options: { width?: number; dark?: boolean }, scene: (visit: Visit) => Promise<void>) {
  const stored = await readRun(run);
  await visitReport({ run: finishedRun(stored), warnings: stored.warnings, source: stored }, options, scene);
}

async function visitReport(
  input: Omit<ReportInput, 'assets'>,
  options: { width?: number; dark?: boolean },
  scene: (visit: Visit) => Promise<void>,
) {
  await withRunFolder(async (folder) => {
    const parts = await buildReport({ ...input, assets });
    const path = join(folder, 'report.html');
    await writeFile(path, parts.join(''));
    const viewport = { width: options.width ?? 1280, height: 900 };
    const context = await browser.newContext({ viewport, colorScheme: options.dark ? 'dark' : 'light' });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    page.on('console', (message) => complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    try {
      const url = pathToFileURL(path).href;
      await page.goto(url);
      await expect(page.locator('#trial')).toHaveAttribute('aria-busy', 'false');
      await scene({ page, requests: requests.filter((one) => one !== url && !one.startsWith('data:')), complaints });
    } finally {
      await context.close();
    }
  });
}

/** What axe finds well is not asked for: to name each place of it takes longer than to look. */
async function seriousFindings(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page: page as never })
    .options({ resultTypes: ['violations'] })
    .analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 120)).join(' · ')}`);
}

/** Waits for all, so that none is at work when the folder goes; then fails as the first that failed. */
async function everyOne(all: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(all)) if (one.status === 'rejected') throw one.reason;
}

const realRun = 'a real run on the embedded server';
const runs: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  [realRun]: async () => recordedRun,
  'a simulated search': (folder) => storedSimulation(folder, { capacity: 5, seed: 11 }, { max: 8 }),
  'a void run': (folder) => storedSimulation(folder, { capacity: 5, voidRate: 1, seed: 3 }, { max: 8 }),
  'a killed run': async (folder) => killed(await storedSimulation(folder, { capacity: 5, seed: 5 }, { max: 8 })),
};

for (const [name, make] of Object.entries(runs)) {
  // axe takes many seconds for each: the short suite has the one with real media.
  const suite = name === realRun ? {} : long;
  test(
    `the report of ${name} shows without a complaint or a request, and axe finds nothing serious`,
    suite,
    async () => {
      await withRunFolder(async (folder) => {
        const run = await make(folder);
        const opened = visit(run, {}, async ({ page, requests, complaints }) => {
          await expect(page.locator('h1')).toHaveCount(1);
          await expect(page.getByRole('heading', { name: 'How far to trust this' })).toBeVisible();
          for (const summary of await page.locator('summary').all()) await summary.click();
          expect(await seriousFindings(page)).toEqual([]);
          expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
        });
        const others = [{ width: 400 }, { dark: true }, { width: 400, dark: true }].map((options) =>
          visit(run, options, async ({ page, complaints }) => {
            const width = await page.evaluate<number>('document.documentElement.scrollWidth');
            expect(width).toBeLessThanOrEqual(options.width ?? 1280);
            expect(await seriousFindings(page)).toEqual([]);
            expect(complaints).toEqual([]);
          }),
        );
        // Each page has a renderer of its own, and axe takes one core: side by side they take all.
        await everyOne([opened, ...others]);
      });
    },
  );
}

test('every part is there for a real run: staircase, limits, curves, bars, machines, joining, plan', async () => {
  await visit(recordedRun, {}, async ({ page }) => {
    const { records } = await readRun(recordedRun);
    await expect(page.locator('h1')).toContainText('holds 3 calls (6 probes)');
    await expect(page.locator('.staircase .plot .mark')).toHaveCount(records.length);
    await expect(page.locator('.trials tbody tr')).toHaveCount(records.length);
    await expect(page.locator('.limits')).toHaveCount(2);
    await expect(page.locator('#trial canvas').first()).toBeVisible();
    await expect(page.getByRole('heading', { name: 'What ran out' })).toBeVisible();
    for (const heading of ['All probes', 'Server and probe host', 'By probe', 'Joining']) {
      await expect(page.getByRole('heading', { name: heading, exact: true })).toBeVisible();
    }
    await expect(page.locator('#h-environment + p')).toContainText('loadline find one-to-one');
  });
});

test('on paper nothing is folded, and buttons copy the answer and the command', async () => {
  await visit(recordedRun, {}, async ({ page }) => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByRole('button', { name: 'Copy the command to repeat it' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toContain('loadline find one-to-one');
    const folded = page.locator('.trust details li').first();
    await expect(folded).toBeHidden();
    await page.emulateMedia({ media: 'print' });
    await expect(folded).toBeVisible();
    for (const onScreen of ['.contents', '.copies', '#trial .controls'])
      await expect(page.locator(onScreen).first()).toBeHidden();
  });
});

test('with the keyboard alone one comes to any trial and any probe of it', async () => {
  await visit(recordedRun, {}, async ({ page }) => {
    await page.locator('[data-trial="1"]').focus();
    await page.keyboard.press('Enter');
    await expect(page.locator('.verdict-box')).toContainText('Trial 1, 1 call: stable.');
    const probes = page.locator('label', { hasText: /^Probe/ }).locator('select');
    await probes.focus();
    await page.keyboard.press('ArrowDown');
    await expect(page.locator('.probe-words')).toContainText('1b, callee of session 1');
    await page.getByRole('button', { name: 'next ›' }).press('Enter');
    await expect(page.locator('.probe-words')).toContainText('1a, caller of session 1');
  });
});

test('the table behind a bar chart has every probe with the figures of the stored record', async () => {
  await visit(recordedRun, {}, async ({ page }) => {
    const { records } = await readRun(recordedRun);
    const record = records[1];
    await page.locator(`[data-trial="${record?.index}"]`).click();
    await expect(page.locator('.verdict-box')).toContainText(`Trial ${record?.index},`);
    await page.locator('.by-probe summary').click();
    const rows = page.locator('.by-probe tbody tr');
    await expect(rows).toHaveCount(record?.probes.length ?? 0);
    const [probe] = record?.probes ?? [];
    const received = record?.streams.filter(
      (stream) => stream.probe === probe?.participant.id && stream.direction === 'receive',
    );
    const kbps = received?.reduce((sum, { values }) => sum + (values.bitrateKbps ?? 0), 0) ?? 0;
    await expect(rows.first().locator('td').nth(4)).toHaveText(String(Math.round(kbps)));
  });
});

test('pointing at a bar names its probe, and choosing it shows its curves', async () => {
  await visit(recordedRun, {}, async ({ page }) => {
    const bars = page.locator('.by-probe svg');
    const box = await bars.boundingBox();
    const last = { x: (box?.width ?? 0) - 5, y: 100 };
    await bars.hover({ position: last });
    const named = (await page.locator('.readout').textContent())?.split(',')[0] ?? '';
    expect(named).toMatch(/^\d+[ab]$/);
    await bars.click({ position: last });
    await expect(page.locator('.probe-words')).toContainText(`${named}, `);
  });
});

/** A run of one trial of these probes. */
function inputOf(probes: readonly ReturnType<typeof aProbe>[]): Omit<ReportInput, 'assets'> {
  const seconds = 12;
  const record = aRecord(probes, { index: 1, size: 1, seconds, baseline: null });
  const samples = probes.flatMap((probe) => probe.samples(startMs, seconds));
  const source = {
    visitSamples: async (_: number, look: (batch: typeof samples) => void) => {
      look(samples);
      return undefined;
    },
    readEvidence: async () => ({ value: { probeHost: [], server: [] } }),
  };
  const run = aRun([record], { outcome: 'baseline-unstable', stable: 0, unstable: 1 });
  return { run, warnings: [], source };
}

test('a probe that receives several streams over one connection shows each by itself: a bar, a row, a line, and no sum', async () => {
  const watcher = aProbe('1a')
    .receivesVideoFrom('left', { kbps: 480 })
    .receivesVideoFrom('right', { kbps: 120, fps: 8 });
  const probes = [watcher, aProbe('1b')];
  await visitReport(inputOf(probes), {}, async ({ page, complaints }) => {
    await expect(page.locator('.probe-words')).toContainText('1a, caller of session 1; browser 0, page 0');
    const words = page.locator('.probe-panel .streams li');
    await expect(words).toHaveText([
      /^video from left: 480 kbit\/s received, 0 % lost, 30 fps$/,
      /^video from right: 120 kbit\/s received, 0 % lost, 8 fps$/,
    ]);
    const bitrate = page.locator('.probe-panel figure.time').first();
    await expect(bitrate.locator('.chart')).toHaveAttribute(
      'aria-label',
      /video from left: 480 to 480 kbit\/s; video from right: 120 to 120 kbit\/s/,
    );
    await bitrate.locator('summary').click();
    await expect(bitrate.locator('thead')).toContainText('video from left, kbit/s');
    await expect(bitrate.locator('thead')).not.toContainText('video received, kbit/s');
    await page.locator('.by-probe summary').click();
    const rows = page.locator('.by-probe tbody tr');
    await expect(rows.locator('th')).toHaveText(['1a', '1a: video from left', '1a: video from right', '1b']);
    await expect(rows.locator('td:nth-child(6)')).toHaveText(['–', '480', '120', '540']);
    await expect(rows.locator('td:last-child')).toHaveText(['yes', 'no', 'yes', 'no']);
    await page.locator('.by-probe svg').hover({ position: { x: 60, y: 100 } });
    await expect(page.locator('.readout')).toContainText('1a, caller of session 1: video from ');
    expect(complaints).toEqual([]);
    expect(await seriousFindings(page)).toEqual([]);
  });
});

test('a participant whose name is a script is text, and no script of it runs', async () => {
  const evil = '<script>alert(1)</script><img src=x onerror=alert(2)>';
  await withRunFolder(async (folder) => {
    const run = await renamedRun(folder, '3b', evil);
    await visit(run, {}, async ({ page, requests, complaints }) => {
      for (const summary of await page.locator('summary').all()) await summary.click();
      await expect(page.locator('#trial')).toContainText(evil);
      expect(await page.locator('img').count()).toBe(0);
      expect({ requests, complaints }).toEqual({ requests: [], complaints: [] });
    });
  });
});

test('without script the answer, the limits and every trial are there', async () => {
  await withRunFolder(async (folder) => {
    const stored = await readRun(recordedRun);
    const parts = await buildReport({ run: finishedRun(stored), warnings: [], source: stored, assets });
    const path = join(folder, 'report.html');
    await writeFile(path, parts.join(''));
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    await page.goto(pathToFileURL(path).href);
    await expect(page.locator('h1')).toContainText('holds 3 calls');
    await expect(page.locator('.trials tbody tr')).toHaveCount(stored.records.length);
    await expect(page.locator('#trial-note')).toContainText('need JavaScript');
    await context.close();
  });
});

test('what came while each layer was asked for is drawn side by side', async () => {
  const asking = (id: string, name: 'low' | 'high', kbps: number) =>
    aProbe(id)
      .receivesVideo({ kbps })
      .asksFor(askedLayer({ width: 960, videoKbps: 1000 }, name));
  const probes = [asking('1a', 'high', 600), asking('1b', 'high', 400), asking('1c', 'low', 80)];
  await visitReport(inputOf(probes), {}, async ({ page, complaints }) => {
    await expect(page.getByRole('heading', { name: 'By layer asked for' })).toBeVisible();
    const rates = page.getByRole('img', { name: /^Video received, mean of all who asked/ });
    await expect(rates).toHaveAttribute('aria-label', /low: 80 to 80 kbit\/s; high: 500 to 500 kbit\/s/);
    expect(complaints).toEqual([]);
  });
});
