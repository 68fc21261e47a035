import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@playwright/test';
import { builtLoadline } from './cli/run-loadline.js';
import { long } from './effort.js';

/** Built by `.ci/run`, and copied beside its log. */
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'loadline-tests');
const client = join(cache, 'gstreamer', 'whip-client');
const script = fileURLToPath(new URL('counterparts/in-namespace.sh', import.meta.url));

function whyNot(): string | undefined {
  if (getuid?.() !== 0) return 'root alone can make a network namespace';
  if (existsSync(client)) return undefined;
  const log = join(cache, 'gstreamer.log');
  const said = existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').at(-1) : undefined;
  return `the WHIP client of GStreamer is not built: ${said ?? '.ci/run builds it, where there is a Rust'}`;
}

test('GStreamer publishes by WHIP and views by WHEP through the embedded server, and ends both', long, async () => {
  const reason = whyNot();
  test.skip(reason !== undefined, reason);
  test.setTimeout(90_000);
  const env = { ...process.env, LOADLINE_NO_SETUP: '1', LOADLINE_SERVE_TOKEN: '0123456789abcdef0123456789abcdef' };
  const words = ['-n', 'sh', script, client, ...builtLoadline];
  const { stdout } = await promisify(execFile)('unshare', words, { env, timeout: 80_000 });
  const given = (what: string) => Number(new RegExp(`^${what} (\\d+)$`, 'm').exec(stdout)?.[1]);
  expect(given('video'), stdout).toBeGreaterThan(20);
  expect(given('audio'), stdout).toBeGreaterThan(50);
  expect(stdout).toMatch(/^0 left$/m);
});
