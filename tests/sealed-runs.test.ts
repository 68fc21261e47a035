import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../cli/command-line.js';
import { thinRun } from '../store/run-directory/thin-run.js';
import { fakeProcess } from './cli/fake-process.js';
import { recordedRun, storedSimulation, withRunFolder } from './stored-runs.js';

/** Short windows: what is asked here is of files, not of media. */
const timing = { measureMs: 6000, settleMs: 3000, pacePerSecond: 50 };

async function said(...args: readonly string[]) {
  const tool = fakeProcess({ args, workingFolder: '/' });
  const exitCode = await runCommandLine(tool);
  return { exitCode, stdout: tool.written.stdout(), stderr: tool.written.stderr() };
}

let out: string;
let sealed: string;
test.beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'loadline-sealed-'));
  sealed = await storedSimulation(out, { capacity: 3 }, { max: 8 }, timing);
});
test.afterAll(() => rm(out, { recursive: true, force: true }));

/** A sealed run, changed by `change`, and what a command then says of it. */
async function afterChange(change: (run: string) => Promise<unknown>, ...command: readonly string[]) {
  return withRunFolder(async (folder) => {
    const run = join(folder, basename(sealed));
    await cp(sealed, run, { recursive: true });
    await change(run);
    const [name = 'report', ...flags] = command;
    return said(name, run, ...flags);
  });
}

function replaced(file: string, from: string | RegExp, to: string) {
  return async (run: string) => {
    const path = join(run, file);
    const text = await readFile(path, 'utf8');
    expect(text).toMatch(from);
    await writeFile(path, text.replace(from, to));
  };
}

const asText = ['report', '--format', 'text'] as const;

test('a limit that was edited in result.json is refused by its name, and no answer is given', async () => {
  const { exitCode, stdout, stderr } = await afterChange(
    replaced('result.json', '"stable": 3', '"stable": 100'),
    ...asText,
  );
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('error E_RUN: result.json of the stored run was changed after it was written.');
});

test('an edited threshold in the manifest is found', async () => {
  const change = replaced('manifest.json', '"videoLossPercentMax": 1', '"videoLossPercentMax": 9');
  expect((await afterChange(change, ...asText)).stderr).toContain('error E_RUN: manifest.json');
});

test('an edited trial is found, and its line is named', async () => {
  const change = replaced('trials.jsonl', '"verdict":{"kind":"unstable"', '"verdict":{"kind":"stable"');
  expect((await afterChange(change, ...asText)).stderr).toMatch(/error E_RUN: trials\.jsonl:\d+ of the stored run/);
});

test('without trials.jsonl nothing is said, also where the answer is there', async () => {
  const { exitCode, stdout, stderr } = await afterChange((run) => rm(join(run, 'trials.jsonl')), ...asText);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('error E_RUN: trials.jsonl of the stored run is missing.');
});

test('where samples were removed, what is absent is said, and never that all of them arrived', async () => {
  const remove = (run: string) => rm(join(run, 'samples'), { recursive: true });
  const { exitCode, stdout, stderr } = await afterChange(remove, ...asText);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/warning: The samples of trials 1 to \d+ are not there: curves by second/);
  expect(stdout).toContain('are stored no more');
  expect(stdout).not.toMatch(/100 % of \d+ arrived/);
  expect((await afterChange(remove, 'judge')).exitCode).toBe(2);
});

test('without result.json the answer is derived from the trials, and that is said', async () => {
  const whole = await afterChange(async () => undefined, 'report', '--format', 'markdown');
  const { stdout, stderr } = await afterChange((run) => rm(join(run, 'result.json')), 'report', '--format', 'markdown');
  expect(stdout).toBe(whole.stdout);
  expect(stderr).toContain('result.json is missing; the answer is derived from the stored trials.');
});

test('a thinned run still opens, says so, and a mark with another day is refused', async () => {
  const thin = (run: string) => thinRun(run, 'records', 1_780_000_000_000);
  const { exitCode, stderr } = await afterChange(thin, ...asText);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Its samples were removed on');
  const change = async (run: string) => {
    await thin(run);
    await replaced('thinned.json', '1780000000000', '1700000000000')(run);
  };
  expect((await afterChange(change, ...asText)).stderr).toContain('error E_RUN: thinned.json');
});

test('a run of before runs were sealed opens with a line that says so, and an impossible answer is still refused', async () => {
  await withRunFolder(async (folder) => {
    const run = join(folder, 'earlier');
    await cp(recordedRun, run, { recursive: true });
    const opened = await said('report', run, '--format', 'text');
    expect(opened.exitCode).toBe(0);
    expect(opened.stderr).toContain('warning: This run is not sealed');
    await replaced('result.json', '"stable": 3', '"stable": 100')(run);
    const { exitCode, stdout, stderr } = await said('report', run, '--format', 'text');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('100 was stable in none of its trials');
  });
});
