import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { soon } from '../soon.js';
import { runHere } from './run-here.js';
import { runLoadline } from './run-loadline.js';

let folder: string;
const simulated = () => [
  'simulate',
  'one-to-one',
  '--capacity',
  '3',
  '--max',
  '8',
  '--measure',
  '6s',
  '--out',
  join(folder, 'runs'),
];

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-ending-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('--open hands the report to what opens files here, and says so where nothing does', async () => {
  await runHere([...simulated(), '--quiet']);
  const [run = ''] = readdirSync(join(folder, 'runs'));
  const report = ['report', join(folder, 'runs', run), '--out', join(folder, 'page.html'), '--open'];
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  expect((await runLoadline(report, { PATH: bin })).stderr).toContain(`open ${join(folder, 'page.html')} yourself`);
  for (const name of ['xdg-open', 'open']) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "$1" > '${join(folder, 'opened')}'\n`);
    chmodSync(join(bin, name), 0o755);
  }
  expect((await runLoadline(report, { PATH: bin })).stderr).toBe('');
  const opened = () => readdirSync(folder).includes('opened') && readFileSync(join(folder, 'opened'), 'utf8');
  await soon(opened).toBe(`${join(folder, 'page.html')}\n`);
  expect((await runHere([...report, '--format', 'json'])).stderr).toContain(
    '--open without --format html changes nothing.',
  );
});
