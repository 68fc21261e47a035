import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { findChromium } from './find-chromium.js';

let folder = '';
test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loadline-find-test-'));
});
test.afterAll(() => rm(folder, { recursive: true, force: true }));

async function script(name: string, body: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

test('--chromium goes before LOADLINE_CHROMIUM, which goes before everything else', async () => {
  const flag = await script('flag', 'echo "Chromium 101.0.1.2 built on Debian"');
  const env = { LOADLINE_CHROMIUM: await script('env', 'echo "Google Chrome 102.0.1.2"'), PATH: folder };
  expect(await findChromium({ flag, env })).toEqual({ path: flag, version: '101.0.1.2', source: '--chromium' });
  expect(await findChromium({ env })).toMatchObject({ version: '102.0.1.2', source: 'LOADLINE_CHROMIUM' });
});

test('a named Chromium that is missing, does not run or is something else is E_CHROMIUM_START with what was seen', async () => {
  const cases = [
    [join(folder, 'nowhere'), /no such file/],
    [await script('fails', 'echo "libnss3.so: cannot open" >&2; exit 127'), /127.*libnss3/],
    [await script('other', 'echo Firefox'), /Firefox/],
  ] as const;
  for (const [flag, why] of cases) {
    await expect(findChromium({ flag, env: {} })).rejects.toMatchObject({
      code: 'E_CHROMIUM_START',
      where: '--chromium',
      why: expect.stringMatching(why),
    });
  }
});

test('of the system, the headless shell goes before chromium, and one that does not run is passed over', async () => {
  const inner = await mkdtemp(join(folder, 'path-'));
  const put = async (name: string, body: string): Promise<void> => {
    await writeFile(join(inner, name), `#!/bin/sh\n${body}\n`);
    await chmod(join(inner, name), 0o755);
  };
  await put('chromium', 'echo "Chromium 103.0.0.1"');
  await put('chromium-headless-shell', 'exit 1');
  const found = await findChromium({ env: { PATH: inner } });
  test.skip(found?.source === 'playwright', 'a Chromium of Playwright is here, and goes first');
  expect(found).toMatchObject({ path: join(inner, 'chromium'), version: '103.0.0.1', source: 'PATH' });
});
