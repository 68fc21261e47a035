import { expect, test } from '@playwright/test';
import type { RunEntry } from '../../model/monitor.js';
import { exposition } from '../../store/scrape/metrics-page.js';
import { watchingText, watchValues } from './run-monitor.js';

const run = (changes: Partial<RunEntry>): RunEntry => ({
  type: 'run',
  watch: 'calls "at" four',
  dueAtMs: 0,
  startedAtMs: 1000,
  endedAtMs: 61_000,
  asked: '4',
  question: 'q',
  mark: {
    verdict: 'stable',
    size: 4,
    unit: 'calls',
    reasons: [],
    metrics: { 'video loss, mean': { value: 0.25, unit: '%', worse: 'higher' } },
    surroundings: {},
  },
  findings: [],
  level: 'ok',
  ...changes,
});

test('a monitor shows of each watch its level, its runs by verdict and what its last run said', () => {
  const failed = run({
    endedAtMs: 90_000,
    level: 'blind',
    mark: { verdict: 'failed', unit: 'calls', reasons: [], metrics: {}, surroundings: {} },
  });
  const page = exposition(watchValues([run({}), { type: 'note', atMs: 0, text: 'x' }, run({ watch: 'b' }), failed]));
  expect(page).toContain('loadline_watch_level{watch="calls \\"at\\" four"} 3\n');
  expect(page).toContain('loadline_watch_level{watch="b"} 0\n');
  expect(page).toContain('loadline_watch_runs{watch="calls \\"at\\" four",verdict="stable"} 1\n');
  expect(page).toContain('loadline_watch_runs{watch="calls \\"at\\" four",verdict="failed"} 1\n');
  expect(page).toContain('loadline_watch_metric{watch="b",metric="video loss, mean",unit="%"} 0.25\n');
});

test('what the last run did not say is no value', () => {
  const { size: _, ...mark } = run({}).mark;
  const page = exposition(watchValues([run({ mark: { ...mark, metrics: {} } })]));
  expect(page).not.toMatch(/loadline_watch_(size|metric|limit_stable|limit_unstable)/);
});

test('a monitor that starts says when each watch is due next, and in which zone', () => {
  const watch = { name: 'nightly', cron: '0 2 * * *', size: 'find', plan: 'calls.yaml', within: 1 } as const;
  const text = (zone?: string) =>
    watchingText({ watches: [watch], ...(zone ? { zone } : {}) }, Date.UTC(2026, 10, 30, 6));
  expect(text('Europe/Berlin')).toBe(
    'watching nightly (0 2 * * *, find, next 2026-12-01T01:00:00Z); cron is in Europe/Berlin',
  );
  expect(text()).toContain('the zone of this machine');
});

test('a monitor that has not run anything shows nothing', () => {
  expect(exposition(watchValues([]))).toBe('');
});
