import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-cluster-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const two = ['--server', 'kurento://a:8888', '--server', 'kurento://b:8888'];

test('one broadcast cannot be placed on several servers, and a placer that cannot answer is known before anything starts', async () => {
  const broadcast = await runHere(['plan', 'broadcast', '--max', '1', ...two], { workingFolder: folder });
  expect([broadcast.exitCode, broadcast.stderr.includes('there is one session')]).toEqual([2, true]);
  const args = ['try', 'one-to-one', '--size', '1', ...two, '--placer', 'exit 7', '--out', 'runs'];
  const { exitCode, stderr } = await runHere(args, { workingFolder: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('it ended with 7');
});
