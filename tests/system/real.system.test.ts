import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { Row } from '../../bench/real/row.js';
import { hasJanus, type RealJanus, realJanus } from '../real-janus.js';

/** Whether what other tests show as well is tried, too. */
const all = process.env.LOADLINE_ALL_FAULTS === '1';
const program = fileURLToPath(new URL('../../dist/bench/real.js', import.meta.url));

test.describe('the matrix of real servers (npm run real), on a Janus', () => {
  let janus: RealJanus;
  let folder: string;
  test.beforeEach(async () => {
    test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
    folder = mkdtempSync(join(tmpdir(), 'loadline-matrix-'));
    janus = await realJanus();
  });
  test.afterEach(async () => {
    await janus?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  // Calls with native probes among browsers would need most of two cores.
  for (const [scenarios, players] of [
    ['one-to-one', 'encoded,none'],
    ['broadcast', 'native'],
    ['sfu-group', 'encoded'],
  ])
    test(`is stable in ${scenarios} with ${players}`, () => {
      test.skip(scenarios === 'one-to-one' && !all, 'a call is in the short suite: LOADLINE_ALL_FAULTS=1');
      const json = join(folder, 'rows.json');
      const chosen = ['--scenario', `${scenarios}`, '--players', `${players}`, '--record', 'no', '--network', 'plain'];
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...chosen, '--json', json], {
        encoding: 'utf8',
        env: { ...process.env, LOADLINE_REAL_JANUS: janus.url },
      });
      expect(status, `${stderr}${stdout}`).toBe(0);
      const rows: readonly Row[] = JSON.parse(readFileSync(json, 'utf8'));
      expect(rows.map(({ verdict }) => verdict)).toEqual(rows.map(() => 'stable'));
      for (const { player, joined } of rows) if (player === 'native') expect(joined).toContain('native');
      for (const { figures, player } of rows) if (player !== 'none') expect(figures.audioPackets).toBeCloseTo(50, -1);
    });
});
