/**
 * The picture and the texts of docs/lab/capacity.md: two simulated searches, and what loadline capacity makes of
 * them. Run with `npm run build && node dist/bench/capacity-picture.js`; writes docs/images/capacity.png, and what the
 * commands say to standard output.
 */

import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chdir, env, execPath, exit, stdout } from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { findChromium } from '../probes/chromium/find-chromium.js';
import { oneToOne } from '../scenarios/one-to-one.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tool = join(root, 'dist', 'loadline.js');
const picture = join(root, 'docs', 'images', 'capacity.png');
const examples = join(root, 'docs', 'examples');

const folder = await mkdtemp(join(tmpdir(), 'loadline-capacity-'));
chdir(folder);
const loadline = (...words: readonly string[]) =>
  execFileSync(execPath, [tool, ...words], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

/** A simulated search, its folder called by the kind of host. */
async function simulated(scenario: string, name: string, capacity: string, seed: string): Promise<void> {
  const before = await readdir(folder).catch((): string[] => []);
  const words = ['--capacity', capacity, '--within', '4', '--seed', seed, '--host-type', name];
  loadline('simulate', scenario, ...words, '--out', folder);
  const [made = ''] = (await readdir(folder)).filter((one) => !before.includes(one));
  await rename(join(folder, made), join(folder, `${scenario}-${name}`));
}

const found = await findChromium({ env });
if (!found) exit(1);
const browser = await chromium.launch({ executablePath: found.path, chromiumSandbox: false });
try {
  const { name } = oneToOne;
  await simulated(name, 'large', '98', '3');
  await simulated(name, 'small', '24', '4');
  const asked = [`${name}-large`, `${name}-small`, '--for', '30000 calls/h of 4m', '--turned-away', '1%'];
  const placed = ['--placement', 'best-of-two'];
  const more = ['--headroom', '20%', '--spare', '1', '--relayed', '15%', '--relay-link', '2gbit', '--growth', '5%'];
  const files = ['--prices', join(examples, 'prices.yaml'), '--curve', join(examples, 'day.csv')];
  stdout.write(loadline('capacity', ...asked, ...placed, ...more, ...files, '--html', 'capacity.html'));
  const page = await browser.newPage({ viewport: { width: 1240, height: 900 }, colorScheme: 'light' });
  await page.goto(pathToFileURL(join(folder, 'capacity.html')).href);
  await page.screenshot({ path: picture, clip: { x: 0, y: 0, width: 1240, height: 1120 }, fullPage: true });
} finally {
  await browser.close();
  chdir(root);
  await rm(folder, { recursive: true, force: true });
}
