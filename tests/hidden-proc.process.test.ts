import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { builtLoadline } from './cli/run-loadline.js';
import { long } from './effort.js';
import { once } from './once.js';

const canHide = once(() => process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0);

let folder: string;
test.beforeEach(() => {
  test.skip(!canHide(), 'needs root, to hide /proc from one process (unshare)');
  folder = mkdtempSync(join(tmpdir(), 'loadline-hidden-proc-'));
});
test.afterEach(() => {
  if (canHide()) rmSync(folder, { recursive: true, force: true });
});

/** On a system that has no /proc, as macOS: what is read of it there is absent. */
function withoutProc(...args: readonly string[]) {
  const script = 'mount -t tmpfs none /proc && exec "$@"';
  const env = { PATH: process.env.PATH, HOME: folder, TMPDIR: folder, LOADLINE_NO_SETUP: '1' };
  const ended = spawnSync('unshare', ['--mount', 'sh', '-ec', script, 'sh', ...builtLoadline, ...args], { env });
  return { exitCode: ended.status, stdout: ended.stdout.toString(), stderr: ended.stderr.toString() };
}

test(
  'where there is no /proc a search is simulated and its report made, and a plan knows how many cores there are',
  long,
  () => {
    const simulated = withoutProc('simulate', 'one-to-one', '--capacity', '3', '--out', folder, '--format', 'json');
    expect(`${simulated.exitCode}`).toBe('0');
    const { runDirectory } = JSON.parse(simulated.stdout) as { runDirectory: string };
    const report = withoutProc('report', runDirectory, '--format', 'text');
    expect(`${report.exitCode} ${report.stderr}`).toBe('0 ');
    expect(report.stdout).toContain('holds 3 calls');
    const plan = withoutProc('plan', 'one-to-one', '--max', '2');
    expect(`${plan.stdout}${plan.stderr}`).not.toMatch(/\b0 (cores )?are there|of 0 cores/);
  },
);
