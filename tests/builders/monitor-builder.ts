import { alertFor } from '../../analysis/monitor/alerts.js';
import { findingsOf, levelOf } from '../../analysis/monitor/regression.js';
import type { MonitorEntry, RunEntry, RunMark } from '../../model/monitor.js';

export const monitorStartMs = Date.UTC(2026, 10, 21, 14, 0, 0);
export const minuteMs = 60_000;

/** What a run of four calls says on a good day; `changes` make it another day. */
export function aMark(changes: Partial<RunMark> = {}): RunMark {
  return {
    verdict: 'stable',
    size: 4,
    unit: 'calls',
    reasons: [],
    metrics: {},
    surroundings: { server: 'kurento 7.3.0' },
    ...changes,
  };
}

export function metric(value: number, limit = 300): RunMark['metrics'] {
  return { 'round trip': { value, unit: 'ms', worse: 'higher', limit } };
}

interface MonitorStory {
  readonly journal: readonly MonitorEntry[];
  readonly runs: readonly RunEntry[];
  /** "regressed", "recovered" …, in order. */
  readonly told: readonly string[];
}

/** The journal that a monitor makes of these runs, one a minute by default, with the real analysis. */
export function aStory(
  marks: readonly RunMark[],
  { remindMs = 6 * 3_600_000, window = 20, question = 'q', everyMs = minuteMs } = {},
): MonitorStory {
  const journal: MonitorEntry[] = [];
  const runs: RunEntry[] = [];
  for (const [index, mark] of marks.entries()) {
    const startedAtMs = monitorStartMs + index * everyMs;
    const findings = findingsOf(mark, question, runs, { window, atMs: startedAtMs });
    const entry: RunEntry = {
      type: 'run',
      watch: 'calls',
      dueAtMs: startedAtMs,
      startedAtMs,
      endedAtMs: startedAtMs + 1000,
      asked: mark.limit ? 'find' : '4',
      question,
      run: `run-${index}`,
      mark,
      findings,
      level: levelOf(mark, findings, runs.at(-1)?.level ?? 'ok'),
    };
    const alert = alertFor(entry, journal, { remindMs });
    runs.push(entry);
    journal.push(entry, ...(alert ? [alert] : []));
  }
  const told = journal.flatMap((entry) => (entry.type === 'alert' ? [entry.kind] : []));
  return { journal, runs, told };
}
