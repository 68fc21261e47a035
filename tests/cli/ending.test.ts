import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runHere } from './run-here.js';

let folder: string;
const simulated = () => [
  'simulate',
  'one-to-one',
  '--capacity',
  '3',
  '--max',
  '8',
  '--measure',
  '6s',
  '--out',
  join(folder, 'runs'),
];

test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-ending-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('--quiet gives the answer in one line and nothing else, and report --format line gives the same', async () => {
  const { stdout, stderr, exitCode } = await runHere([...simulated(), '--quiet']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const [run = ''] = readdirSync(join(folder, 'runs'));
  expect(stdout).toMatch(/^simulated server holds 3 calls \(6 probes\), in 3 of 3 trials\. \(\d+ trials in [^)]*\)\n$/);
  expect(stdout).toContain(`; ${join(folder, 'runs', run)})`);
  expect((await runHere(['report', join(folder, 'runs', run), '--format', 'line'])).stdout).toBe(stdout);
});

test('--summary appends Markdown, --junit writes JUnit, and both say what report says of the stored run', async () => {
  const [summary, junit] = [join(folder, 'summary.md'), join(folder, 'limits.xml')];
  writeFileSync(summary, 'before\n');
  const { exitCode } = await runHere([...simulated(), '--quiet', '--summary', summary, '--junit', junit]);
  expect(exitCode).toBe(0);
  const [run = ''] = readdirSync(join(folder, 'runs'));
  const told = (format: string) => runHere(['report', join(folder, 'runs', run), '--format', format]);
  expect(readFileSync(summary, 'utf8')).toBe(`before\n${(await told('markdown')).stdout}\n`);
  expect(readFileSync(junit, 'utf8')).toBe((await told('junit')).stdout);
});

test('a size that had to be held is the first of JUnit and of the summary, and what failed above it was not asked', async () => {
  const ends = async (require: string) => {
    const [summary, junit] = [join(folder, `${require}.md`), join(folder, `${require}.xml`)];
    const { exitCode } = await runHere([...simulated(), '--require', require, '--summary', summary, '--junit', junit]);
    return { exitCode, summary: readFileSync(summary, 'utf8'), junit: readFileSync(junit, 'utf8') };
  };
  const met = await ends('2');
  expect(met.exitCode).toBe(0);
  expect(met.summary).toMatch(/^\*\*✓ --require 2 is met, held by 3 calls\.\*\*\n/);
  expect(met.junit).toMatch(
    /failures="0"[\s\S]*<testcase [^>]*name="holds 2 calls"[^>]*><system-out>held by 3 calls<[\s\S]*<skipped message="above 2 calls/,
  );
  expect(met.junit, 'what passed above it speaks for it').toMatch(/3 calls" name="verdict" time="[\d.]+"\/>/);
  const missed = await ends('4');
  expect(missed.exitCode).toBe(3);
  expect(missed.summary).toMatch(/^\*\*✗ --require 4 is not met\.\*\*\n/);
  const [first = ''] = /<testcase[\s\S]*?<\/testcase>/.exec(missed.junit) ?? [];
  expect(first).toContain('name="holds 4 calls"');
  expect(first).toContain('<failure message="--require 4 is not met."');
});

test('a file whose folder is not there is refused before anything starts', async () => {
  for (const flag of ['--summary', '--junit']) {
    const { exitCode, stderr } = await runHere([...simulated(), flag, join(folder, 'none/file')]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`${flag} "${join(folder, 'none/file')}" cannot be written: its folder is not there.`);
  }
  expect(readdirSync(folder)).toEqual([]);
});

test('a folder in place of a file is refused before anything starts', async () => {
  mkdirSync(join(folder, 'limits.xml'));
  const { exitCode, stderr } = await runHere([...simulated(), '--junit', join(folder, 'limits.xml')]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('is a folder');
  expect(readdirSync(folder)).toEqual(['limits.xml']);
});

test('a run is named by its folder, its name, a tag, or latest', async () => {
  const search = (...more: string[]) =>
    runHere(['simulate', 'one-to-one', '--capacity', '2', '--quiet', ...more], { workingFolder: folder });
  await search('--tag', 'v1');
  await search();
  const [first = '', second = ''] = readdirSync(join(folder, 'runs')).sort();
  const line = async (word: string) =>
    (await runHere(['report', word, '--format', 'line'], { workingFolder: folder })).stdout;
  expect(await line('latest')).toContain(second);
  expect(await line(second)).toContain(`${second})`);
  expect(await line('v1')).toContain(`${first})`);
  const one = await runHere(['compare', 'v1', 'latest'], { workingFolder: folder });
  expect([one.exitCode, one.stderr]).toEqual([0, '']);
  await search('--tag', 'v1');
  const [newest = ''] = readdirSync(join(folder, 'runs')).sort().reverse();
  const { stderr } = await runHere(['compare', 'v1', second], { workingFolder: folder });
  expect(stderr).toContain(`v1: of 2 runs the newest is taken, ${newest};`);
  expect((await runHere(['report', 'v9'], { workingFolder: folder })).exitCode).toBe(2);
});

test('a folder that cannot be looked into is no empty one', async () => {
  mkdirSync(join(folder, 'runs'));
  symlinkSync('round', join(folder, 'runs/round'));
  const { exitCode, stdout } = await runHere(['runs', join(folder, 'runs')]);
  expect(exitCode).toBe(2);
  expect(stdout).toContain('round: ELOOP');
});

test('a file that cannot be written at the end is said, and the answer stands', async () => {
  symlinkSync('/dev/full', join(folder, 'summary.md'));
  const { exitCode, stdout, stderr } = await runHere([
    ...simulated(),
    '--quiet',
    '--summary',
    join(folder, 'summary.md'),
  ]);
  expect(exitCode).toBe(0);
  expect(stdout).toContain('holds 3 calls');
  expect(stderr).toContain(`warning: ${join(folder, 'summary.md')} could not be written: ENOSPC`);
});

test('labels are in the manifest, in JSON, in the list of runs and its tables', async () => {
  const labels = ['--label', 'region=eu', '--label', 'build=812', '--format', 'json'];
  const { stdout } = await runHere([...simulated(), ...labels]);
  expect(JSON.parse(stdout).labels).toEqual({ region: 'eu', build: '812' });
  const [run = ''] = readdirSync(join(folder, 'runs'));
  const manifest = JSON.parse(readFileSync(join(folder, 'runs', run, 'manifest.json'), 'utf8'));
  expect(manifest.labels).toEqual({ region: 'eu', build: '812' });
  const list = async (format: string) => (await runHere(['runs', join(folder, 'runs'), '--format', format])).stdout;
  expect(await list('text')).toContain('region=eu build=812');
  expect(JSON.parse(await list('json')).runs[0].labels).toEqual({ region: 'eu', build: '812' });
  expect((await list('csv')).split('\n')[1]).toMatch(/,region=eu build=812$/);
});

test('a label that is none, and a key with two values, are refused', async () => {
  const said = async (...labels: readonly string[]) =>
    (await runHere([...simulated(), ...labels.flatMap((label) => ['--label', label])])).stderr;
  expect(await said('eu')).toContain('--label must be KEY=VALUE, the key in small letters, not "eu".');
  expect(await said('Region=eu')).toContain('not "Region=eu".');
  expect(await said('region=two words')).toContain('The value of --label region must be a name of letters');
  expect(await said('region=eu', 'region=us')).toContain('--label gives "region" more than one value.');
});
