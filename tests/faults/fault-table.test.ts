import { expect, test } from '@playwright/test';
import { phases } from '../../model/trial.js';
import { tableOnPage, writesTables } from '../reliability-table.js';
import { faultTable, storedRecords, writeFaultTable } from './fault-table.js';
import { faultRows, faults } from './rows.js';

test('the table of faults in docs/lab/reliability.md is the one that rows and records make', () => {
  if (writesTables()) writeFaultTable();
  expect(tableOnPage('faults')).toEqual(faultTable(faultRows, storedRecords()));
});

test('no two rows share an id or a title, and no two cases of a row a name', () => {
  for (const names of [
    faultRows.map(({ id }) => id),
    faultRows.map(({ title }) => title),
    ...faultRows.map(({ cases }) => cases.map(({ name }) => name)),
  ]) {
    expect(new Set(names).size).toBe(names.length);
  }
});

test('each record is of a row and a case that are there', () => {
  const known = faultRows.flatMap(({ id, cases }) => cases.map(({ name }) => `${id} ${name}`));
  const recorded = Object.entries(storedRecords()).flatMap(([id, said]) =>
    Object.keys(said).map((name) => `${id} ${name}`),
  );
  expect(recorded.filter((one) => !known.includes(one))).toEqual([]);
});

test('a row that claims each phase has each phase', () => {
  const claims = faults.filter(({ title }) => title.includes('each phase'));
  expect(claims.length).toBeGreaterThan(0);
  for (const { cases } of claims) expect(cases.map(({ name }) => name)).toEqual(phases);
});

const row = {
  id: 'lightning',
  title: 'lightning',
  cases: [{ name: 'by day' }, { name: 'by night' }, { name: 'at noon' }],
};

test('a row says of how many, and of which, of its times there is a record, and one without any that it was not run', () => {
  const lines = (said: Record<string, string>) => faultTable([row], { lightning: said }).slice(2);
  expect(lines({})).toEqual(['| lightning | not run |  |', '', '0 of 1, each as often as its row says.']);
  const some = lines({ 'by day': 'it flashed', 'at noon': 'it flashed' });
  expect(some).toEqual([
    '| lightning | 2 of 3 | by day, at noon: it flashed |',
    '',
    '0 of 1, each as often as its row says.',
  ]);
  const every = lines({ 'by day': 'it flashed', 'by night': 'it was light', 'at noon': 'it flashed' });
  expect(every[0]).toBe('| lightning | 3 of 3 | by day, at noon: it flashed<br>by night: it was light |');
  expect(every.at(-1)).toBe('1 of 1, each as often as its row says.');
});
