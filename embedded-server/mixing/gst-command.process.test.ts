import { execFileSync, spawnSync } from 'node:child_process';
import { getuid } from 'node:process';
import { expect, test } from '@playwright/test';
import { asUser, nobody } from '../../host/unprivileged.js';
import { gstCommand } from './gst-command.js';

test('a mixer of root reads the registry of plug-ins that all mixers load, and cannot write it', async () => {
  test.skip(getuid?.() !== 0, 'root alone makes a registry of its own');
  test.skip(spawnSync('gst-inspect-1.0', ['--version']).status !== 0, 'GStreamer is not installed');
  const { env, files } = await gstCommand();
  expect(files).toHaveLength(1);
  const [program = '', ...words] = [...asUser(await nobody()), 'sh', '-c'];
  const options = { env, cwd: '/', stdio: ['ignore', 'pipe', 'ignore', ...files] as ('pipe' | 'ignore' | number)[] };
  expect(
    execFileSync(program, [...words, 'head -c 4 "$GST_REGISTRY" | wc -c'], options)
      .toString()
      .trim(),
  ).toBe('4');
  const written = execFileSync(program, [...words, '(printf x >&3) 2>&1 || echo refused'], options).toString();
  expect(written).toContain('refused');
});
