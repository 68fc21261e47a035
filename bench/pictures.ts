/**
 * The pictures of the README, made of a stored run: the first screen of its report, one trial of it, and what the
 * terminal prints. Run with `npm run build && node dist/bench/pictures.js`; writes docs/images/.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium, type Page } from 'playwright-core';
import { summary } from '../analysis/report/text.js';
import { escapeMarkup } from '../analysis/report/xml.js';
import { finishedRun } from '../cli/report/finished-run.js';
import { builtAssets } from '../cli/report/write-html.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { buildReport } from '../report/build-report.js';
import { readRun, type StoredRun } from '../store/run-directory/read-run.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const recordedRun = join(root, 'tests', 'recorded-run');
const images = join(root, 'docs', 'images');
const terminalLines = 34;

const colour = (name: string) => (text: string) => `\ue001${name}\ue002${text}\ue003`;

/** The text report as a terminal shows it: colours become elements after everything was escaped. */
function terminalPage(run: StoredRun): string {
  const style = {
    dim: colour('dim'),
    bold: colour('bold'),
    good: colour('good'),
    bad: colour('bad'),
    warn: colour('warn'),
  };
  const finished = { ...finishedRun(run), runDirectory: run.result?.runDirectory ?? '' };
  const lines = summary(finished, style).split('\n').slice(1, terminalLines).join('\n');
  const text = lines
    .split(/([\ue001-\ue003])/)
    .map((part, index, parts) => markupOf(part, parts[index - 1]))
    .join('');
  return `<!doctype html><meta charset="utf-8"><style>
body{margin:0;background:#16191d;color:#d8dde2;font:14px/1.42 ui-monospace,"DejaVu Sans Mono",monospace}pre{margin:0;padding:14px 18px;white-space:pre;display:inline-block}
.bold{font-weight:700;color:#fff}.dim{color:#8b949e}.good{color:#55c48d}.bad{color:#f0796d}.warn{color:#dcaa4a}</style><pre><span style="color:#8b949e">$</span> ${escapeMarkup(run.manifest.command.join(' '))}\n\n${text}</pre>`;
}

function markupOf(part: string, before: string | undefined): string {
  if (part === '\ue001') return '<span class="';
  if (part === '\ue002') return '">';
  if (part === '\ue003') return '</span>';
  return before === '\ue001' ? part : escapeMarkup(part);
}

async function shoot(
  page: Page,
  name: string,
  clip: { x: number; y: number; width: number; height: number },
): Promise<void> {
  await page.screenshot({ path: join(images, name), clip, fullPage: true });
}

const stored = await readRun(recordedRun);
const folder = await mkdtemp(join(tmpdir(), 'loadline-pictures-'));
const found = await findChromium({ env });
if (!found) throw new Error('no Chromium');
const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
try {
  await mkdir(images, { recursive: true });
  const parts = await buildReport({
    run: finishedRun(stored),
    warnings: [],
    source: stored,
    assets: await builtAssets(),
  });
  const report = join(folder, 'report.html');
  await writeFile(report, parts.join(''));
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(report).href);
  await page.locator('#trial[aria-busy=false] canvas').first().waitFor();
  await shoot(page, 'report.png', { x: 0, y: 0, width: 1280, height: 900 });
  const trial = await page.locator('#trial').boundingBox();
  const bars = await page.locator('.by-probe .readout').boundingBox();
  if (!trial || !bars) throw new Error('the report shows no trial');
  await shoot(page, 'report-trial.png', { x: 0, y: trial.y, width: 1280, height: bars.y + bars.height - trial.y });
  await page.setContent(terminalPage(stored));
  await page.locator('pre').screenshot({ path: join(images, 'terminal.png') });
} finally {
  await browser.close();
  await rm(folder, { recursive: true, force: true });
}
