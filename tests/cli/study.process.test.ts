import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';
import { builtLoadline, runLoadline } from './run-loadline.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-study-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const file = () => join(folder, 'study.yaml');
const out = () => join(folder, 'runs');

function writeStudy(...more: readonly string[]): void {
  const servers = [
    'servers:',
    '  - { name: small, simulate: { capacity: 1 } }',
    '  - { name: large, simulate: { capacity: 3 } }',
  ];
  writeFileSync(
    file(),
    [...servers, 'scenarios: [one-to-one]', 'rounds: 2', 'plan: { confirm: 1 }', ...more, ''].join('\n'),
  );
}

/** It starts the tool again for each of its runs. */
const study = (...args: readonly string[]) => runHere(['study', ...args], { selfCommand: builtLoadline });

const runsOf = (of: string) =>
  ['round-01', 'round-02'].flatMap((round) =>
    readdirSync(of).includes(round) ? readdirSync(join(of, round)).map((name) => `${round}/${name}`) : [],
  );

test('a study whose time was up goes on with --resume, and makes no run again that has ended', async () => {
  test.setTimeout(120_000);
  writeStudy('budget: 1s');
  const cut = await runLoadline(['study', file(), '--out', out()]);
  // Each cell may have had its first round by then.
  expect([0, 4], cut.stderr).toContain(cut.exitCode);
  expect(cut.stderr).toMatch(/The time of the study is up: [123] runs were not made/);
  const [name = ''] = readdirSync(out());
  const of = join(out(), name);
  const before = runsOf(of);
  expect(before.length).toBeGreaterThan(0);

  writeStudy();
  const whole = await runLoadline(['study', file(), '--resume', of]);
  expect(whole.exitCode, whole.stderr).toBe(0);
  expect(runsOf(of)).toHaveLength(4);
  expect(runsOf(of)).toEqual(expect.arrayContaining(before));
  expect(whole.stdout).toContain('So few rounds show no difference');
  for (const run of runsOf(of)) expect(readdirSync(join(of, run))).toContain('report.html');
  expect(readdirSync(of)).toContain('study.html');

  const json = await runHere(['study', 'report', of, '--format', 'json']);
  const [table] = JSON.parse(json.stdout).tables;
  expect(
    table.cells.map(({ server, limit }: { server: string; limit: { middle: number } }) => [server, limit.middle]),
  ).toEqual([
    ['large', 3],
    ['small', 1],
  ]);
  const again = await study(file(), '--resume', of);
  expect(again.exitCode).toBe(0);
  expect(runsOf(of)).toHaveLength(4);

  for (const changed of ['seed: 2', 'chance: 1%']) {
    writeStudy(changed);
    const other = await study(file(), '--resume', of);
    expect([other.exitCode, other.stderr.includes('asked something else')], changed).toEqual([2, true]);
  }
});

test('a server that does not start is told with its reason, and the others are measured all the same', async () => {
  writeFileSync(
    file(),
    [
      'scenarios: [one-to-one]',
      'rounds: 1',
      'servers:',
      '  - { name: gone, server: "kurento://127.0.0.1:1", start: "echo no such disk; exit 3" }',
      '  - { name: there, simulate: { capacity: 3 } }',
      '',
    ].join('\n'),
  );
  const ended = await study(file(), '--out', out());
  expect(ended.exitCode).toBe(4);
  const text = ended.stdout.replace(/\s+/g, ' ');
  expect(text).toContain('gone, round 1: no run. The server gone did not start.');
  expect(text).toContain('there 3 3');
});

test('shares of the limit are tried behind it, and what cannot be found of a server is told with its reason', async () => {
  writeFileSync(
    file(),
    [
      'scenarios: [one-to-one]',
      'rounds: 1',
      'find: [delay, join-rate, recovery]',
      'servers:',
      '  - { name: there, simulate: { capacity: 10 } }',
      '',
    ].join('\n'),
  );
  const ended = await study(file(), '--out', out());
  expect(ended.exitCode, ended.stderr).toBe(0);
  const text = ended.stdout.replace(/\s+/g, ' ');
  expect(text).toContain('there 50 % 5 ');
  expect(text).toContain('there 80 % 8 ');
  expect(text).toContain('there 100 % 10 ');
  expect(text).toContain('there, joins a second, round 1: no run. there is simulated');
});

test('every link of the page leads to a file beside it, also where a report had gone, and to no other place', async () => {
  writeStudy('find: [delay]');
  test.setTimeout(120_000);
  expect((await runLoadline(['study', file(), '--out', out()])).exitCode).toBe(0);
  const [name = ''] = readdirSync(out());
  const of = join(out(), name);
  const [gone = ''] = runsOf(of);
  rmSync(join(of, gone, 'report.html'));
  expect((await runLoadline(['study', 'report', of, '--format', 'html'])).exitCode).toBe(0);
  const page = readFileSync(join(of, 'study.html'), 'utf8');
  const links = [...page.matchAll(/(?:href|src|action)="([^"#]*)/g)].map(([, link = '']) => decodeURIComponent(link));
  expect(links.length).toBeGreaterThan(4);
  expect(links.filter((link) => !existsSync(join(of, link)))).toEqual([]);
  // What a page loads without a link is of its style.
  expect(page).not.toMatch(/url\((?!["']?data:)|@import/);
});

test('a study goes on with a file of a server that has changed, and says so', async () => {
  const conf = join(folder, 'janus.jcfg');
  const servers = `  - { name: gone, server: "janus://127.0.0.1:1", start: "echo ${conf}; exit 3" }`;
  writeFileSync(file(), ['scenarios: [one-to-one]', 'rounds: 1', 'servers:', servers, ''].join('\n'));
  writeFileSync(conf, 'a = 1');
  expect((await study(file(), '--out', out())).exitCode).toBe(4);
  const of = join(out(), readdirSync(out())[0] ?? '');
  writeFileSync(conf, 'a = 2');
  const other = await study(file(), '--resume', of);
  expect([other.exitCode, other.stderr.includes(`${conf} has changed`)]).toEqual([4, true]);
});

test('a study against the one before it exits 4 where so few runs say nothing, and names the earlier one', async () => {
  writeStudy('seed: 3');
  expect((await study(file(), '--out', out())).exitCode).toBe(0);
  const later = await study(file(), '--out', out(), '--against', 'last');
  expect(later.exitCode, later.stderr).toBe(4);
  expect(later.stdout).toMatch(/Against study of 20\d\d-\S+ \S+ UTC: too little to say anything\./);
  const none = await study(file(), '--out', join(folder, 'other'), '--against', 'last');
  expect([none.exitCode, none.stderr.includes('There is no earlier study')]).toEqual([2, true]);
});
