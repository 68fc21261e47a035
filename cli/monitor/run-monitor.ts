import { basename, resolve } from 'node:path';
import type { Alert, AlertTarget } from '../../alerts/target.js';
import { tell } from '../../alerts/tell-all.js';
import { makeFolders } from '../../host/make-folders.js';
import { LoadlineError } from '../../model/errors.js';
import { unwrittenWhy } from '../../model/file-refusal.js';
import { type Level, levels, type MonitorEntry, type RunEntry } from '../../model/monitor.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { type MonitorJournal, openMonitorJournal } from '../../store/monitor/monitor-journal.js';
import { lockMonitor } from '../../store/monitor/monitor-lock.js';
import type { ListenAddress } from '../../store/scrape/listen-address.js';
import type { PointValues } from '../../store/series/series.js';
import { readFlags, type WordsOf } from '../options/flag.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { listenForStop } from '../wiring/stop-request.js';
import { wallClock } from '../wiring/wall-clock.js';
import { nextDueMs } from './due-times.js';
import type { MonitorPlan } from './monitor-file.js';
import { monitorFlags } from './monitor-flags.js';
import { monitorLoop } from './monitor-loop.js';
import type { MonitorParts } from './monitor-parts.js';
import { readMonitor } from './read-monitor.js';
import { watchAndConfirm, write } from './watch-once.js';
import { targetsOf, wireMonitor } from './wire-monitor.js';

/** Runs until a signal ends it, which is no failure: 0. With `--once`, until every watch has run. */
export async function monitor(
  file: string,
  words: WordsOf<typeof monitorFlags>,
  tool: ToolProcess,
  kinds: Kinds,
): Promise<number> {
  const path = resolve(tool.workingFolder, file);
  const flags = readFlags(monitorFlags, words);
  const out = resolve(tool.workingFolder, flags.out);
  const read = () => readMonitor(path, tool, kinds);
  const plan = await read();
  assertThere(flags.only, plan);
  if (flags.testAlert === true) {
    if (flags.once === true || flags.metricsListen)
      throw usageError('--test-alert runs no watch.', ['--test-alert'], 'leave --once and --metrics-listen out');
    return testAlert(path, targetsOf(plan, out, tool.env), tool);
  }
  await makeFolders(out).catch((error: unknown) => {
    throw new LoadlineError('E_OUT', 'The folder of the runs cannot be made.', {
      where: out,
      why: unwrittenWhy(error),
      todo: 'name a folder that you may write to with --out',
      cause: error,
    });
  });
  const lock = await lockMonitor(out);
  try {
    const journal = await openMonitorJournal(out);
    const parts = wireMonitor({ path, plan, read, out, journal, tool });
    const page = await metricsPage(flags.metricsListen, journal, tool);
    const stop = listenForStop(tool, (text) => parts.say(parts.clock.nowMs(), text), 0);
    try {
      return flags.once === true
        ? await once(parts, plan, flags.only, stop.signal)
        : await forever(parts, plan, stop.signal);
    } finally {
      stop.close();
      await page?.close();
      await journal.close();
    }
  } finally {
    await lock.close();
  }
}

/** What the journal says, for whoever scrapes it. Throws E_METRICS_LISTEN. */
async function metricsPage(address: ListenAddress | undefined, journal: MonitorJournal, tool: ToolProcess) {
  if (!address) return undefined;
  const { openMetricsPage } = await import('../../store/scrape/metrics-page.js');
  const page = await openMetricsPage(address, () => watchValues(journal.entries));
  tool.stderr.write(`metrics page ${page.url}\n`);
  return page;
}

function assertThere(only: string | undefined, { watches }: MonitorPlan): void {
  if (only === undefined || watches.some(({ name }) => name === only)) return;
  const why = `the file has: ${watches.map(({ name }) => name).join(', ')}`;
  throw usageError(`There is no watch "${only}".`, ['--only'], 'name one of them', why);
}

async function forever(parts: MonitorParts, plan: MonitorPlan, signal: AbortSignal): Promise<number> {
  const { clock } = parts;
  await write(parts, { type: 'note', atMs: clock.nowMs(), text: 'the monitor started' });
  parts.say(clock.nowMs(), watchingText(plan, clock.nowMs()));
  await monitorLoop(parts, signal);
  await write(parts, { type: 'note', atMs: clock.nowMs(), text: 'the monitor was stopped' });
  parts.say(clock.nowMs(), 'stopped');
  return 0;
}

/** Each watch with its next start, and whose clock the expressions go by. */
export function watchingText({ watches, zone }: Pick<MonitorPlan, 'watches' | 'zone'>, nowMs: number): string {
  const each = watches.map(({ name, cron, size }) => {
    const next = nextDueMs(cron, zone, nowMs);
    const start = next === undefined ? 'never due' : `next ${new Date(next).toISOString().replace('.000', '')}`;
    return `${name} (${cron}, ${size}, ${start})`;
  });
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return `watching ${each.join(', ')}; cron is in ${zone ?? `${own}, the zone of this machine`}`;
}

async function once(parts: MonitorParts, plan: MonitorPlan, only: string | undefined, signal: AbortSignal) {
  const seen: { level: Level; answered: boolean }[] = [];
  for (const watch of plan.watches.filter(({ name }) => only === undefined || name === only)) {
    if (signal.aborted) return 130;
    try {
      const { level, mark } = await watchAndConfirm(parts, { plan, watch, dueAtMs: parts.clock.nowMs() }, signal);
      seen.push({ level, answered: mark.verdict === 'stable' || mark.verdict === 'unstable' });
    } catch (error) {
      if (signal.aborted) return 130;
      throw error;
    }
  }
  if (seen.some(({ level }) => level === 'regressed' || level === 'warning')) return 3;
  return seen.every(({ answered }) => answered) ? 0 : 4;
}

const verdicts = ['stable', 'unstable', 'void', 'failed'] as const;

/** What a monitor's journal says of each watch now, as series: its level, its runs so far, and its last run. */
export function watchValues(entries: readonly MonitorEntry[]): readonly PointValues[] {
  const runs = entries.filter((entry): entry is RunEntry => entry.type === 'run');
  const byWatch = new Map<string, RunEntry[]>();
  for (const run of runs) byWatch.set(run.watch, [...(byWatch.get(run.watch) ?? []), run]);
  return [...byWatch].flatMap(([watch, own]) => [...countsOf(watch, own), ...lastOf(watch, own)]);
}

function countsOf(watch: string, runs: readonly RunEntry[]): readonly PointValues[] {
  const atMs = runs.at(-1)?.endedAtMs ?? 0;
  return verdicts.map((verdict) => ({
    labels: { watch, verdict },
    atMs,
    values: [{ name: 'loadline_watch_runs', value: runs.filter(({ mark }) => mark.verdict === verdict).length }],
  }));
}

/** What a run did not say is no value: a failed one has an end and a level, and nothing else. */
function lastOf(watch: string, runs: readonly RunEntry[]): readonly PointValues[] {
  const last = runs.at(-1);
  if (!last) return [];
  const { mark, endedAtMs: atMs, startedAtMs, level } = last;
  const one = (name: string, value: number | null | undefined) =>
    value === undefined || value === null ? [] : [{ name: `loadline_watch_${name}`, value }];
  const own = [
    ...one('level', levels.indexOf(level)),
    ...one('run_ended_at_ms', atMs),
    ...one('run_took_ms', atMs - startedAtMs),
    ...one('size', mark.size),
    ...one('limit_stable', mark.limit?.stable),
    ...one('limit_unstable', mark.limit?.unstable),
    ...one('server_memory_mb', mark.serverMemoryMb),
  ];
  const compared = Object.entries(mark.metrics).map(([metric, { value, unit }]) => ({
    labels: { watch, metric, unit },
    atMs,
    values: one('metric', value),
  }));
  return [{ labels: { watch }, atMs, values: own }, ...compared];
}

/** Tells everybody under `alerts` of a test. 0 when all have taken it, else 1. Throws E_USAGE where nobody is named. */
async function testAlert(path: string, targets: readonly AlertTarget[], tool: ToolProcess): Promise<number> {
  const file = basename(path);
  if (targets.length === 0) {
    const todo = 'name a webhook, a mail or a command under alerts: see docs/reference/monitoring.md';
    throw usageError(`${file} names nobody to tell.`, ['--test-alert', path], todo);
  }
  const atMs = wallClock.nowMs();
  const alert: Alert = {
    type: 'alert',
    id: `${file}@${new Date(atMs).toISOString()}`,
    atMs,
    watch: file,
    kind: 'test',
    level: 'ok',
    text: `A test of the alerts of ${file}. No watch has changed.`,
    reasons: [],
  };
  const told = await Promise.all(targets.map((one) => tell(one, alert, wallClock, new AbortController().signal)));
  for (const [nth, { target, ok, error }] of told.entries()) {
    const todo = targets[nth]?.todo;
    tool.stdout.write(ok ? `told ${target}\n` : `could not tell ${target}: ${error}\n    do      ${todo}\n`);
  }
  return told.every(({ ok }) => ok) ? 0 : 1;
}
