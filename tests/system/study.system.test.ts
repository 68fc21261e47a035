import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { openWorkshop, type Workshop } from './running-tool.js';

/** Two sizes are enough to tell the servers apart, and one pass or failure of each: a trial takes a quarter of a minute. */
const asked = [
  'scenarios: [broadcast]',
  'rounds: 2',
  // Two rounds of two servers can show a difference at a third, and not below.
  'chance: 34%',
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

  test('are ranked right by a study, with what the narrow one ran out of, and nothing left behind', async () => {
    const file = join(workshop.temporaryFolder, 'study.yaml');
    await writeFile(file, asked.join('\n'));
    const ended = await workshop.start(['study', file]).ended;
    const answer = JSON.parse(ended.stdout) as unknown as {
      tables: { cells: { server: string; places: number[]; limit: { middle: number } }[]; unlike: string[] }[];
    };
    const [table] = answer.tables;
    expect(
      table?.cells.map(({ server, places }) => [server, places]),
      ended.stderr,
    ).toEqual([
      ['wide', [1, 1]],
      ['narrow', [2, 2]],
    ]);
    expect(table?.cells.map(({ limit }) => limit.middle)).toEqual([3, 1]);
    expect(table?.unlike.join(' ')).toContain('up-link given, bit/s (narrow 1000000, wide 8000000)');
    expect(await workshop.processesLeft()).toEqual([]);
  });
});
