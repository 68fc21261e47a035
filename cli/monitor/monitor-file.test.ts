import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import { readMonitorFile } from './monitor-file.js';

let folder = '';
test.beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-monitor-file-'));
});
test.afterEach(() => rm(folder, { recursive: true, force: true }));

async function refusalOf(...lines: readonly string[]): Promise<string> {
  const path = join(folder, 'monitor.yaml');
  await writeFile(path, `${lines.join('\n')}\n`);
  const error = await readMonitorFile(path, {}).catch((refusal: unknown) => refusal);
  return error instanceof LoadlineError ? (error.why ?? '') : 'not refused';
}

test('every problem of a monitor file is told at once, in words that are no program’s', async () => {
  const why = await refusalOf(
    'watches: [{name: "a b", cron: "often", size: some, plan: p.yaml, extra: 1}]',
    'zone: Nowhere',
    'baseline: 1.5',
    'remind: 6',
    'keep: 3',
    'alerts: {mail: {server: smtp://a, from: 7, to: 3}, webhook: [1]}',
  );
  const places = new Set([...why.matchAll(/monitor\.yaml:(\d+):/g)].map(([, line]) => line));
  expect([...places].sort()).toEqual(['1', '2', '3', '4', '5', '6']);
  expect(why).toContain('watches[0].size must be a number of sessions, "80% of limit", or find, not "some"');
  expect(why).toContain('alerts.mail.to must be a mail address, or a list of them, not 3');
  expect(why).toContain('keep must be a group of "key: value" lines, not 3');
  const bounds = await refusalOf(
    'watches:',
    '  - { name: a, cron: "@hourly", size: 4, plan: p.yaml, within: 0s }',
    '  - { name: b, cron: "@hourly", size: 4, simulate: one-to-one --size 3 }',
  );
  expect(bounds).toContain('watches[0].within must be a time above zero with its unit: 20s, 15m, 6h or 14d, not "0s"');
  expect(bounds).toContain('watches[1].simulate must be without --size, which size says');
  expect(why).not.toMatch(/Invalid|expected|Too (big|small)|pattern|\/\^|\\d|undefined|received/);
});
