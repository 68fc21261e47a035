/**
 * What observing a page costs: two browsers side by side open the same app with ten video streams on one connection,
 * one of them observed, and change places in each round. `node dist/bench/visit-cost.js [ROUNDS] [SECONDS]`
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { readProcesses, ticksPerSecond, treeOf } from '../host/processes.js';
import { mediaSchema } from '../model/plan.js';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { mediaFiles } from '../probes/chromium/media/media-files.js';
import { readableClips } from '../probes/chromium/readable-clips.js';
import { VisitedPage } from '../probes/visit/visited-page.js';
import { launchVisitingBrowser, type VisitingBrowser } from '../probes/visit/visiting-browser.js';
import { startApp } from '../tests/visit/app-page.js';
import { mean } from './stage/readings.js';

const [rounds = 4, seconds = 20] = process.argv.slice(2).map(Number);
const settleMs = 6_000;

const chromium = await findChromium({ env: process.env });
if (!chromium) throw new Error('this bench needs a Chromium');
const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
const files = await mediaFiles(join(folder, 'cache'), mediaSchema.parse({ width: 320, height: 180 }));
const clips = await readableClips(files, chromium.path, tmpdir());
const script = await readFile(fileURLToPath(new URL('../visit.js', import.meta.url)), 'utf8');
const app = await startApp();
const address = `${app.origin}/?act=many&streams=10`;

async function cpuSecondsOf({ roots }: VisitingBrowser): Promise<number> {
  return treeOf(await readProcesses(), roots).reduce((sum, { cpuTicks }) => sum + cpuTicks, 0) / ticksPerSecond;
}

/** Opens the app in a browser of its own. */
async function opened(observes: boolean): Promise<VisitingBrowser> {
  const browser = await launchVisitingBrowser({
    chromiumPath: chromium?.path ?? '',
    files: clips.files,
    temporaryRoot: tmpdir(),
  });
  const context = await browser.newContext();
  const page = observes
    ? await VisitedPage.open({
        context,
        script,
        settings: { phaseMs: 0 },
        clean: (text) => text,
        onReading: () => 'each-second',
        onCrash: () => undefined,
      }).then((visited) => visited.page)
    : await context.newPage();
  await page.goto(address);
  await page.evaluate('ready.then(() => undefined)');
  return browser;
}

const ratios: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const order = round % 2 === 0 ? [true, false] : [false, true];
  const browsers = [await opened(order[0] === true), await opened(order[1] === true)];
  await sleep(settleMs);
  const before = await Promise.all(browsers.map(cpuSecondsOf));
  await sleep(seconds * 1000);
  const used = (await Promise.all(browsers.map(cpuSecondsOf))).map((after, nth) => after - (before[nth] ?? 0));
  await Promise.all(browsers.map((browser) => browser.close()));
  const [observed = 0, plain = 0] = order[0] ? used : [...used].reverse();
  ratios.push(observed / plain);
  process.stdout.write(
    `${observed.toFixed(2)} s observed, ${plain.toFixed(2)} s not: ${(observed / plain).toFixed(3)}\n`,
  );
}
process.stdout.write(`mean ${mean(ratios).toFixed(3)} over ${rounds} rounds of ${seconds} s\n`);
await app.close();
await clips.close();
await rm(folder, { recursive: true, force: true });
