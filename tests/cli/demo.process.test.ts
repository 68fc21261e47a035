import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runLoadline } from './run-loadline.js';

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-demo-test-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the demo reports a real run, judges it again and goes on to its answer, within 20 s and again', async () => {
  const out = join(folder, 'shown');
  const startedAt = Date.now();
  const { exitCode, stdout, stderr } = await runLoadline(['demo', '--out', out]);
  expect(Date.now() - startedAt).toBeLessThan(20_000);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(stdout).toContain('Nothing can be said of kurento 7.3.0: The run did not come to its end.');
  expect(stdout).toMatch(/→ +6 +7 +stable +unstable/);
  expect(stdout).toContain('Limit now:    4 calls stable, 6 unstable');
  expect(stdout).toContain('kurento 7.3.0 holds 7 calls (14 probes) on 2 cores, in 3 of 3 trials.');
  expect(stdout).toContain(join(out, 'gone-on', 'report.html'));
  expect(readdirSync(out).sort()).toEqual(['cut-off', 'gone-on']);
  expect((await runLoadline(['demo', '--out', out])).stdout).toBe(stdout);
});

test('the run of the demo is sealed, and reads as any stored run does', async () => {
  const out = join(folder, 'shown');
  await runLoadline(['demo', '--out', out]);
  const { exitCode, stdout, stderr } = await runLoadline(['report', join(out, 'gone-on'), '--format', 'line']);
  expect({ exitCode, stderr: stderr.split('\n') }).toEqual({
    exitCode: 0,
    stderr: [
      expect.stringContaining('The samples of trials 9 to 11 are not there'),
      expect.stringContaining('The evidence of trials 9 to 11 is not there'),
      'warning: result.json is missing; the answer is derived from the stored trials.',
      '',
    ],
  });
  expect(stdout).toContain('holds 7 calls');
});

test('every command that the demo shows does what it says when it is typed', async () => {
  // Six starts of the tool, of which each makes a report.
  test.setTimeout(120_000);
  const out = join(folder, 'shown');
  const { stdout } = await runLoadline(['demo', '--out', out]);
  const commands = [...stdout.matchAll(/^ +loadline (.*)$/gm)].map(([, words = '']) => words.split(' '));
  expect(commands.map(([name]) => name)).toEqual(['report', 'report', 'judge', 'report', 'report']);
  for (const words of commands) expect((await runLoadline(words)).exitCode, words.join(' ')).toBe(0);
});

test('the folder of the demo is not one that a clone would want to keep', () => {
  expect(readFileSync(new URL('../../.gitignore', import.meta.url), 'utf8').split('\n')).toContain('loadline-demo/');
});

test('a folder that is not of an earlier demo is left as it is', async () => {
  writeFileSync(join(folder, 'mine.txt'), 'mine');
  const { exitCode, stderr } = await runLoadline(['demo', '--out', folder]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('it is not of an earlier demo');
  expect(readdirSync(folder)).toEqual(['mine.txt']);
});
