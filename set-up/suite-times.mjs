/**
 * How long the suites take: `npm run test:times` runs both and writes the tables of docs/lab/suites.md. A run of one
 * project alone with LOADLINE_WRITE_TIMES=1 renews the rows of that project.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';

const recordFile = join(root, 'set-up/suite-times.json');
const page = join(root, 'docs/lab/suites.md');
const slowest = 20;

export const writesTimes = () => process.env.LOADLINE_WRITE_TIMES === '1';

const read = () => JSON.parse(readFileSync(recordFile, 'utf8'));

/** `times` as the count reporter gives them. Only the slowest can be in a table, so only they are kept. */
export function recordTimes(suite, project, { ms, tests }) {
  const records = read();
  const kept = [...tests].sort((a, b) => b.ms - a.ms).slice(0, slowest);
  records.now[suite][project] = {
    seconds: Math.round(ms / 1000),
    tests: tests.length,
    slowest: kept.map(({ test, file, ms: took }) => ({ test, file, seconds: tenths(took / 1000) })),
  };
  writeFileSync(recordFile, `${JSON.stringify(records, undefined, 2)}\n`);
}

/** Puts both tables into the page, between their marks. */
export function writeTimes() {
  const records = read();
  const text = readFileSync(page, 'utf8');
  const tables = { 'suite-times': suiteTable(records), 'slowest-tests': slowestTable(records) };
  writeFileSync(page, Object.entries(tables).reduce(withTable, text));
}

function withTable(text, [name, lines]) {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const [from, to] = [text.indexOf(begin) + begin.length, text.indexOf(end)];
  if (from < begin.length || to < from) throw new Error(`${page} has no ${begin} … ${end}`);
  return `${text.slice(0, from)}\n${lines.join('\n')}\n${text.slice(to)}`;
}

function suiteTable({ before, now }) {
  const cell = (one) => (one ? `${one.tests} in ${minutes(one.seconds)}` : '–');
  const rows = ['pure', 'process', 'page', 'system'].map((project) =>
    [project, cell(before.projects[project]), cell(now.short[project]), cell(now.long[project])].join(' | '),
  );
  return ['| tests, min:s | before | `npm test` | `npm run test:long` |', '|---|---|---|---|', ...rows.map(inTable)];
}

/** The slowest of before with what they take now, and the slowest of now. */
function slowestTable({ before, now }) {
  const all = Object.entries(now).flatMap(([suite, projects]) =>
    Object.values(projects).flatMap((project) => project.slowest.map((one) => ({ ...one, suite }))),
  );
  const told = (key) => all.filter((one) => keyOf(one) === key).map(({ seconds, suite }) => `${seconds} (${suite})`);
  const then = new Map(before.slowest.map((one) => [keyOf(one), one]));
  const names = new Map([...then].map(([key, { test }]) => [key, test]));
  for (const one of all.sort((a, b) => b.seconds - a.seconds).slice(0, slowest)) names.set(keyOf(one), one.test);
  const rows = [...names].map(([key, test]) =>
    [test.replaceAll('|', '\\|'), then.get(key)?.seconds ?? '', told(key).join(', ') || absent(key, now)].join(' | '),
  );
  return ['| test | before, s | now, s (suite) |', '|---|---:|---|', ...rows.map(inTable)];
}

/** It is quicker than those that are kept of its project where both suites of that were run, and unknown where not. */
function absent(key, { short, long }) {
  const project = /\.(process|page|system)\.test\.ts /.exec(key)?.[1] ?? 'pure';
  return short[project] && long[project] ? 'less' : '';
}

/** With another number in its title it is another test. */
const keyOf = ({ file, test }) => `${file} ${test}`;
const inTable = (row) => `| ${row} |`;
const tenths = (value) => Math.round(value * 10) / 10;

function minutes(seconds) {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
