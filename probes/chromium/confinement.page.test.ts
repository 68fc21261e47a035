import { spawnSync } from 'node:child_process';
import { readFile, readlink, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { env, getuid, pid } from 'node:process';
import { expect } from '@playwright/test';
import { findRoots, readCommandLines } from '../../host/processes.js';
import { removeFolder } from '../../host/remove-folder.js';
import { participant, test } from '../../tests/fleet-stage.js';
import { findChromium } from './find-chromium.js';
import { openContext } from './open-context.js';

test('browsers of root are processes of a user who may do nothing, and see no secret of the environment', async ({
  probes,
}) => {
  test.skip(getuid?.() !== 0, 'only root can be another user');
  process.env.LOADLINE_TEST_TOKEN = 'secret';
  await probes.withServer({}, ({ negotiate }) =>
    probes.withFleet({}, async ({ fleet, join, temporaryRoot }) => {
      await join([participant('1a')], negotiate);
      expect(fleet.records()).toMatchObject([{ up: true, failures: [] }]);
      const lines = [...(await readCommandLines())].filter(([, words]) => words.join(' ').includes(temporaryRoot));
      expect(lines.length).toBeGreaterThan(0);
      for (const [pid, words] of lines) {
        const status = await readFile(`/proc/${pid}/status`, 'utf8');
        expect(status).not.toMatch(/^Uid:\t0\t/m);
        expect(status).toMatch(/^CapEff:\t0+$/m);
        expect(words.join(' ')).not.toContain('--no-sandbox');
        expect(await readFile(`/proc/${pid}/environ`, 'utf8')).not.toContain('LOADLINE_TEST_TOKEN');
      }
    }),
  );
  delete process.env.LOADLINE_TEST_TOKEN;
});

test('inside of a network, too: root enters it, and the browser in it is another user', async () => {
  const namespace = `ll-test-${pid}`;
  const may = getuid?.() === 0 && spawnSync('ip', ['netns', 'add', namespace]).status === 0;
  test.skip(!may, 'only root can make a network namespace');
  try {
    const found = await findChromium({ env });
    if (!found) throw new Error('this test needs a Chromium');
    const inside = ['ip', 'netns', 'exec', namespace];
    const order = { chromiumPath: found.path, temporaryRoot: tmpdir(), inside, flags: [] };
    const { context, profile, folder } = await openContext(order);
    const roots = await findRoots((argument) => argument === `--user-data-dir=${profile}`);
    expect(roots.size).toBe(1);
    for (const root of roots) {
      expect(await readlink(`/proc/${root}/ns/net`)).not.toBe(await readlink('/proc/self/ns/net'));
      expect(await readFile(`/proc/${root}/status`, 'utf8')).not.toMatch(/^Uid:\t0\t/m);
    }
    await context.close();
    await removeFolder(folder);
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  } finally {
    spawnSync('ip', ['netns', 'del', namespace]);
  }
});
