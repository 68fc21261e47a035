import { expect, test } from '@playwright/test';
import type { PlayedStep, Study } from '../../model/study.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { againstText } from '../report/against-text.js';
import { against } from './against.js';
import { cellsOf } from './schedule.js';

const study: Study = {
  format: 1,
  name: 'nightly',
  startedAt: '2026-01-02T03:04:05.000Z',
  rounds: 6,
  seed: 1,
  chance: 0.05,
  parts: ['limit'],
  cells: cellsOf(['ours', 'theirs'], ['one-to-one'], []),
  question: 'q',
};

const measured = (limits: Readonly<Record<string, readonly number[]>>, server = {}) => ({
  study,
  played: Object.entries(limits).flatMap(([name, values]) =>
    values.map(
      (stable, nth): PlayedStep => ({
        cell: `${name}+one-to-one`,
        round: nth + 1,
        part: 'limit' as const,
        path: '',
        run: aRun(
          [1, stable].map((size, index) => aRecord(index + 1, { size })),
          { outcome: 'found', stable, unstable: stable + 1 },
          server,
        ),
      }),
    ),
  ),
});

test('a server that holds less than in the study before is named, and the other is not', () => {
  const before = measured({ ours: [20, 21, 20, 20, 21, 20], theirs: [9, 10, 9, 9, 10, 9] });
  const after = measured({ ours: [17, 17, 18, 17, 17, 17], theirs: [10, 9, 9, 9, 10, 9] });
  const { kind, cells } = against(before, after);
  expect(kind).toBe('worse');
  expect(cells.map(({ id, check }) => [id, check.kind])).toEqual([
    ['ours+one-to-one', 'worse'],
    ['theirs+one-to-one', 'none-worse'],
  ]);
});

test('what was given something else is not compared, and that is said', () => {
  const before = measured({ ours: [20, 20, 20, 20, 20, 20] });
  const after = measured({ ours: [9, 9, 9, 9, 9, 9] }, { cpuLimitCores: 0.5 });
  const { kind, cells, unlike } = against(before, after);
  expect({ kind, cells }).toEqual({ kind: 'unknown', cells: [] });
  expect(unlike).toEqual([
    'ours+one-to-one is not compared: it was measured on another machine, or the server was given something else.',
  ]);
});

test('a study that measured for another time is not compared, and the time is named', () => {
  const before = measured({ ours: [20, 20, 20, 20, 20, 20] });
  const after = measured({ ours: [9, 9, 9, 9, 9, 9] });
  const played = after.played.map((step) => {
    const { manifest } = step.run;
    const plan = { ...manifest.plan, timing: { ...manifest.plan.timing, measureMs: 10_000 } };
    return { ...step, run: { ...step.run, manifest: { ...manifest, plan } } };
  });
  expect(against(before, { ...after, played })).toMatchObject({
    kind: 'unknown',
    unlike: ['ours+one-to-one is not compared: timing: measureMs is another (60000, 10000).'],
  });
});

test('a server that has no limit any more is named, with what ended it, and nothing is called as good as before', () => {
  const before = measured({ ours: [20, 20, 20, 20, 20, 20], theirs: [9, 9, 9, 9, 9, 9] });
  const after = measured({ ours: [0, 0, 0, 0, 0, 0], theirs: [9, 9, 9, 9, 9, 9] });
  const played = after.played.map((step) => {
    const { answer } = step.run;
    const outcome = answer.stable === 0 ? ('baseline-unstable' as const) : answer.outcome;
    return { ...step, run: { ...step.run, answer: { ...answer, outcome } } };
  });
  const dead = against(before, { ...after, played });
  expect(dead).toMatchObject({
    kind: 'unknown',
    cells: [{ id: 'theirs+one-to-one' }],
    withoutLimit: [{ before: '20 in 6 of 6 rounds', after: 'no limit: baseline-unstable', isLost: true }],
  });
  expect(againstText(dead)).toContain('no limit any more: ours+one-to-one.');
  const why = 'The server ours did not start.';
  const failed = [1, 2, 3, 4, 5, 6].map((round) => ({ cell: 'ours+one-to-one', round, part: 'limit' as const, why }));
  const gone = against(before, { ...measured({ theirs: [9, 9, 9, 9, 9, 9] }), failed });
  expect(gone).toMatchObject({
    kind: 'unknown',
    withoutLimit: [{ after: 'no limit: The server ours did not start', isLost: true }],
  });
  const short = after.played.map((step) => {
    const answer = { ...step.run.answer, stable: 6, outcome: 'probe-limited' as const, unstable: null };
    return { ...step, run: { ...step.run, answer } };
  });
  const open = against(before, { ...after, played: short });
  expect(open.withoutLimit[1]).toMatchObject({ before: '9 in 6 of 6 rounds', after: 'at least 6 in 6 of 6 rounds' });
  const half = against(before, { ...after, played: played.filter(({ cell, round }) => cell[0] === 't' && round < 4) });
  expect(half.withoutLimit[1]).toMatchObject({ after: '9 in 3 of 6 rounds; no limit: not made', isLost: false });
});

test('a server that held nothing in two rounds of six is not as good as before by the other four', () => {
  const before = measured({ ours: [20, 20, 20, 20, 20, 20], theirs: [9, 9, 9, 9, 9, 9] });
  const played = before.played.map((step) => {
    if (step.cell[0] === 't' || step.round > 2) return step;
    const answer = { ...step.run.answer, stable: 0, outcome: 'baseline-unstable' as const };
    return { ...step, run: { ...step.run, answer } };
  });
  const found = against(before, { ...before, played });
  expect(found).toMatchObject({ kind: 'unknown', cells: [{ check: { kind: 'unknown' } }, {}] });
  const text = againstText(found).replace(/\s+/g, ' ');
  expect(text).toContain('no limit in more rounds than then: ours+one-to-one.');
  expect(text).toContain('2 of 6 runs have no limit now, and 0 of 6 before (baseline-unstable)');
  expect(against(before, before).kind).toBe('none-worse');
});

test('of cells with limits then and now it says how many intervals meet, and which are apart', () => {
  const before = measured({ ours: [20, 21, 20, 20, 21, 20], theirs: [9, 10, 9, 9, 10, 9] });
  const after = measured({ ours: [17, 17, 18, 17, 17, 17], theirs: [10, 10, 11, 10, 10, 10] });
  const told = against(before, after);
  expect(told.intervals).toEqual({ meet: 1, of: 2, apart: ['ours+one-to-one'] });
  expect(againstText(told).replace(/\s+/g, ' ')).toContain(
    'Intervals of limits then and now meet in 1 of 2 cells (50 %). They are apart in ours+one-to-one.',
  );
  expect(against(before, measured({})).intervals).toEqual({ meet: 0, of: 0, apart: [] });
});

test('a server that a study gave something else, or other cores, is not compared, though its runs do not see it', () => {
  const limits = { ours: [20, 20, 20, 20, 20, 20] };
  const gave = (cores: number) => {
    const servers = ['ours', 'theirs'].map((name) => ({ name, cores, plan: {}, files: [] }));
    return { ...measured(limits), study: { ...study, servers } };
  };
  const isCompared = (...two: Parameters<typeof against>) => against(...two).cells.length === 1;
  expect(isCompared(gave(0.5), gave(0.5))).toBe(true);
  expect(isCompared(gave(0.5), gave(1))).toBe(false);
  const on = (cpus: string) => {
    const { played, ...rest } = measured(limits);
    const labelled = played.map((step) => {
      const manifest = { ...step.run.manifest, labels: { server_cpus: cpus } };
      return { ...step, run: { ...step.run, manifest } };
    });
    return { ...rest, played: labelled };
  };
  expect(isCompared(on('0-1'), on('0-1'))).toBe(true);
  expect(isCompared(on('0-1'), on('1'))).toBe(false);
});
