import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { runLoadline } from './run-loadline.js';

test('loadline alone shows its help and exits 0', async () => {
  const { stdout, exitCode } = await runLoadline([]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: loadline');
});

test('--version prints the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  const { stdout } = await runLoadline(['--version']);
  const digest = readFileSync(new URL('../../dist/.sources', import.meta.url), 'utf8').slice(0, 16);
  expect(stdout).toBe(`${version} (build ${digest})\n`);
});
