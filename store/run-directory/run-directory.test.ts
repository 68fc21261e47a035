import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { test as base, expect } from '@playwright/test';
import { LoadlineError } from '../../model/errors.js';
import type { Evidence } from '../../model/evidence.js';
import type { Sample } from '../../model/sample.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { soon } from '../../tests/soon.js';
import { aManifest, aRecord, aSample } from '../../tests/stored-run.js';
import { readRun } from './read-run.js';
import { createRunDirectory, runName } from './run-directory.js';
import { runDirectorySink } from './run-directory-sink.js';

const test = base.extend<{ parent: string; directory: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright wants the pattern
  parent: async ({}, use) => {
    const parent = await mkdtemp(join(tmpdir(), 'loadline-store-'));
    await use(parent);
    await rm(parent, { recursive: true });
  },
  directory: async ({ parent }, use) => use(await createRunDirectory(request(parent))),
});

const request = (parent: string) => ({
  parent,
  scenario: 'one-to-one',
  server: 'embedded',
  startedAtMs: 1_700_000_000_000,
});

const evidence: Evidence = {
  probeHost: [{ atMs: 1, cores: 2, busyCores: 1.5, stealCores: 0, probeCores: 1, memoryAvailableMb: 900 }],
  server: [{ atMs: 1, cpuCores: 0.4, sessions: 2 }],
};

async function storeTrials(directory: string, count: number): Promise<void> {
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  for (let index = 1; index <= count; index += 1) {
    for (let second = 0; second < 20; second += 1)
      sink.writeSamples(index, [aSample('1a', second), aSample('1b', second)]);
    await sink.writeTrial(aRecord(index), evidence);
  }
  await sink.close();
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return error instanceof LoadlineError ? error.code : String(error);
}

test('a run is named for its second, scenario and server', () => {
  expect(
    runName({ parent: '', scenario: 'group', server: 'kurento', startedAtMs: Date.UTC(2026, 10, 21, 14, 3, 12) }),
  ).toBe('2026-11-21T14-03-12-group-kurento');
});

test('runs that start in the same second get folders of their own', async ({ parent }) => {
  const made = await Promise.all(Array.from({ length: 5 }, () => createRunDirectory(request(parent))));
  expect(new Set(made).size).toBe(5);
  expect(made.map((path) => basename(path)).sort()[1]).toMatch(/-embedded-2$/);
});

test('only its owner may look into the folder of a run', async ({ directory }) => {
  expect((await stat(directory)).mode & 0o777).toBe(0o700);
});

test('a parent in /proc, where nothing can be made, is refused at once', async () => {
  test.skip(!existsSync('/proc/self'), 'there is no /proc here');
  const error = await createRunDirectory(request('/proc/nothing/runs')).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_OUT', where: '/proc/nothing/runs' });
});

test('a parent that cannot be a folder is refused with E_OUT and its path', async ({ parent }) => {
  const file = join(parent, 'file');
  await writeFile(file, '');
  const error = await createRunDirectory(request(join(file, 'runs'))).catch((reason: unknown) => reason);
  expect(error).toMatchObject({ code: 'E_OUT', where: join(file, 'runs') });
});

test('what was stored is read back as it was', async ({ directory }) => {
  await storeTrials(directory, 3);
  const run = await readRun(directory);
  expect(run.manifest).toEqual(aManifest());
  expect(run.records).toEqual(
    [1, 2, 3].map((index) => ({ ...aRecord(index), samplesFile: `samples/trial-00${index}.jsonl.gz` })),
  );
  expect(run.warnings).toEqual([]);
  expect(run.result).toBeUndefined();
  const samples = await run.readSamples(2);
  expect(samples.warning).toBeUndefined();
  expect(samples.value).toHaveLength(40);
  expect(samples.value[39]).toEqual(aSample('1b', 19));
  expect(await run.readEvidence(2)).toEqual({ value: evidence });
});

test('closing twice is closing once, and every sample is there', async ({ directory }) => {
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  sink.writeSamples(1, [aSample('1a', 1), aSample('1b', 1)]);
  await sink.writeTrial(aRecord(1), evidence);
  await sink.close();
  await sink.close();
  expect((await (await readRun(directory)).readSamples(1)).value).toHaveLength(2);
});

test(
  'a trial list cut at any byte gives every whole record, and says that one is torn',
  both,
  async ({ directory }) => {
    await storeTrials(directory, 4);
    const path = join(directory, 'trials.jsonl');
    const whole = await readFile(path);
    const random = randomFrom(11);
    for (let cut = 0; cut < times(15, 60); cut += 1) {
      const length = Math.floor(random() * (whole.length + 1));
      await writeFile(path, whole.subarray(0, length));
      const wholeLines = whole.subarray(0, length).filter((byte) => byte === 10).length;
      const run = await readRun(directory);
      expect(run.records.map((record) => record.index)).toEqual([1, 2, 3, 4].slice(0, wholeLines));
      const torn = length > 0 && whole[length - 1] !== 10;
      expect(run.warnings).toEqual(
        torn ? [`trials.jsonl is torn after line ${wholeLines}; that trial is left out.`] : [],
      );
    }
  },
);

test(
  'the samples of a trial that a kill ended, cut at any byte, give whole lines from the start, and say that they are torn',
  both,
  async ({ directory }) => {
    await storeTrials(directory, 1);
    await writeFile(join(directory, 'trials.jsonl'), '');
    const path = join(directory, 'samples', 'trial-001.jsonl.gz');
    const whole = await readFile(path);
    const all = (await (await readRun(directory)).readSamples(1)).value;
    const random = randomFrom(12);
    for (let cut = 0; cut < times(15, 60); cut += 1) {
      const length = 1 + Math.floor(random() * (whole.length - 1));
      await writeFile(path, whole.subarray(0, length));
      const { value, warning } = await (await readRun(directory)).readSamples(1);
      expect(value).toEqual(all.slice(0, value.length));
      expect(warning).toMatch(new RegExp(`^samples/trial-001.* line ${value.length}\\.$`));
    }
  },
);

test('a line of samples without a seal that is not JSON is told with file and line, and nothing after it is believed', async ({
  directory,
}) => {
  await storeTrials(directory, 1);
  const all = (await (await readRun(directory)).readSamples(1)).value;
  await writeFile(join(directory, 'trials.jsonl'), '');
  const damaged = all.map((sample, index) => (index === 6 ? '{"probe":' : JSON.stringify(sample)));
  await writeFile(join(directory, 'samples', 'trial-001.jsonl.gz'), gzipSync(`${damaged.join('\n')}\n`));
  const run = await readRun(directory);
  const warning = 'samples/trial-001.jsonl.gz is damaged in line 7.';
  expect(await run.readSamples(1)).toEqual({ value: all.slice(0, 6), warning });
  const visited: Sample[] = [];
  expect(await run.visitSamples(1, (samples) => void visited.push(...samples), 'ends')).toBe(warning);
  expect(visited).toEqual(all.slice(0, 6));
  const refused = await run.visitSamples(1, () => undefined).catch((error: unknown) => error);
  expect(refused).toMatchObject({ code: 'E_RUN', where: 'samples/trial-001.jsonl.gz:7' });
});

test('the samples of a stored trial that were cut off later are refused', async ({ directory }) => {
  await storeTrials(directory, 1);
  const path = join(directory, 'samples', 'trial-001.jsonl.gz');
  await truncate(path, (await readFile(path)).length - 40);
  expect(await codeOf((await readRun(directory)).readSamples(1))).toBe('E_RUN');
});

test('samples flushed before a kill are read back', async ({ directory }) => {
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  sink.writeSamples(1, [aSample('1a', 1), aSample('1b', 1)]);
  await soon(async () => (await (await readRun(directory)).readSamples(1)).value.length, { timeout: 5000 }).toBe(2);
  await sink.close();
});

test('going on after a torn record cuts the torn part off first', async ({ directory }) => {
  await storeTrials(directory, 2);
  await appendFile(join(directory, 'trials.jsonl'), '{"index":3,"siz');
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  await sink.writeTrial(aRecord(3), evidence);
  await sink.close();
  expect((await readRun(directory)).records.map((record) => record.index)).toEqual([1, 2, 3]);
});

test('a record that was changed by hand is refused, not skipped', async ({ directory }) => {
  await storeTrials(directory, 2);
  const path = join(directory, 'trials.jsonl');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"stable"', '"fine"'));
  expect(await codeOf(readRun(directory))).toBe('E_RUN');
  await writeFile(path, '{"index":1,\n{"index":2}\n');
  expect(await codeOf(readRun(directory))).toBe('E_RUN');
});

const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
const withoutSeals = (text: string) => text.replace(/,"seal":\{[^}]*\}/g, '').replace(/,"chain":"\w+"/g, '');

const withAProbe = (text: string) =>
  text.replace(
    '"probes":[]',
    '"probes":[{"participant":{"id":"1a","session":"1","role":"caller","legs":[]},"browser":0,"page":0,"up":true,"failures":[]}]',
  );

for (const [what, file, change] of [
  ['a trial nested without end', 'trials.jsonl', (text: string) => text.replace('{', `{"x":${deep},`)],
  ['a trial of probes that never began to join', 'trials.jsonl', withAProbe],
  ['a manifest nested without end', 'manifest.json', (text: string) => text.replace('{', `{"x":${deep},`)],
  ['a plan that says who plays alone', 'manifest.json', (text: string) => text.replace(/"load":/, '"lot":')],
] as const)
  test(`${what} is refused, and no fault of the program`, async ({ directory }) => {
    await storeTrials(directory, 1);
    for (const name of ['trials.jsonl', 'manifest.json']) {
      const path = join(directory, name);
      const bare = withoutSeals(JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
      await writeFile(path, `${name === file ? change(bare) : bare}\n`);
    }
    expect(await codeOf(readRun(directory))).toBe('E_RUN');
  });

for (const [format, made, todo] of [
  [3, 'a newer Loadline', 'read it with the version that made it, or a later one'],
  [1, 'a Loadline from before the first release', 'run again, or read it with the version that made it'],
] as const)
  test(`a run of format ${format} is refused in words`, async ({ directory }) => {
    const where = join(directory, 'manifest.json');
    await writeFile(where, JSON.stringify({ ...aManifest(), format }));
    const error = await readRun(directory).catch((reason: unknown) => reason);
    const message = `This run was stored by ${made}, in format ${format}.`;
    expect(error).toMatchObject({ code: 'E_RUN', message, where, why: 'this Loadline reads format 2', todo });
  });

test('a folder without a run is refused with its path', async ({ parent }) => {
  expect(await readRun(parent).catch((reason: unknown) => reason)).toMatchObject({ code: 'E_RUN' });
});

test('a full disk is E_DISK_FULL, and what was written before can be read', async ({ directory }) => {
  await storeTrials(directory, 1);
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  // /dev/full refuses every write with ENOSPC (full(4)).
  await rm(join(directory, 'samples'), { recursive: true });
  await linkToFull(join(directory, 'samples'));
  sink.writeSamples(2, [aSample('1a', 1)]);
  expect(await codeOf(sink.writeTrial(aRecord(2), evidence))).toBe('E_DISK_FULL');
  await sink.close();
  await rm(join(directory, 'samples', 'trial-002.jsonl.gz'));
  expect((await readRun(directory)).records.map((record) => record.index)).toEqual([1]);
});

async function linkToFull(samples: string): Promise<void> {
  const { mkdir, symlink } = await import('node:fs/promises');
  await mkdir(samples);
  await symlink('/dev/full', join(samples, 'trial-002.jsonl.gz'));
}

test('a folder that went away while measuring is E_OUT', async ({ directory }) => {
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  await rm(join(directory, 'samples'), { recursive: true });
  sink.writeSamples(1, [aSample('1a', 1)]);
  expect(await codeOf(sink.writeTrial(aRecord(1), evidence))).toBe('E_OUT');
  await sink.close();
});

test('events are kept as they happen, without the seconds', async ({ directory }) => {
  const sink = runDirectorySink(directory);
  await sink.open(aManifest());
  sink.writeEvent?.({ type: 'phase', index: 1, phase: 'join' });
  const progress = { phase: 'join', elapsedMs: 0, boundMs: 1, probesAsked: 2, probesUp: 0, probesFailed: 0 } as const;
  sink.writeEvent?.({ type: 'second', index: 1, progress });
  sink.writeEvent?.({ type: 'trial-ended', record: aRecord(1), bracket: { stable: 1, unstable: null } });
  await sink.close();
  const lines = (await readFile(join(directory, 'events.jsonl'), 'utf8')).trim().split('\n');
  expect(lines.map((line) => JSON.parse(line).type)).toEqual(['phase', 'trial-ended']);
  await truncate(join(directory, 'events.jsonl'));
});
