import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { aManifest, aRecord, aSample } from '../../tests/stored-run.js';
import { openMonitorJournal, readMonitorJournal } from '../monitor/monitor-journal.js';
import { lockMonitor } from '../monitor/monitor-lock.js';
import { runningProcess } from './process-lock.js';
import { readRun } from './read-run.js';
import { Retention } from './retention.js';
import { bytesIn, keptOfRun, thinRun } from './thin-run.js';

let out: string;
test.beforeEach(() => {
  out = mkdtempSync(join(tmpdir(), 'loadline-retention-'));
});
test.afterEach(() => rmSync(out, { recursive: true, force: true }));

const dayMs = 86_400_000;
const nowMs = Date.UTC(2026, 10, 21);

/** A stored run whose samples, which do not compress, take so many bytes. */
function storeRun(run: string, bytes: number): void {
  const folder = join(out, run);
  for (const name of ['samples', 'evidence']) mkdirSync(join(folder, name), { recursive: true });
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(aManifest()));
  writeFileSync(join(folder, 'trials.jsonl'), `${JSON.stringify(aRecord(1))}\n${JSON.stringify(aRecord(2))}\n`);
  writeFileSync(join(folder, 'events.jsonl'), '{}\n'.repeat(100));
  writeFileSync(join(folder, 'samples', 'trial-001.jsonl.gz'), noisySamples(bytes));
  writeFileSync(join(folder, 'evidence', 'trial-001.jsonl.gz'), gzipSync(''));
}

/** The same of the same size: made once. */
const noisy = new Map<number, Buffer>();

function noisySamples(bytes: number): Buffer {
  const made = noisy.get(bytes);
  if (made) return made;
  const random = randomFrom(bytes);
  const lines: string[] = [];
  for (let length = 0, second = 0; length < bytes; second += 1) {
    const noise = Array.from({ length: 200 }, () => Math.floor(random() * 65_536).toString(16)).join('');
    for (const probe of ['1a', '1b']) lines.push(JSON.stringify({ ...aSample(probe, nowMs + second * 1000), noise }));
    length += 2 * 0.6 * noise.length;
  }
  const packed = gzipSync(`${lines.join('\n')}\n`);
  noisy.set(bytes, packed);
  return packed;
}

const many = times(15, 100);

test(
  `a disk budget of a tenth of ${many} runs of 0.3 MB holds over all of them, and every record is kept`,
  both,
  async () => {
    test.setTimeout(120_000);
    const retention = new Retention(out, { budgetBytes: many * 0.1e6 });
    const runs: { run: string; startedAtMs: number }[] = [];
    for (let nth = 0; nth < many; nth += 1) {
      const room = await retention.makeRoom(runs, 0.36e6, nowMs + nth * dayMs);
      expect(room.ok).toBe(true);
      const run = `run-${String(nth).padStart(3, '0')}`;
      storeRun(run, 0.3e6);
      runs.push({ run, startedAtMs: nowMs + nth * dayMs });
      expect(await bytesIn(out)).toBeLessThanOrEqual(many * 0.1e6);
    }
    for (const { run } of runs) expect((await readRun(join(out, run))).records).toHaveLength(2);
    expect(await keptOfRun(join(out, runs.at(-1)?.run ?? ''))).toBe('all');
    expect(await keptOfRun(join(out, 'run-000'))).not.toBe('all');
  },
);

test('runs older than the bound are thinned, younger ones and what is not the monitor’s are left alone', async () => {
  for (const run of ['old', 'young', 'foreign']) storeRun(run, 50_000);
  const retention = new Retention(out, { samplesForMs: 14 * dayMs });
  const runs = [
    { run: 'old', startedAtMs: nowMs - 15 * dayMs },
    { run: 'young', startedAtMs: nowMs - 13 * dayMs },
  ];
  expect(await retention.makeRoom(runs, 1, nowMs)).toEqual({ ok: true, thinned: 1 });
  expect(await retention.makeRoom(runs, 1, nowMs)).toEqual({ ok: true, thinned: 0 });
  expect(await Promise.all(['old', 'young', 'foreign'].map((run) => keptOfRun(join(out, run))))).toEqual([
    'thinned',
    'all',
    'all',
  ]);
});

test('a thinned run keeps one sample in ten of each probe under another name, and says that it cannot be judged', async () => {
  storeRun('run', 50_000);
  const before = await readRun(join(out, 'run'));
  const count = (await before.readSamples(1)).value.length;
  await thinRun(join(out, 'run'), 'thinned', nowMs);
  await thinRun(join(out, 'run'), 'thinned', nowMs);
  expect(readdirSync(join(out, 'run', 'samples'))).toEqual(['trial-001.thin.jsonl.gz']);
  const after = await readRun(join(out, 'run'));
  expect(after.records).toEqual(before.records);
  expect(after.thinned).toContain('2026-11-21');
  // The evidence of its second trial was never there.
  const others = [expect.stringContaining('not sealed'), expect.stringContaining('The evidence of trial 2')];
  expect(after.warnings).toEqual([others[0], after.thinned, others[1]]);
  expect((await after.readSamples(1)).value).toEqual([]);
  expect(await bytesIn(join(out, 'run', 'samples'))).toBeGreaterThan(100);
  expect(count).toBeGreaterThan(20);
});

test('when records alone fill the budget, the run is refused in a sentence with the figures', async () => {
  storeRun('run', 50_000);
  const room = await new Retention(out, { budgetBytes: 3000 }).makeRoom([{ run: 'run', startedAtMs: 0 }], 1e6, nowMs);
  expect(room).toMatchObject({ ok: false, thinned: 2 });
  expect(room.ok ? '' : room.why).toMatch(/^The disk budget of 0\.0 MB is used up by records alone/);
  expect((await readRun(join(out, 'run'))).records).toHaveLength(2);
});

test('a journal reads back what was written, without a torn line, entries of kinds to come and what a terminal obeys', async () => {
  const journal = await openMonitorJournal(out);
  await journal.write({ type: 'note', atMs: 1, text: 'one' });
  await journal.close();
  const path = join(out, 'monitor', 'journal.jsonl');
  writeFileSync(path, `${readFileSync(path, 'utf8')}{"type":"from-the-future"}\n{"type":"note","atMs":2,"te`);
  const again = await openMonitorJournal(out);
  await again.write({ type: 'note', atMs: 3, text: 'three\u001b[2K' });
  await again.close();
  expect((await readMonitorJournal(out)).map((entry) => ('text' in entry ? entry.text : ''))).toEqual([
    'one',
    'three\ufffd[2K',
  ]);
  writeFileSync(path, '{"type":"note","atMs":"noon"}\n');
  await expect(readMonitorJournal(out)).rejects.toThrow('cannot be understood');
});

test('two monitors never share a folder, but the lock of a dead one counts for nothing', async () => {
  mkdirSync(join(out, 'monitor'));
  const other = await runningProcess(process.ppid);
  writeFileSync(join(out, 'monitor', 'lock-1'), `pid ${other?.pid}, started at tick ${other?.startTicks}\n`);
  await expect(lockMonitor(out)).rejects.toMatchObject({ code: 'E_MONITOR_BUSY' });
  writeFileSync(join(out, 'monitor', 'lock-1'), 'pid 999999999, started at tick 12345\n');
  await (await lockMonitor(out)).close();
  expect(readdirSync(join(out, 'monitor'))).toEqual([]);
});
