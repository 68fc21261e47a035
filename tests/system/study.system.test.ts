import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { env } from 'node:process';
import { expect, test } from '@playwright/test';
import { openWorkshop, type Workshop } from './running-tool.js';

/**
 * Two sizes tell the servers apart. A trial takes a quarter of a minute, and one round has five: a size needs one pass
 * or two failures. More rounds, and what they show, are tried on simulated servers.
 */
const asked = [
  'scenarios: [broadcast]',
  'rounds: 1',
  'plan:',
  '  media: native',
  '  measure: 10s',
  '  settle: 2s',
  '  warmUp: false',
  '  strategy: fixed',
  '  sizes: [1, 3]',
  '  confirm: 1',
  'servers:',
  '  - { name: narrow, egressLimit: 1mbit }',
  '  - { name: wide, egressLimit: 8mbit }',
  '',
];

test.describe('two embedded servers with up-links of one viewer and a half, and of a dozen', () => {
  let workshop: Workshop;
  test.beforeEach(async () => {
    workshop = await openWorkshop();
  });
  test.afterEach(() => workshop.dispose());

  test('are told apart by a study, with what the narrow one was given, and nothing left behind', async () => {
    test.skip(env.LOADLINE_ALL_FAULTS !== '1', 'five real trials, two minutes and a half: LOADLINE_ALL_FAULTS=1');
    const file = join(workshop.temporaryFolder, 'study.yaml');
    await writeFile(file, asked.join('\n'));
    const ended = await workshop.start(['study', file]).ended;
    const answer = JSON.parse(ended.stdout) as unknown as {
      tables: { cells: { server: string; places: number[]; limit: { middle: number } }[]; unlike: string[] }[];
    };
    const [table] = answer.tables;
    expect(
      table?.cells.map(({ server, places, limit }) => [server, places, limit.middle]),
      ended.stderr,
    ).toEqual([
      // One round ranks nobody.
      ['wide', [1, 2], 3],
      ['narrow', [1, 2], 1],
    ]);
    expect(table?.unlike.join(' ')).toContain('up-link given, bit/s (narrow 1000000, wide 8000000)');
    expect(await workshop.processesLeft()).toEqual([]);
  });
});
