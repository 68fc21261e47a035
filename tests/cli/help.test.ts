import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { exitCodes } from '../../cli/exit-codes.js';
import { scenarios } from '../../scenarios/index.js';
import { runLoadline } from './run-loadline.js';

for (const command of [
  'find',
  'try',
  'plan',
  'simulate',
  'judge',
  'report',
  'compare',
  'runs',
  'doctor',
  'monitor',
  'serve',
]) {
  test(`loadline ${command} --help is on stdout, exits 0 and has examples`, async () => {
    const { stdout, stderr, exitCode } = await runLoadline([command, '--help']);
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toContain('Examples:\n');
    expect(stdout).toContain(`\n  loadline ${command}`);
  });
}

test('the help of find lists every scenario and every exit code', async () => {
  const { stdout } = await runLoadline(['find', '--help']);
  for (const scenario of scenarios) expect(stdout).toContain(`  ${scenario.name} `);
  for (const { code, find } of exitCodes) expect(stdout).toContain(`\n  ${String(code).padEnd(4)} ${find}`);
});

test('the help of serve keeps what imitates other servers under a heading of its own', async () => {
  const { stdout } = await runLoadline(['serve', '--help']);
  const [plain = '', imitating = ''] = stdout.split(/^To imitate what other servers do.*$/m);
  for (const flag of ['--report-interval', '--wrapped-report', '--slow-first-join', '--rtx', '--leak', '--mix-fps']) {
    expect(plain).not.toContain(`  ${flag}`);
    expect(imitating).toContain(`  ${flag}`);
  }
});

test('loadline alone shows its help and exits 0', async () => {
  const { stdout, exitCode } = await runLoadline([]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('Usage: loadline');
});

test('--version prints the version of package.json', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
  expect((await runLoadline(['--version'])).stdout).toBe(`${version}\n`);
});

test('the table of exit codes in the README is the one in the code', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const rows = exitCodes.map((one) => `| ${one.code} | ${one.find} | ${one.try} |`);
  expect(readme).toContain(`| code | \`find\` | \`try\` |\n|---|---|---|\n${rows.join('\n')}\n\n`);
});
