import { type Manifest, namesNoLimit, type RunResult } from '../../model/run.js';
import { hostTypeOf } from '../compare/host-type.js';
import { asksForOneSize, isUndecided } from '../search/undecided.js';
import { intervalText } from './headline.js';
import { inColumns } from './layout.js';
import { csvLine } from './samples-csv.js';

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

const whereRunsAre = 'Name the folder that --out was given: loadline runs DIR. Or make a run: loadline demo, or find.';

export function runListText(runs: readonly ListedRun[], unreadable: readonly UnreadableRun[], folder: string): string {
  const noun = runs.length === 1 ? 'run' : 'runs';
  if (runs.length + unreadable.length === 0) return `${folder} holds no runs. ${whereRunsAre}\n`;
  return [
    `${runs.length} ${noun} in ${folder}`,
    '',
    ...inColumns(
      withoutEmpty([
        ['started (UTC)', 'scenario', 'server', 'tags', 'labels', 'host', 'trials', 'answer', 'run'],
        ...runs.map(rowOf),
      ]),
      2,
    ),
    ...unreadable.map(({ name, why }) => `  ${name}: ${why}`),
    '',
  ].join('\n');
}

function rowOf(run: ListedRun): readonly string[] {
  const { manifest, trials, name } = run;
  const started = manifest.startedAt.slice(0, 16).replace('T', ' ');
  const labels = [(manifest.tags ?? []).join(' '), labelText(manifest), manifest.hostType ?? ''];
  return [started, manifest.plan.scenario, manifest.server.name, ...labels, String(trials), answerText(run), name];
}

/** "region=eu build=812". */
const labelText = ({ labels = {} }: Manifest) =>
  Object.entries(labels)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');

/** Columns in which no run has anything are left out. */
function withoutEmpty(rows: readonly (readonly string[])[]): string[][] {
  const used = (rows[0] ?? []).map((_, column) => rows.slice(1).some((row) => row[column] !== ''));
  return rows.map((row) => row.filter((_, column) => used[column]));
}

/** "52 calls, not 54", "≥ 8 calls", "4 calls tried: stable", "void". */
export function answerText({ result, manifest }: ListedRun): string {
  if (!result) return 'not finished';
  const { outcome, limit } = result;
  const unit = manifest.unit ?? { one: 'session', many: 'sessions' };
  const countOf = (count: number) => `${count} ${count === 1 ? unit.one : unit.many}`;
  const { unstable } = limit;
  const stable = limit.stable ?? 0;
  const size = countOf(stable);
  // Runs of earlier versions say so in their last trial alone.
  const last = result.trials.at(-1);
  if (result.interrupted || last?.reasons.some(({ code }) => code === 'interrupted')) return 'interrupted';
  if (outcome === 'never-connected') return 'never connected';
  // loadline try, and simulate --size: one size was asked for, and no limit.
  if (asksForOneSize(manifest.command) && last) return `${countOf(last.size)} tried: ${last.verdict}`;
  switch (outcome) {
    case 'void':
      return 'void';
    case 'drifting':
      return 'drifting';
    case 'server-lost':
      return `died at ${countOf(unstable ?? 0)}`;
    case 'baseline-unstable':
      return `not even ${limit.unstable ?? 1} ${unit.one}${result.cutShort ? ', cut short' : ''}`;
    case 'found':
      if (unstable === null) return `≥ ${size}${result.cutShort ? ', cut short' : ''}`;
      if (result.cutShort) return `${intervalText({ stable, unstable })} ${unit.many}, cut short`;
      if (
        isUndecided(manifest.plan.search, { outcome, stable, unstable }, false) ||
        (manifest.plan.search.strategy === 'fixed' && unstable > stable + 1)
      )
        return `${intervalText({ stable, unstable })} ${unit.many}, not tried between`;
      return `${size}, not ${unstable}`;
    default:
      return `≥ ${size}${result.cutShort ? ', cut short' : ''}`;
  }
}

export function runListDocument(runs: readonly ListedRun[], unreadable: readonly UnreadableRun[]): object {
  return {
    runs: runs.map(({ name, manifest, result, trials }) => ({
      name,
      startedAt: manifest.startedAt,
      scenario: manifest.plan.scenario,
      server: manifest.server.name,
      hostType: hostTypeOf(manifest),
      tags: manifest.tags ?? [],
      labels: manifest.labels ?? {},
      unit: manifest.unit?.many ?? 'sessions',
      trials,
      outcome: result?.outcome ?? null,
      answer: answerText({ name, manifest, result, trials }),
      limit: result?.limit ?? null,
    })),
    unreadable,
  };
}

/** One line for each run, for spreadsheets; a limit that is not known is empty. */
export function runListCsv(runs: readonly ListedRun[]): string {
  const head = [
    'started',
    'run',
    'scenario',
    'server',
    'version',
    'host',
    'tags',
    'unit',
    'stable',
    'unstable',
    'outcome',
  ];
  const rows = runs.map(({ name, manifest, result, trials }) => [
    ...[manifest.startedAt, name, manifest.plan.scenario, manifest.server.name, manifest.server.version],
    ...[hostTypeOf(manifest), (manifest.tags ?? []).join(' '), manifest.unit?.many ?? 'sessions'],
    ...[limitOf({ name, manifest, result, trials })?.stable ?? '', result?.limit.unstable ?? '', result?.outcome ?? ''],
    ...[answerText({ name, manifest, result, trials }), trials, labelText(manifest)],
  ]);
  return [[...head, 'answer', 'trials', 'labels'], ...rows].map(csvLine).join('');
}

/** What a run says of its limit; `undefined` for one that says nothing, and for one that tried a given size. */
export function limitOf({ manifest, result }: ListedRun): { stable: number; isAtLeast: boolean } | undefined {
  if (!result || asksForOneSize(manifest.command) || result.interrupted) return undefined;
  const { outcome, limit, cutShort, undecided } = result;
  if (namesNoLimit(outcome) || limit.stable === null) return undefined;
  const isAtLeast = limit.unstable === null || cutShort === true || undecided === true;
  return { stable: limit.stable, isAtLeast };
}
