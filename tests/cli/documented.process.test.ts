import { spawnSync } from 'node:child_process';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

test('the manual page has every command and flag of help, and man reads it without a complaint', async () => {
  const { stdout, stderr, exitCode } = await runHere(['man']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  for (const heading of ['NAME', 'SYNOPSIS', 'COMMANDS', 'EXIT STATUS', 'ENVIRONMENT'])
    expect(stdout).toContain(`\n.SH ${heading}\n`);
  const plain = stdout.replaceAll('\\-', '-');
  const missing = [...(await runHere(['help', 'find', '--all'])).stdout.matchAll(/^ {2}(--[a-z-]+)/gm)]
    .map(([, flag = '']) => flag)
    .filter((flag) => !plain.includes(`.B ${flag}`));
  expect(missing).toEqual([]);
  test.skip(spawnSync('groff', ['--version']).status !== 0, 'there is no groff here');
  const read = spawnSync('groff', ['-man', '-Tutf8', '-ww'], { input: stdout, encoding: 'utf8' });
  expect({ status: read.status, complaints: read.stderr }).toEqual({ status: 0, complaints: '' });
  expect(read.stdout).toContain('LOADLINE(1)');
});
