import type { Manifest, RunResult } from '../../model/run.js';
import { intervalText } from './headline.js';
import { left, right } from './layout.js';

/** One stored run as a list shows it. */
export interface ListedRun {
  readonly name: string;
  readonly manifest: Manifest;
  /** Absent when it did not come to its end. */
  readonly result: RunResult | undefined;
  /** Trials that are stored. */
  readonly trials: number;
}

/** A folder that looks like a run and cannot be read. */
export interface UnreadableRun {
  readonly name: string;
  readonly why: string;
}

export function runListText(runs: readonly ListedRun[], unreadable: readonly UnreadableRun[], folder: string): string {
  const noun = runs.length === 1 ? 'run' : 'runs';
  if (runs.length + unreadable.length === 0) return `${folder} holds no runs.\n`;
  const width = Math.max(...runs.map(({ name }) => name.length), 4);
  return [
    `${runs.length} ${noun} in ${folder}`,
    '',
    `  ${left('started (UTC)', 18)}${left('server', 20)}${right('trials', 6)}  ${left('answer', 24)}run`,
    ...runs.map((run) => rowText(run, width)),
    ...unreadable.map(({ name, why }) => `  ${name}: ${why}`),
    '',
  ].join('\n');
}

function rowText(run: ListedRun, width: number): string {
  const { manifest, trials, name } = run;
  const started = manifest.startedAt.slice(0, 16).replace('T', ' ');
  return `  ${left(started, 18)}${left(manifest.server.name, 19)} ${right(String(trials), 6)}  ${left(answerText(run), 24)}${name.padEnd(width)}`.trimEnd();
}

/** "52 calls, not 54", "≥ 8 calls", "void". */
export function answerText({ result, manifest }: ListedRun): string {
  if (!result) return 'not finished';
  const { outcome, limit } = result;
  const unit = manifest.unit ?? { one: 'session', many: 'sessions' };
  const size = `${limit.stable} ${limit.stable === 1 ? unit.one : unit.many}`;
  switch (outcome) {
    case 'void':
      return 'void';
    case 'drifting':
      return 'drifting';
    case 'baseline-unstable':
      return `not even ${limit.unstable ?? 1} ${unit.one}`;
    case 'found':
      if (result.cutShort) return `${intervalText({ ...limit, stable: limit.stable ?? 0 })} ${unit.many}, cut short`;
      return `${size}${limit.unstable === null ? '' : `, not ${limit.unstable}`}`;
    default:
      return `≥ ${size}`;
  }
}

export function runListDocument(runs: readonly ListedRun[], unreadable: readonly UnreadableRun[]): object {
  return {
    runs: runs.map(({ name, manifest, result, trials }) => ({
      name,
      startedAt: manifest.startedAt,
      scenario: manifest.plan.scenario,
      server: manifest.server.name,
      unit: manifest.unit?.many ?? 'sessions',
      trials,
      outcome: result?.outcome ?? null,
      limit: result?.limit ?? null,
    })),
    unreadable,
  };
}
