import { expect, test } from '@playwright/test';
import type { MonitorEntry, RunEntry } from '../../model/monitor.js';
import { virtualClock } from '../../simulation/simulated-parts.js';
import { aMark, minuteMs, monitorStartMs } from '../../tests/builders/monitor-builder.js';
import { cronProblem, dueBetween, nextDueMs } from './due-times.js';
import { type MonitorPlan, monitorFileSchema } from './monitor-file.js';
import { monitorLoop } from './monitor-loop.js';
import type { MonitorParts } from './monitor-parts.js';

const everyMinute = { name: 'calls', cron: '* * * * *', size: 4, plan: 'calls.yaml' };

function aPlan(changes: object = {}): MonitorPlan {
  return { ...monitorFileSchema.parse({ watches: [everyMinute], ...changes }), folder: '/' };
}

interface Scene {
  readonly plan: MonitorPlan;
  /** How long the nth run takes, milliseconds. */
  readonly takes?: (nth: number) => number;
  readonly run?: MonitorParts['run'];
  readonly parts?: Partial<MonitorParts>;
}

/** Runs the loop on a clock that leaps, until so many minutes have passed. */
async function monitored(minutes: number, { plan, takes = () => 20_000, run, parts = {} }: Scene) {
  const clock = virtualClock(monitorStartMs);
  const entries: MonitorEntry[] = [];
  const said: string[] = [];
  const abort = new AbortController();
  let nth = 0;
  const made: MonitorParts = {
    clock,
    random: () => 0.5,
    journal: { entries, write: async (entry) => void entries.push(entry), close: async () => {} },
    plan: async () => plan,
    retentionOf: () => ({ makeRoom: async () => ({ ok: true, thinned: 0 }) }),
    targetsOf: () => [],
    run: async (watch, current, signal) => {
      nth += 1;
      await clock.sleep(takes(nth), signal);
      return run ? run(watch, current, signal) : { mark: aMark(), question: 'q' };
    },
    say: (_, text) => said.push(text),
    ...parts,
  };
  const loop = monitorLoop(made, abort.signal);
  await clock.sleep(minutes * minuteMs + 1, new AbortController().signal);
  abort.abort();
  await loop;
  const runs = entries.filter((entry): entry is RunEntry => entry.type === 'run');
  return { entries, runs, said };
}

const startsOf = (runs: readonly RunEntry[]) => runs.map(({ startedAtMs }) => (startedAtMs - monitorStartMs) / 1000);

test('a watch runs each time it is due, at its minute', async () => {
  const { runs, said } = await monitored(5, { plan: aPlan() });
  expect(startsOf(runs)).toEqual([60, 120, 180, 240]);
  expect(said[0]).toBe('calls  stable    4 calls  in 20 s');
});

test('a run that takes longer than its interval is not overlapped: what it missed is said', async () => {
  const { runs, entries, said } = await monitored(7.9, { plan: aPlan(), takes: (nth) => (nth === 2 ? 150_000 : 5000) });
  expect(startsOf(runs)).toEqual([60, 120, 300, 360, 420]);
  const missed = entries.filter((entry) => entry.type === 'missed');
  expect(missed).toEqual([expect.objectContaining({ watch: 'calls', why: 'the run before it had not ended' })]);
  expect(said).toContain('calls  missed 2 due times: the run before it had not ended');
});

test('a watch that comes into the file, or is to run at other times, has missed nothing before that', async () => {
  const hourly = { ...everyMinute, name: 'rooms', cron: '0 * * * *' };
  const plans = [
    [hourly],
    [hourly, everyMinute],
    [{ ...hourly, cron: '*/2 * * * *' }, everyMinute],
    [hourly],
    [everyMinute],
  ];
  let nth = 0;
  const plan = async () => {
    nth += 1;
    return aPlan({ watches: plans[Math.min(plans.length - 1, Math.floor(nth / 12))] });
  };
  const { entries, runs } = await monitored(40.5, { plan: aPlan(), takes: () => 1000, parts: { plan } });
  expect(entries.filter(({ type }) => type === 'missed')).toEqual([]);
  expect(runs.length).toBeGreaterThan(10);
  expect(new Set(runs.map(({ watch }) => watch))).toEqual(new Set(['calls', 'rooms']));
});

test('two watches due at once run one after the other, and the late start of the second is said', async () => {
  const watches = [everyMinute, { ...everyMinute, name: 'rooms', cron: '*/2 * * * *' }];
  const { runs, said } = await monitored(3, { plan: aPlan({ watches }), takes: () => 10_000 });
  expect(runs.map(({ watch }) => watch)).toEqual(['calls', 'calls', 'rooms']);
  expect(said).toContain('rooms  stable    4 calls  in 10 s  (10 s late)');
});

test('jitter delays a start, and is not called late', async () => {
  const { runs, said } = await monitored(3, { plan: aPlan({ jitter: '20s' }) });
  expect(startsOf(runs)).toEqual([70, 130]);
  expect(said.join()).not.toContain('late');
});

test('a run that throws is a failed run, which is repeated at once; then somebody is told', async () => {
  const run = async () => {
    throw new Error('the moon is full');
  };
  const { runs, entries } = await monitored(2, { plan: aPlan(), run });
  expect(runs.map(({ mark, repeat }) => [mark.verdict, repeat === true])).toEqual([
    ['failed', false],
    ['failed', true],
  ]);
  expect(runs.map(({ level }) => level)).toEqual(['ok', 'blind']);
  expect(runs[1]?.findings[0]?.text).toContain('the moon is full');
  expect(entries.filter(({ type }) => type === 'alert')).toHaveLength(1);
});

test('a run that looks worse is run again at once, and alarms when that is worse, too', async () => {
  const verdicts = ['stable', 'unstable', 'stable', 'unstable', 'unstable'] as const;
  let nth = 0;
  const run = async () => {
    const verdict = verdicts[Math.min(nth, verdicts.length - 1)] ?? 'stable';
    nth += 1;
    return { mark: aMark({ verdict }), question: 'q' };
  };
  const { runs, entries, said } = await monitored(4, { plan: aPlan(), run });
  expect(startsOf(runs)).toEqual([60, 120, 140, 180, 200]);
  expect(runs.map(({ repeat }) => repeat === true)).toEqual([false, false, true, false, true]);
  expect(runs.map(({ level }) => level)).toEqual(['ok', 'ok', 'ok', 'ok', 'regressed']);
  expect(entries.filter(({ type }) => type === 'alert')).toHaveLength(1);
  expect(said.join('\n')).toContain('  Looked worse, and is run again at once: 4 calls unstable.');
});

test('no room on the disk is a failed run by that name, and nothing is started', async () => {
  let started = 0;
  const parts = {
    retentionOf: () => ({ makeRoom: async () => ({ ok: false as const, thinned: 0, why: 'The disk is full.' }) }),
  };
  const run = async () => {
    started += 1;
    return { mark: aMark(), question: 'q' };
  };
  const { runs } = await monitored(2, { plan: aPlan(), run, parts });
  expect(runs[0]?.mark).toMatchObject({ verdict: 'failed', reasons: ['The disk is full.'] });
  expect(started).toBe(0);
});

test('a dead alert target is tried after each run again, said, and delays no run', async () => {
  let tries = 0;
  const target = {
    name: 'webhook',
    todo: 'see to it',
    tell: async () => {
      tries += 1;
      if (tries <= 4) throw new Error('the webhook cannot be reached: ECONNREFUSED');
    },
  };
  const run = async () => ({ mark: aMark({ verdict: 'unstable' as const, reasons: ['4b froze.'] }), question: 'q' });
  const { runs, entries, said } = await monitored(5, { plan: aPlan(), run, parts: { targetsOf: () => [target] } });
  expect(startsOf(runs)).toEqual([60, 80, 120, 180, 240]);
  expect(entries.flatMap((entry) => (entry.type === 'told' ? [entry.ok] : []))).toEqual([false, true]);
  expect(said.join('\n')).toContain('could not tell webhook');
  expect(tries).toBe(5);
});

test('a monitor that was told twice of the same journal tells nothing twice', async () => {
  const told: string[] = [];
  const target = { name: 'command', todo: '', tell: async ({ kind }: { kind: string }) => void told.push(kind) };
  const run = async () => ({ mark: aMark({ verdict: 'unstable' as const }), question: 'q' });
  const parts = { targetsOf: () => [target] };
  const first = await monitored(3, { plan: aPlan(), run, parts });
  const journal = { entries: first.entries, write: async () => {}, close: async () => {} };
  await monitored(3, { plan: aPlan(), run, parts: { ...parts, journal } });
  expect(told).toEqual(['regressed']);
});

test('a clock that is set back an hour does not stop the schedule for an hour', async () => {
  const clock = virtualClock(monitorStartMs);
  let back = 0;
  const stepping = { nowMs: () => clock.nowMs() - back, sleep: clock.sleep.bind(clock) };
  const entries: MonitorEntry[] = [];
  const said: string[] = [];
  const parts = {
    clock: stepping,
    journal: { entries, write: async (entry: MonitorEntry) => void entries.push(entry), close: async () => {} },
    run: async () => ({ mark: aMark(), question: 'q' }),
    say: (_: number, text: string) => void said.push(text),
  };
  const abort = new AbortController();
  const loop = monitorLoop(
    {
      ...parts,
      random: () => 0,
      plan: async () => aPlan(),
      targetsOf: () => [],
      retentionOf: () => ({ makeRoom: async () => ({ ok: true, thinned: 0 }) }),
    },
    abort.signal,
  );
  const { signal } = new AbortController();
  await clock.sleep(2.2 * minuteMs, signal);
  back = 60 * minuteMs;
  await clock.sleep(3 * minuteMs, signal);
  abort.abort();
  await loop;
  expect(said).toContain('the clock was set back by 1 h 0 min');
  expect(entries.filter(({ type }) => type === 'run').length).toBeGreaterThanOrEqual(4);
});

test('cron expressions follow summer time of their zone', () => {
  const before = Date.UTC(2026, 2, 28, 12);
  const first = nextDueMs('30 9 * * *', 'Europe/Berlin', before) ?? 0;
  expect(new Date(first).toISOString()).toBe('2026-03-29T07:30:00.000Z');
  const winter = nextDueMs('30 9 * * *', 'Europe/Berlin', Date.UTC(2026, 0, 1)) ?? 0;
  expect(new Date(winter).toISOString()).toBe('2026-01-01T08:30:00.000Z');
  expect(dueBetween('*/15 * * * *', undefined, before, before + 3_600_000)).toHaveLength(4);
});

test('what is no cron expression is said to be none', () => {
  expect(cronProblem('*/15 * * * *')).toBeUndefined();
  expect(cronProblem('@hourly')).toBeUndefined();
  expect(cronProblem('61 * * * *')).toContain('must be a cron expression');
  expect(cronProblem('* * * * * *')).toContain('five fields');
  expect(cronProblem('0 0 31 2 *')).toBe('is never due');
});
