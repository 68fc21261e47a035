import { expect, test } from '@playwright/test';
import { studyCsv, studyText } from '../analysis/report/study-text.js';
import { cellsOf } from '../analysis/study/schedule.js';
import { studyAnswer } from '../analysis/study/study-answer.js';
import type { Study } from '../model/study.js';
import { studyResultSchema } from '../model/study-result-schema.js';
import { aRun } from '../tests/builders/run-builder.js';
import { studyPage } from './study-page.js';

const study: Study = {
  format: 1,
  name: 'two',
  startedAt: '2026-01-02T03:04:05.000Z',
  rounds: 2,
  seed: 1,
  chance: 0.05,
  parts: ['limit'],
  cells: cellsOf(['janus', 'embedded'], ['one-to-one'], []),
  question: 'q',
};

const answer = studyAnswer(
  study,
  [7, 9].map((stable, nth) => ({
    cell: 'janus+one-to-one',
    round: nth + 1,
    part: 'limit' as const,
    path: `round-0${nth + 1}/a run`,
    run: aRun([], { outcome: 'found', stable, unstable: stable + 1 }, { name: '<b>Janus</b>' }),
  })),
  [{ cell: 'embedded+one-to-one', round: 1, part: 'limit', why: '<i>no</i>' }],
);

test('each figure of the page leads to the report of its run, and what servers and errors are called is escaped', () => {
  const page = studyPage(answer, { style: '', version: '0' });
  expect(page).toContain('<a href="round-01/a%20run/report.html">7</a>');
  expect(page).toContain('<a href="round-02/a%20run/report.html">9</a>');
  expect(page).toContain('<a href="round-01/a%20run/report.html">7 to 9</a>');
  expect(page).toContain('<td>no run</td>');
  expect(page).not.toMatch(/<b>Janus|<i>no|<script/);
  expect(page).toContain('loadline find cells/janus+one-to-one.json');
});

const servers = [
  {
    ...{ name: 'janus', start: 'exec janus -F conf', cores: 0.5, memoryBytes: 512e6, cpus: '0-1' },
    ...{ plan: { server: 'janus://127.0.0.1:8188' }, files: [{ path: 'conf/<b>.jcfg', sha256: '0a1b' }] },
  },
  { name: 'embedded', plan: { cpuLimit: 0.5 }, files: [] },
];

test('what each server was given is folded away, hashes of its files with it, and nothing of it is markup', () => {
  const page = studyPage({ ...answer, servers }, { style: '', version: '0' });
  const [, janus = '', embedded = ''] = page.split('<details>');
  for (const part of ['exec janus -F conf', '0.5 cores, 512 MB of memory', '0-1', 'janus://127.0.0.1:8188'])
    expect(janus).toContain(part);
  expect(janus).toContain('&lt;b&gt;Janus&lt;/b&gt;');
  expect(janus).toContain('conf/&lt;b&gt;.jcfg</th><td><code>sha256:0a1b</code>');
  expect(embedded).toContain('not by the study');
  expect(embedded).not.toContain('control group');
  expect(studyPage(answer, { style: '', version: '0' })).not.toContain('<details>');
});

test('the answer is what its schema says, no field more', () => {
  const document = JSON.parse(JSON.stringify({ ...answer, servers }));
  expect(studyResultSchema.parse(document)).toEqual(document);
});

test('limits over a number are a curve for each server, and between its marks nothing was measured', () => {
  const cells = cellsOf(['janus'], ['sfu-group'], ['roomSize-2', 'roomSize-8']);
  const over = { key: 'roomSize', values: [2, 8] };
  const found = cells.map(({ id }, nth) => ({
    cell: id,
    round: 1,
    part: 'limit' as const,
    path: id,
    run: aRun([], { outcome: 'found', stable: nth === 0 ? 40 : 3, unstable: nth === 0 ? 41 : 4 }),
  }));
  const { tables, ...told } = studyAnswer({ ...study, rounds: 1, cells, over }, found);
  const page = studyPage({ ...told, tables }, { style: '', version: '0' });
  expect(page).toContain('title="roomSize 2: 40, 40"');
  expect(page).toContain('title="roomSize 8: 3, 3"');
  expect(page).toContain('The line between them is drawn, not measured.');
});

test('an upper end that was seen and not shown is marked in the table, the picture, each round and the curve', () => {
  const cells = cellsOf(['janus'], ['sfu-group'], ['roomSize-2']);
  const run = aRun([], { outcome: 'found', stable: 24, unstable: 25, cutShort: true });
  const step = { cell: cells[0]?.id ?? '', round: 1, part: 'limit' as const, path: 'r', run };
  const over = { key: 'roomSize', values: [2, 8] };
  const told = studyAnswer({ ...study, rounds: 1, cells, over }, [step]);
  const page = studyPage(told, { style: '', version: '0' });
  expect(page.match(/>≥ 24<\/a>/g)).toHaveLength(3);
  expect(page).toContain('>24, cut short</a>');
  expect(page).toContain('title="roomSize 2: ≥ 24, 24, cut short"');
  expect(studyResultSchema.parse(JSON.parse(JSON.stringify(told)))).toMatchObject({
    tables: [{ cells: [{ highNotShown: true }] }],
  });
});

test('table, CSV and curve tell one limit of a server whose probes ran out in a round', () => {
  const cells = cellsOf(['janus'], ['sfu-group'], ['roomSize-2']);
  const over = { key: 'roomSize', values: [2, 8] };
  const found = [10, 30, 20].map((stable, nth) => ({
    cell: cells[0]?.id ?? '',
    round: nth + 1,
    part: 'limit' as const,
    path: String(nth),
    run: aRun([], { outcome: nth === 1 ? 'probe-limited' : 'found', stable, unstable: stable + 1 }),
  }));
  const told = studyAnswer({ ...study, rounds: 3, cells, over }, found);
  expect(studyText(told).replace(/\s+/g, ' ')).toContain('1 janus ≥ 10 from 10');
  expect(studyCsv(told)).toContain(',calls,3,10,10,,');
  const page = studyPage(told, { style: '', version: '0' });
  expect(page).toContain('title="roomSize 2: ≥ 10, from 10"');
  // The round has a size that failed, and its probes ended it all the same.
  expect(page).toContain('>≥ 30</a>');
  expect(page).toContain('>20</a>');
});

test('the picture of delays says what the clocks of hosts leave open', () => {
  const delay = { delayMs: { middle: 40, low: 40, high: 41, sure: 0.5, rounds: 2 }, delayBoundMs: 3 };
  const tables = answer.tables.map((one) => ({ ...one, cells: one.cells.map((cell) => ({ ...cell, ...delay })) }));
  expect(studyPage({ ...answer, tables }, { style: '', version: '0' })).toContain('40 ± 3</a>');
});
