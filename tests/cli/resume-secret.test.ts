import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../../cli/command-line.js';
import { recordedRun, withRunFolder } from '../stored-runs.js';
import { fakeProcess } from './fake-process.js';

test('a run whose server was named with a secret is not resumed without it, and says what to give again', () =>
  withRunFolder(async (folder) => {
    const run = join(folder, 'run');
    await cp(recordedRun, run, { recursive: true });
    const path = join(run, 'manifest.json');
    const manifest = JSON.parse(await readFile(path, 'utf8'));
    manifest.plan.server = { kind: 'kurento', url: 'ws://host:8888/kurento?token=***' };
    await writeFile(path, JSON.stringify(manifest));
    const tool = fakeProcess({ args: ['find', '--resume', run] });
    expect(await runCommandLine(tool)).toBe(2);
    expect(tool.written.stderr()).toContain('error E_RESUME');
    expect(tool.written.stderr()).toContain('give them again, with the secret in place of ***');
  }));
