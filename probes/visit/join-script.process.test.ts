import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { loadJoinScript, type Visit } from './join-script.js';

test('a variable of the environment that is not set, and the line that reads it, are named; one that is set is not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-join-test-'));
  try {
    const script = join(folder, 'join.mjs');
    const lines = ['export default ({ env }) => {', '  env.APP_NAME;', '  env.APP_ROOM;', '  env.APP_ROOM;', '};'];
    await writeFile(script, lines.join('\n'));
    const { join: act, unset } = await loadJoinScript(script);
    expect(unset()).toEqual([]);
    await act({ env: { APP_NAME: 'x' } } as Partial<Visit> as Visit, 1000);
    expect(unset()).toEqual(['env.APP_ROOM, which join.mjs:3 reads, is not set']);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('what a join script imports by name is not taken from a node_modules in the folder of temporary files', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-join-test-'));
  const before = process.env.TMPDIR;
  try {
    const temporary = join(folder, 'tmp');
    for (const name of ['playwright', 'playwright-core']) {
      const planted = join(temporary, 'node_modules', name);
      await mkdir(planted, { recursive: true });
      await writeFile(join(planted, 'package.json'), JSON.stringify({ name, main: 'index.js' }));
      await writeFile(join(planted, 'index.js'), 'globalThis.planted = true; exports.chromium = "planted";');
    }
    process.env.TMPDIR = temporary;
    const script = join(folder, 'join.mjs');
    await writeFile(script, "import * as core from 'playwright-core'; export default () => core.default ?? core;");
    const { join: act } = await loadJoinScript(script);
    expect(act).toBeInstanceOf(Function);
    expect((globalThis as { planted?: boolean }).planted).toBeUndefined();
  } finally {
    if (before === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = before;
    await rm(folder, { recursive: true, force: true });
  }
});
