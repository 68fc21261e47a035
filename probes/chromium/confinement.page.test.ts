import { readFile } from 'node:fs/promises';
import { getuid } from 'node:process';
import { expect } from '@playwright/test';
import { readCommandLines } from '../../host/processes.js';
import { participant, test } from '../../tests/fleet-stage.js';

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
