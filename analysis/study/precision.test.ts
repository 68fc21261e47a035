import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import type { PlayedStep, Study } from '../../model/study.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { studyText } from '../report/study-text.js';
import { against } from './against.js';
import { asEnded, endedAfter } from './precision.js';
import { cellsOf } from './schedule.js';
import { studyAnswer } from './study-answer.js';

const study: Study = {
  format: 1,
  name: 'quick',
  startedAt: '2026-01-02T03:04:05.000Z',
  rounds: 8,
  seed: 1,
  chance: 0.05,
  precision: 0.1,
  parts: ['limit'],
  cells: cellsOf(['a', 'b'], ['one-to-one'], []),
  question: 'q',
};

const played = (limits: Readonly<Record<string, readonly number[]>>, more = {}): PlayedStep[] =>
  Object.entries(limits).flatMap(([server, values]) =>
    values.map((stable, nth) => ({
      cell: `${server}+one-to-one`,
      round: nth + 1,
      part: 'limit' as const,
      path: '',
      run: aRun([], { outcome: 'found', stable, unstable: stable + 1, ...more }),
    })),
  );

test('a study ends behind the fifth round where each limit is as precise as was asked, and says so', () => {
  const runs = played({ a: [20, 20, 21, 20, 20], b: [9, 9, 9, 9, 9] });
  expect(endedAfter(study, runs)).toBe(5);
  expect(asEnded(study, runs).rounds).toBe(5);
  const answer = studyAnswer(study, runs);
  expect(answer).toMatchObject({ rounds: 5, precision: { asked: 0.1, reached: true } });
  const text = studyText(answer).replace(/\s+/g, ' ');
  expect(text).toContain('5 rounds, each limit within 10 %');
  expect(text).toContain('a holds more calls than b.');
  expect(text).not.toContain('not made yet');
  const { withoutLimit } = against({ study, played: runs }, { study, played: runs });
  expect(JSON.stringify(withoutLimit)).not.toContain('not made');
});

test('it goes on where one limit is less precise, open, not shown or missing in a round', () => {
  const b = [9, 9, 9, 9, 9];
  const isOpen = (a: readonly number[], more = {}) =>
    endedAfter(study, [...played({ a }, more), ...played({ b })]) === undefined;
  expect(isOpen([20, 20, 20, 20, 20])).toBe(false);
  expect(isOpen([20, 20, 23, 20, 20])).toBe(true);
  expect(isOpen([20, 20, 20, 20])).toBe(true);
  expect(isOpen([20, 20, 20, 20, 20], { outcome: 'probe-limited' })).toBe(true);
  expect(isOpen([20, 20, 20, 20, 20], { cutShort: true })).toBe(true);
  const { precision: _, ...whole } = study;
  expect(endedAfter(whole, played({ a: [20, 20, 20, 20, 20], b }))).toBeUndefined();
  const wide = [20, 20, 23, 20, 20, 20, 20, 20];
  const answer = studyAnswer(study, played({ a: wide, b: wide }));
  expect(answer).toMatchObject({ rounds: 8, precision: { reached: false } });
  expect(studyText(answer).replace(/\s+/g, ' ')).toContain('8 rounds, not each limit is within 10 %');
});

test('its intervals are as sure as the rounds that are made in any case, however many are made', () => {
  const wide = [20, 20, 23, 20, 20, 20, 20, 20];
  const sureOf = (one: Study) => studyAnswer(one, played({ a: wide, b: wide })).tables[0]?.cells[0]?.limit?.sure;
  const { precision: _, ...whole } = study;
  expect([sureOf(study), sureOf(whole)]).toEqual([0.9375, 1 - 2 / 2 ** 8]);
});

test('when it ends changes no chance of error: of equal servers seldom one is ranked, and intervals miss seldom', () => {
  const random = seededRandom(3);
  let [ranked, missed] = [0, 0];
  const studies = 1000;
  for (let nth = 0; nth < studies; nth += 1) {
    const draw = () => Array.from({ length: 8 }, () => Math.round(400 * (1 + 0.2 * (random() + random() - 1))));
    const all = played({ a: draw(), b: draw() });
    const { rounds } = asEnded(study, all);
    const [table] = studyAnswer(
      study,
      all.filter(({ round }) => round <= rounds),
    ).tables;
    ranked += table?.ranks.above.length ?? 0;
    const { low = 0, high } = table?.cells.find(({ server }) => server === 'a')?.limit ?? {};
    if (low > 400 || (high ?? 400) < 400) missed += 1;
  }
  expect(ranked / studies).toBeLessThanOrEqual(0.02);
  expect(missed / studies).toBeLessThanOrEqual(0.0625 + 0.02);
});
