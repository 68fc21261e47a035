import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { type AggregateName, aggregates } from '../../model/aggregate.js';
import { measures } from '../../model/measures.js';
import { type MetricDefinition, receiveMetrics, sendMetrics } from '../../model/metric.js';
import { thresholdsSchema } from '../../model/plan.js';

const read = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');
const page = read('reference/measuring.md');

/** The cells of the table rows under a heading, without the marks of code. */
function rowsUnder(heading: string, text = page): string[][] {
  const section = text.split(new RegExp(`^#+ ${heading}$`, 'm'))[1]?.split(/^#/m)[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

const expected = (catalogue: Readonly<Record<string, MetricDefinition>>) =>
  Object.entries(catalogue).map(([name, { unit, form, kinds, source }]) => [
    name,
    unit,
    form,
    kinds.join(', '),
    source,
  ]);

test('the page lists every metric of the catalogue, with its unit, form, kinds and source', () => {
  expect(rowsUnder('Received streams').map((row) => row.slice(0, 5))).toEqual(expected(receiveMetrics));
  expect(rowsUnder('Sent streams').map((row) => row.slice(0, 5))).toEqual(expected(sendMetrics));
});

test('the lab says of every metric what it rests on and what real servers do to it', () => {
  const documented = rowsUnder('What real servers do to each number', read('lab/measuring.md'));
  expect(documented.map(([name]) => name)).toEqual([...Object.keys(receiveMetrics), ...Object.keys(sendMetrics)]);
  for (const row of documented)
    expect(
      row.filter((cell) => cell !== ''),
      row[0],
    ).toHaveLength(5);
});

test('the page lists every aggregate with its name in expressions and its unit', () => {
  const documented = rowsUnder('The window').map((row) => row.slice(0, 3));
  const names = Object.keys(aggregates) as AggregateName[];
  const expected = names.map((name) => [
    name,
    `${measures[name].name}.${measures[name].statistic}`,
    aggregates[name].unit,
  ]);
  expect(documented).toEqual(expected);
});

test('of a mean over frames or samples of a second, the window is the mean of the seconds, and page and catalogue say so', () => {
  const described = new Map(rowsUnder('The window').map((row) => [row[0], row[4] ?? '']));
  const names = (Object.keys(aggregates) as AggregateName[]).filter(
    (name) => name in receiveMetrics && receiveMetrics[name as keyof typeof receiveMetrics].form === 'ratio',
  );
  expect(names).toEqual(['jitterBufferMs', 'delayMs', 'shownMs']);
  for (const name of names) {
    expect(described.get(name), name).toContain('mean of the seconds');
    expect(aggregates[name].about, name).toContain('mean of the seconds');
  }
});

test('the page of judging lists every threshold with its default', () => {
  const defaults = Object.entries(thresholdsSchema.parse({}));
  const rows = rowsUnder('Thresholds', read('reference/judging.md'));
  const documented = rows.map(([name = '', text = '']) => [name, numberOf(text)]);
  expect(documented).toEqual(defaults);
});

function numberOf(text: string): number {
  const [number = '', unit] = text.split(' ');
  return Number(number) * (unit === 's' ? 1000 : 1);
}
