import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runLoadline, startLoadline } from './run-loadline.js';

/** A machine without GStreamer: no program is found by its name. */
const bare = { PATH: join(tmpdir(), 'loadline-no-such-folder') };

test('group on an embedded server that cannot mix ends at once, says what to install, and leaves nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'loadline-mix-'));
  try {
    const { exitCode, stdout, stderr } = await runLoadline(['find', 'group', '--out', join(folder, 'runs')], bare);
    expect(exitCode).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('error E_CANNOT_MIX: The embedded server cannot mix rooms without GStreamer.');
    expect(stderr).toMatch(/do {6}(run ".*gst|install GStreamer)/);
    expect(readdirSync(folder)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('serve without GStreamer says once that it cannot mix, and serves', async () => {
  const child = startLoadline(['serve', '--exit-with-stdin'], bare);
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += String(chunk);
    child.stdin.end();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += String(chunk);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect(code).toBe(0);
  expect(stdout).toMatch(/^listening ws:/);
  expect(stderr.match(/GStreamer is missing/g)).toHaveLength(1);
  expect(stderr).toContain('apt-get install gstreamer1.0-tools');
});
