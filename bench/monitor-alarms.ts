/**
 * How often `loadline monitor` is wrong where nothing changed: `npm run build && node dist/bench/monitor-alarms.js`,
 * seeded. Prints the first table of docs/lab/monitoring.md; `bench/coverage.ts` tries trends. "Before" is the earlier
 * rule: the last 20 runs are what is usual, whatever the time of day, and nothing is repeated. Runs a day apart from
 * each other still get it.
 */

import { alertFor } from '../analysis/monitor/alerts.js';
import { findingsOf, isUnconfirmed, levelOf } from '../analysis/monitor/regression.js';
import type { MonitorEntry, RunEntry, RunMark } from '../model/monitor.js';
import { seededRandom } from '../model/seeded-random.js';
import { noise } from './search/noise.js';

const perDay = 96;
const days = 30;
const dayMs = 86_400_000;
const random = seededRandom(2);

interface Kind {
  readonly cycle: number;
  readonly keeps: number;
  /** Of runs, those that are unstable by chance. */
  readonly fails: number;
}

function markOf(verdict: RunMark['verdict'], value: number): RunMark {
  const metrics: RunMark['metrics'] = { 'server CPU': { value, unit: 'cores', worse: 'higher' } };
  return { verdict, size: 4, unit: 'calls', reasons: [], metrics, surroundings: {} };
}

/** Alerts a day, and the share of runs at a level other than ok, from the third day on. */
function monitored({ cycle, keeps, fails }: Kind, isBefore: boolean): readonly [string, string] {
  const next = noise(keeps, random);
  const runs: RunEntry[] = [];
  const journal: MonitorEntry[] = [];
  const runAt = (nth: number, value: number): RunEntry => {
    const startedAtMs = isBefore ? nth * dayMs : (nth * dayMs) / perDay;
    const mark = markOf(random() < fails ? 'unstable' : 'stable', value);
    const found = findingsOf(mark, 'q', runs.slice(-perDay * 14), { window: 20, atMs: startedAtMs });
    const findings = isBefore
      ? found.map((one) => (isUnconfirmed(one) ? { ...one, level: 'regressed' as const, unconfirmed: undefined } : one))
      : found;
    const level = levelOf(mark, findings, runs.at(-1)?.level ?? 'ok');
    const times = { dueAtMs: startedAtMs, startedAtMs, endedAtMs: startedAtMs + 60_000 };
    const entry: RunEntry = { type: 'run', watch: 'w', ...times, asked: '4', question: 'q', mark, findings, level };
    const alert = alertFor(entry, journal, { remindMs: Number.POSITIVE_INFINITY });
    runs.push(entry);
    journal.push(entry, ...(alert ? [alert] : []));
    return entry;
  };
  for (let nth = 0; nth < days * perDay; nth += 1) {
    const value = (1 + cycle * Math.sin((2 * Math.PI * nth) / perDay)) * (1 + 0.03 * next());
    if (runAt(nth, value).findings.some(isUnconfirmed)) runAt(nth, value);
  }
  const fromMs = isBefore ? 2 * perDay * dayMs : 2 * dayMs;
  const alerts = journal.filter(
    (entry) => entry.type === 'alert' && entry.atMs >= fromMs && entry.kind !== 'recovered',
  );
  const late = runs.filter(({ startedAtMs }) => startedAtMs >= fromMs);
  const share = late.filter(({ level }) => level !== 'ok').length / late.length;
  return [(alerts.length / (days - 2)).toFixed(2), `${(100 * share).toFixed(1)} %`];
}

const kinds: readonly (readonly [string, Kind])[] = [
  ['noise of 3 % alone', { cycle: 0, keeps: 0, fails: 0 }],
  ['day cycle of 30 %', { cycle: 0.3, keeps: 0, fails: 0 }],
  ['day cycle of 30 %, each run keeps 0.6', { cycle: 0.3, keeps: 0.6, fails: 0 }],
  ['each run keeps 0.9', { cycle: 0, keeps: 0.9, fails: 0 }],
  ['one run in a hundred fails by chance', { cycle: 0, keeps: 0, fails: 0.01 }],
];
process.stdout.write(
  '| nothing changed | alerts a day, before | now | runs not ok, before | now |\n|---|---:|---:|---:|---:|\n',
);
for (const [name, kind] of kinds) {
  const [before, now] = [monitored(kind, true), monitored(kind, false)];
  process.stdout.write(`| ${name} | ${before[0]} | ${now[0]} | ${before[1]} | ${now[1]} |\n`);
}
