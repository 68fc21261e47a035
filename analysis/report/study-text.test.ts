import { expect, test } from '@playwright/test';
import type { Answer } from '../../model/run.js';
import type { PlayedStep, Study } from '../../model/study.js';
import type { TrialRecord } from '../../model/trial.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import type { LevelAnswer } from '../study/beside-limit.js';
import { cellsOf } from '../study/schedule.js';
import { type StudyAnswer, studyAnswer } from '../study/study-answer.js';
import { studyCsv, studyMarkdown, studyText } from './study-text.js';

const study: Study = {
  format: 1,
  name: 'three',
  startedAt: '2026-01-02T03:04:05.000Z',
  rounds: 6,
  seed: 1,
  chance: 0.05,
  parts: ['limit'],
  cells: cellsOf(['janus', 'embedded', 'a-server-with-a-long-name'], ['one-to-one'], []),
  question: 'q',
};

type Found = Partial<Answer> & Pick<Answer, 'outcome' | 'stable'>;

const played = (server: string, answers: readonly Found[]): PlayedStep[] =>
  answers.map((answer, nth) => ({
    cell: `${server}+one-to-one`,
    round: nth + 1,
    part: 'limit' as const,
    path: `round-0${nth + 1}/${server}`,
    run: aRun([], answer, { name: `${server} 1.0` }),
  }));

const found = (...limits: number[]): Found[] =>
  limits.map((stable) => ({ outcome: 'found' as const, stable, unstable: stable + 1 }));

const answer = studyAnswer(
  study,
  [
    ...played('embedded', found(20, 21, 20, 22, 20)),
    ...played('janus', found(9, 9, 10, 9, 9)),
    ...played('a-server-with-a-long-name', [...found(9, 10, 9, 9), { outcome: 'void', stable: 0 }]),
  ],
  [{ cell: 'a-server-with-a-long-name+one-to-one', round: 6, part: 'limit', why: 'The server did not start.' }],
);

test('a study says who holds more where that is shown, and that nothing is shown where it is not', () => {
  const text = studyText(answer).replace(/\s+/g, ' ');
  expect(text).toContain('1 embedded 20 20 to 22');
  expect(text).toContain('2-3 janus 9 9 to 10');
  expect(text).toContain('embedded holds more calls than janus and a-server-with-a-long-name.');
  expect(text).toContain('No difference shown between janus and a-server-with-a-long-name.');
  expect(text).toContain('at most 5 % name a difference, over its 3 pairs together');
  expect(text).toContain('a-server-with-a-long-name, round 5: void, which says nothing of a limit.');
  expect(text).toContain('a-server-with-a-long-name, round 6: no run. The server did not start.');
});

test('it fits a terminal of 80 columns and one of 40, and says the same of each server', () => {
  for (const columns of [80, 40]) {
    const lines = studyText(answer, columns).split('\n');
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain('20 to 22');
  }
});

function csvRow(of: StudyAnswer) {
  const [head = [], first = []] = studyCsv(of)
    .split('\n')
    .map((line) => line.split(','));
  return Object.fromEntries(head.map((name, nth) => [name, first[nth]]));
}

test('Markdown and CSV have a row for each server, and CSV leaves empty what is not known', () => {
  expect(studyMarkdown(answer)).toContain('| 1 | embedded | 20 | 20 to 22 |');
  expect(csvRow(answer)).toMatchObject({
    server: 'embedded',
    unit: 'calls',
    limit: '20',
    low: '20',
    high: '22',
    high_shown: 'yes',
    cores_each: '',
  });
});

test('CSV has who noticed something by trial, and nothing where no trial shows who', () => {
  const level = { size: { middle: 10 }, trials: 4, noticedIn: 4, paths: [] };
  const noticed = (by: number, trials: number) => ({ by, of: 10 * trials, trials, what: [] });
  const levels = [
    { ...level, percent: 50, noticed: noticed(6, 4) },
    { ...level, percent: 80, noticed: noticed(0, 0) },
  ] as unknown as LevelAnswer[];
  const tables = answer.tables.map((one) => ({ ...one, cells: one.cells.map((cell) => ({ ...cell, levels })) }));
  expect(csvRow({ ...answer, tables })).toMatchObject({ noticed_50: '1.5', noticed_80: '', noticed_100: '' });
});

test('memory that a server gave back is not told as what a session costs', () => {
  const memoryMb = { middle: -1.5, low: -2.6, high: -0.05, sure: 0.94, rounds: 5 };
  const cores = { ...memoryMb, middle: 0.002, low: -0.001, high: 0.004 };
  const tables = answer.tables.map((one) => ({
    ...one,
    cells: one.cells.map((cell) => ({ ...cell, memoryMb, cores })),
  }));
  const text = studyText({ ...answer, tables }).replace(/\s+/g, ' ');
  expect(text).toContain('cores each 0.002 (-0.001 to 0.004); MB each not shown');
});

test('a study of several settings has a map of limits over them, in 40 columns, too', () => {
  const cells = cellsOf(['janus', 'embedded'], ['one-to-one'], ['small', 'large']);
  const steps = cells.map(({ id, setting }) => ({
    cell: id,
    round: 1,
    part: 'limit' as const,
    path: id,
    run: aRun([], { outcome: 'found' as const, stable: setting === 'small' ? 30 : 8, unstable: 31 }),
  }));
  const two = studyAnswer({ ...study, rounds: 1, cells }, steps);
  for (const columns of [80, 40]) {
    const text = studyText(two, columns).replace(/\s+/g, ' ');
    expect(text).toContain('one-to-one: calls by setting server small large embedded 30 8 janus 30 8');
  }
  expect(studyMarkdown(two)).toContain('| server | small | large |');
});

test('a search that was cut short has the interval of its trials, marked, and servers of which that is true are told together', () => {
  const runs: Found[] = [{ outcome: 'found', stable: 24, unstable: 26, cutShort: true }];
  const servers = ['embedded', 'janus', 'a-server-with-a-long-name'];
  const short = studyAnswer(
    { ...study, rounds: 1 },
    servers.flatMap((server) => played(server, runs)),
  );
  const text = studyText(short).replace(/\s+/g, ' ');
  expect(text).toContain('1-3 janus ≥ 24 24 to 25, cut short');
  expect(text).not.toContain('was not reached');
  expect(csvRow(short)).toMatchObject({ limit: '24', low: '24', high: '25', high_shown: 'no' });
  expect(text).toContain('Cut short in 1 of 1 round: janus, embedded and a-server-with-a-long-name.');
  expect(text).toContain('No difference shown between any two of them.');
});

test('an upper end that was shown before its search was cut short is told without a mark', () => {
  const cut = { outcome: 'found', stable: 24, unstable: 25, cutShort: true } as const;
  const verdict = { kind: 'unstable', reasons: [], thresholds: [] } as const;
  const of = (failures: number) => {
    const records = [24, ...Array<number>(failures).fill(25)].map((size, nth) =>
      aRecord(nth, { size, ...(size === 25 ? { verdict } : {}) }),
    );
    const [step] = played('janus', [cut]);
    return studyAnswer({ ...study, rounds: 1 }, step ? [{ ...step, run: aRun(records, cut) }] : []);
  };
  expect(csvRow(of(1))).toMatchObject({ limit: '24', high_shown: 'no' });
  expect(csvRow(of(2))).toMatchObject({ limit: '24', high_shown: 'yes' });
  const runsOf = (failures: number) => of(failures).tables[0]?.cells.flatMap(({ runs }) => runs);
  expect(runsOf(1)).toMatchObject([{ atLeast: 24 }]);
  expect(runsOf(2)?.[0]).not.toHaveProperty('atLeast');
  expect(studyText(of(2)), 'its lower end was not repeated').toContain('Cut short in 1 of 1 round: janus.');
});

test('searches under a budget rank servers, and an upper end is marked where it rests on those that were cut short', () => {
  const cut = (limits: Found[], ...rounds: number[]) =>
    limits.map((one, nth) => (rounds.includes(nth) ? { ...one, cutShort: true as const } : one));
  const budget = studyAnswer({ ...study, cells: cellsOf(['janus', 'embedded'], ['one-to-one'], []), rounds: 9 }, [
    ...played('embedded', cut(found(20, 21, 20, 22, 20, 20, 21, 20, 20), 0, 1, 2, 3, 4, 5, 6, 7, 8)),
    ...played('janus', cut(found(9, 9, 10, 9, 9, 9, 9, 9, 9), 2)),
  ]);
  const text = studyText(budget).replace(/\s+/g, ' ');
  expect(text).toContain('embedded holds more calls than janus.');
  expect(text).toContain('1 embedded ≥ 20 20 to 21, cut short');
  expect(text, 'one round of nine is not what its upper end rests on').toContain('2 janus 9 9 ');
});

test('a limit that the probes ran out of is told as at least so much', () => {
  const open = studyAnswer({ ...study, rounds: 1 }, played('janus', [{ outcome: 'probe-limited', stable: 12 }]));
  const text = studyText(open).replace(/\s+/g, ' ');
  expect(text).toContain('1-3 janus ≥ 12 from 12');
  expect(text).toContain('At least so many calls: janus. In 1 of 1 round the limit was not reached.');
  expect(text).toContain('embedded: 1 of 1 round not made yet.');
});

const atLimit = (streams: TrialRecord['streams'], outcome: Answer['outcome'] = 'found') => {
  const run = aRun([aRecord(1, { size: 20, streams })], { outcome, stable: 20, unstable: 21 });
  const one = { cell: 'janus+one-to-one', round: 1, part: 'limit', path: '', run } as const;
  return studyAnswer({ ...study, rounds: 1, parts: ['limit', 'at-50', 'at-80'] }, [one]);
};
const cellIn = ({ tables }: StudyAnswer) => tables[0]?.cells.find(({ server }) => server === 'janus');

test('delays between hosts are told with what their clocks leave open, and on one clock nothing is', () => {
  const of = (bounds: readonly object[]) =>
    atLimit(
      bounds.map((bound, nth) => {
        const values = { delayP95Ms: 40, ...bound };
        return { probe: `${nth}a`, leg: `${nth}a`, direction: 'receive' as const, kind: 'video' as const, values };
      }),
    );
  const between = of([{}, { delayBoundMs: 3 }, { delayBoundMs: 2 }]);
  expect(cellIn(between)).toMatchObject({ delayBoundMs: 3, levels: [{ percent: 100, delayBoundMs: 3 }] });
  expect(
    studyText(between)
      .replace(/\s+/g, ' ')
      .match(/40 ± 3 ms/g),
  ).toHaveLength(2);
  expect(csvRow(between)).toMatchObject({ delay_p95_ms: '40', delay_open_ms: '3' });
  const here = of([{}, {}]);
  expect(studyText(here)).not.toContain('±');
  expect(csvRow(here)).toMatchObject({ delay_p95_ms: '40', delay_open_ms: '' });
});

test('a run without a limit says nothing of what participants had at it', () => {
  const streams = (['video', 'audio'] as const).map((kind) => ({
    probe: '1a',
    leg: '1a',
    direction: 'receive' as const,
    kind,
    values: { delayP95Ms: 40, bitrateKbps: 500 },
  }));
  const cellOf = (outcome: Answer['outcome']) => cellIn(atLimit(streams, outcome));
  expect(cellOf('found')).toMatchObject({ delayMs: { middle: 40 }, egressKbps: { middle: 50 } });
  for (const outcome of ['drifting', 'server-lost'] as const) {
    expect(cellOf(outcome)).not.toHaveProperty('delayMs');
    expect(cellOf(outcome)).not.toHaveProperty('egressKbps');
  }
});
