import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { runCommandLine } from '../../cli/command-line.js';
import type { Manifest } from '../../model/run.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { createRunDirectory } from '../../store/run-directory/run-directory.js';
import { runDirectorySink } from '../../store/run-directory/run-directory-sink.js';
import { findLimit } from '../../trial/find-limit.js';
import { long } from '../effort.js';
import { aPlan, aSimulatedRun, startMs } from '../simulated-run.js';
import { fakeProcess } from './fake-process.js';
import { runHere } from './run-here.js';

/** A stored run on a simulated server that holds 5 calls, with a browser crash now and then. */
let folder: string;
let run: string;

test.beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-judge-'));
  run = await createRunDirectory({ parent: folder, scenario: 'one-to-one', server: 'simulated', startedAtMs: startMs });
  const changes = { sinks: [runDirectorySink(run)], runDirectory: run };
  const { parts } = aSimulatedRun({ capacity: 5, symptom: 'mixed', voidRate: 0.15, seed: 11 }, changes);
  const plan = aPlan({ max: 16, voidRepeats: 4 }, { measureMs: 10_000, settleMs: 12_000, pacePerSecond: 20 });
  await findLimit({ plan, scenario: oneToOne }, parts, new AbortController().signal);
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

const judge = (...args: readonly string[]) => runHere(['judge', run, ...args], { workingFolder: folder });

interface Document {
  readonly changed: number;
  readonly limitBefore: unknown;
  readonly limit: { readonly stable: number };
  readonly outcome: string;
  readonly trials: readonly { before: string; after: string; same: boolean; reasons: { text: string }[] }[];
}

async function judgedJson(...args: readonly string[]): Promise<Document> {
  const { stdout, stderr, exitCode } = await judge('--format', 'json', ...args);
  expect(stderr).toBe('');
  expect(exitCode).toBe(0);
  return JSON.parse(stdout);
}

test('a stored run judged again with its own limits gives the same verdicts, byte for byte, and the same limit', async () => {
  const document = await judgedJson();
  const kinds = new Set(document.trials.map(({ after }) => after));
  expect(kinds).toEqual(new Set(['stable', 'unstable', 'void']));
  expect(document.trials.filter(({ same }) => !same)).toEqual([]);
  expect(document.changed).toBe(0);
  expect(document.limit.stable).toBe(5);
  expect(document.limitBefore).toEqual({ stable: 5, unstable: 6 });
  const result = JSON.parse(readFileSync(join(run, 'result.json'), 'utf8'));
  expect({ outcome: document.outcome, limit: document.limit }).toEqual({
    outcome: result.outcome,
    limit: result.limit,
  });
});

test('the plan of the manifest as a preset and as expressions gives the same verdicts, too', async () => {
  const document = await judgedJson('--preset', 'default', '--threshold', 'video.loss.mean <= 1%');
  expect(document.trials.every(({ same }) => same)).toBe(true);
});

test('a limit that nothing keeps turns stable trials unstable, and no size is stable', async () => {
  const document = await judgedJson('--threshold', 'received.video.bitrate >= 5 Mbit/s');
  expect(document.changed).toBeGreaterThan(0);
  expect(document.trials.filter(({ after }) => after === 'stable')).toEqual([]);
  expect(document.outcome).toBe('baseline-unstable');
  expect(document.trials[0]?.reasons[0]?.text).toContain('limit 5000 kbit/s');
});

test('limits that forgive everything the server does turn unstable trials stable, and void ones stay void', async () => {
  const document = await judgedJson('--threshold', 'bad probes <= 100%');
  expect(document.trials.filter(({ before, after }) => before === 'unstable' && after !== 'stable')).toEqual([]);
  expect(document.trials.filter(({ before, after }) => before === 'void' && after !== 'void')).toEqual([]);
  expect(document.limit.stable).toBeGreaterThan(5);
});

test(
  'a trial that was ended early as lost is judged the same again, and is void under limits that it might have kept',
  long,
  async () => {
    const early = await createRunDirectory({ parent: folder, scenario: 'early', server: 'x', startedAtMs: startMs });
    const changes = { sinks: [runDirectorySink(early)], runDirectory: early };
    const { parts } = aSimulatedRun({ capacity: 2, symptom: 'loss', seed: 3 }, changes);
    const plan = aPlan({ max: 8 }, { measureMs: 40_000, settleMs: 12_000, pacePerSecond: 20 });
    await findLimit({ plan, scenario: oneToOne }, parts, new AbortController().signal);
    const records = readFileSync(join(early, 'trials.jsonl'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const ended = records.filter((record) => record.endedEarly).map((record) => record.index - 1);
    expect(ended.length).toBeGreaterThan(0);
    const judged = async (...args: readonly string[]): Promise<Document> => {
      const tool = fakeProcess({ args: ['judge', early, '--format', 'json', ...args], workingFolder: folder });
      expect(await runCommandLine(tool)).toBe(0);
      return JSON.parse(tool.written.stdout());
    };
    expect((await judged()).trials.filter(({ same }) => !same)).toEqual([]);
    const { trials } = await judged('--threshold', 'bad probes <= 100%');
    for (const index of ended) expect(trials[index]?.after).toBe('void');
  },
);

test('the text names the trials that changed, the limit before and the limit now', async () => {
  const { stdout, exitCode } = await judge('--threshold', 'bad probes <= 100%');
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/judged again: \d+ of \d+ trials get another verdict\./);
  expect(stdout).toMatch(/^→ +\d+ +\d+ {3}unstable {2}stable/m);
  expect(stdout).toContain('Limit before: 5 calls stable, 6 unstable');
  expect(stdout).toMatch(/Limit now: {4}\d+ calls stable/);
});

test('the stored run is left as it was', async () => {
  const before = readFileSync(join(run, 'trials.jsonl'), 'utf8');
  await judge('--preset', 'strict');
  expect(readFileSync(join(run, 'trials.jsonl'), 'utf8')).toBe(before);
  const manifest: Manifest = JSON.parse(readFileSync(join(run, 'manifest.json'), 'utf8'));
  expect(manifest.plan.thresholds.videoLossPercentMax).toBe(1);
});

test('a folder that holds no run is refused with E_RUN', async () => {
  const tool = fakeProcess({ args: ['judge', folder], workingFolder: '/' });
  expect(await runCommandLine(tool)).toBe(2);
  expect(tool.written.stderr()).toContain('error E_RUN: ');
});

test('with --require a build is told by the exit code, and a person by a sentence, whether the limit is as large', async () => {
  expect(await judge('--require', '5')).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('--require 5 is met.'),
  });
  expect(await judge('--require', '6')).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining('--require 6 is not met.'),
  });
});

test('where no trial of the run is stable any more not even one session is, as the table of exit codes has it', async () => {
  expect(await judge('--threshold', 'rtt.mean <= 1ms', '--require', '2')).toMatchObject({
    exitCode: 3,
    stdout: expect.stringContaining('--require 2 is not met.'),
  });
});
