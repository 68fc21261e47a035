import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { copySink } from '../../store/points/copy-sink.js';
import type { DataPoint } from '../../store/points/data-point.js';
import { exportRun } from '../../store/points/export-run.js';
import { readRun } from '../../store/run-directory/read-run.js';
import { createRunDirectory } from '../../store/run-directory/run-directory.js';
import { runDirectorySink } from '../../store/run-directory/run-directory-sink.js';
import { findLimit } from '../../trial/find-limit.js';
import { long } from '../effort.js';
import { aPlan, aSimulatedRun } from '../simulated-run.js';
import { builtWith } from './built-with.js';
import { toy, toySinkLines } from './toy-sink.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-toy-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('a run copied to three places has every point once in each, and the export of the stored run is the same points', async () => {
  const startedAtMs = Date.parse('2026-11-21T14:03:12Z');
  const runDirectory = await createRunDirectory({ parent: folder, scenario: 'x', server: 'simulated', startedAtMs });
  const run = basename(runDirectory);
  const names = ['a.jsonl', 'b.jsonl', 'c.jsonl'];
  const opened = await Promise.all(names.map(openToy));
  const copies = opened.map((to) => copySink({ to, run, scenario: oneToOne, again: 'again' }));
  const sinks = [runDirectorySink(runDirectory), ...copies];
  const { parts } = aSimulatedRun({ capacity: 2, startMs: startedAtMs }, { sinks, runDirectory });
  await findLimit(
    { plan: aPlan({ confirm: 1 }, { measureMs: 10_000 }), scenario: oneToOne },
    parts,
    new AbortController().signal,
  );

  const first = pointsIn('a.jsonl');
  expect(opened.map(({ account }) => account)).toEqual(names.map(() => everyPointOf(first)));
  expect(new Set(names.map(textIn)).size).toBe(1);
  expect(new Set(first.map(placeOf)).size).toBe(first.length);
  const measurements = new Set(first.map(({ measurement }) => measurement));
  expect([...measurements]).toEqual(expect.arrayContaining(['loadline_stream', 'loadline_server', 'loadline_run']));

  const stored = await readRun(runDirectory);
  expect(stored.manifest.copies).toEqual(names.map((name) => `toy file ${join(folder, name)}`));
  const exported = await openToy('again.jsonl');
  expect(await exportRun(stored, run, exported)).toEqual([]);
  await exported.close();
  // As one text: value by value, thousands of points take seconds.
  expect(pointsIn('again.jsonl').map(textOf).sort().join('\n')).toBe(first.map(textOf).sort().join('\n'));
});

test('a kind that is added by its folder and a line is in the help, in plan files and in export', long, async () => {
  const run = await builtWith(toySinkLines, folder);
  const loadline = (...args: readonly string[]) => run(args);
  for (const command of ['find', 'try', 'export']) {
    expect((await loadline('help', command, '--all')).stdout).toMatch(/--toy-file <file> [\s\S]*Toy file:\n/);
  }
  expect(JSON.parse((await loadline('plan', '--schema')).stdout)).toHaveProperty('properties.toyFile');
  const plan = join(folder, 'plan.yaml');
  writeFileSync(plan, 'scenario: one-to-one\ntoyFile: [a.jsonl, b.jsonl]\nmax: 2\n');
  expect((await loadline('plan', plan)).stdout).toContain('one-to-one');
  writeFileSync(plan, 'scenario: one-to-one\ntoyFile: a.txt\n');
  const refused = await loadline('plan', plan);
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toMatch(/--toy-file must end in \.jsonl[\s\S]*plan\.yaml:2/);

  const to = ['a', 'b'].flatMap((name) => ['--toy-file', join(folder, `${name}.jsonl`)]);
  const { stdout } = await loadline('export', join(root, 'tests/recorded-run'), ...to);
  const all = pointsIn('a.jsonl').length;
  expect(all).toBeGreaterThan(100);
  expect(stdout.split('\n').filter((line) => line.endsWith(`: ${all} of ${all} points written`))).toHaveLength(2);
  expect(textIn('b.jsonl')).toBe(textIn('a.jsonl'));
});

function openToy(name: string) {
  return toy.read(join(folder, name), { perProbe: false }).open({ env: {}, onTrouble: () => undefined });
}

const textIn = (name: string): string => readFileSync(join(folder, name), 'utf8');

function pointsIn(name: string): readonly DataPoint[] {
  const lines = textIn(name).trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as DataPoint);
}

function everyPointOf(points: readonly DataPoint[]) {
  return { given: points.length, written: points.length, resent: 0, lost: 0 };
}

/** What points are told apart by. */
function placeOf({ measurement, tags, atMs, nth = 0 }: DataPoint): string {
  return JSON.stringify([measurement, tags, atMs, nth]);
}

function textOf(point: DataPoint): string {
  return `${placeOf(point)} ${JSON.stringify(point.fields)}`;
}
