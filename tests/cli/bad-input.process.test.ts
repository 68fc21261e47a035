import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { expectOneError } from './one-error.js';
import { runHere } from './run-here.js';
import { runLoadline } from './run-loadline.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-bad-input-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const refusedHere = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
  runHere(args, { workingFolder: folder, env: { PATH: process.env.PATH ?? '', ...env } });

test('a process that is refused ends with its exit code and words', async () => {
  expectOneError(await runLoadline(['find', 'one-to-two']), 'E_SCENARIO');
});

test('a port that is in use is refused with E_PORT_IN_USE', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const address = holder.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  try {
    expectOneError(await refusedHere(['serve', '--port', String(port)]), 'E_PORT_IN_USE');
  } finally {
    holder.close();
  }
});

test('a relay that does not answer is refused with E_TURN_UNREACHABLE before anything starts', async () => {
  const runs = join(folder, 'runs');
  const ended = await refusedHere(['find', 'one-to-one', '--out', runs, '--turn-server', 'turn:relay.example']);
  expectOneError(ended, 'E_TURN_UNREACHABLE');
  for (const word of ['LOADLINE_TURN_SECRET', 'turn:relay.example:3478']) expect(ended.stderr).toContain(word);
  expect(readdirSync(folder)).toEqual([]);
});

test('a Chromium that is not there, or is none, is refused with E_CHROMIUM_START', async () => {
  const out = ['--out', join(folder, 'runs')];
  const missing = await refusedHere(['find', 'one-to-one', '--chromium', join(folder, 'nothing'), ...out]);
  expectOneError(missing, 'E_CHROMIUM_START');
  const fake = join(folder, 'chromium');
  writeFileSync(fake, '#!/bin/sh\necho "no such library" >&2\nexit 127\n', { mode: 0o755 });
  const broken = await refusedHere(['find', 'one-to-one', ...out], { LOADLINE_CHROMIUM: fake });
  expectOneError(broken, 'E_CHROMIUM_START');
  expect(broken.stderr).toContain('no such library');
});

test('a folder for the run that cannot be made is refused with E_OUT', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  // The search for a Chromium comes first, so one that says a version is enough here.
  const fake = join(folder, 'chromium');
  writeFileSync(fake, '#!/bin/sh\necho "Chromium 150.0.0.0"\n', { mode: 0o755 });
  const args = ['find', 'one-to-one', '--chromium', fake, '--out', join(file, 'runs')];
  const ended = await refusedHere(args, { XDG_CACHE_HOME: join(folder, 'cache') });
  expectOneError(ended, 'E_OUT');
});

test('a server that does not answer is refused with E_SERVER_UNREACHABLE and leaves no folder of a run', async () => {
  const fake = join(folder, 'chromium');
  writeFileSync(fake, '#!/bin/sh\necho "Chromium 150.0.0.0"\n', { mode: 0o755 });
  const runs = join(folder, 'runs');
  const args = ['find', 'one-to-one', '--chromium', fake, '--out', runs, '--server', 'kurento://127.0.0.1:9'];
  const ended = await refusedHere([...args, '--format', 'json'], { XDG_CACHE_HOME: join(folder, 'cache') });
  expectOneError(ended, 'E_SERVER_UNREACHABLE');
  expect(readdirSync(runs)).toEqual([]);
});
