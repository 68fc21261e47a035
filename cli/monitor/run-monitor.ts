import { access, mkdir } from 'node:fs/promises';
import { resolve } from 'node:path';
import { succeeds } from '../../host/bounded-wait.js';
import { LoadlineError } from '../../model/errors.js';
import type { Level } from '../../model/monitor.js';
import { type MonitorJournal, openMonitorJournal } from '../../store/monitor/monitor-journal.js';
import { lockMonitor } from '../../store/monitor/monitor-lock.js';
import type { ListenAddress } from '../../store/scrape/listen-address.js';
import { readFlags, type WordsOf } from '../options/flag.js';
import { usageError } from '../options/usage-error.js';
import type { ToolProcess } from '../process.js';
import { listenForStop } from '../wiring/stop-request.js';
import { type MonitorPlan, readMonitorFile } from './monitor-file.js';
import { monitorFlags } from './monitor-flags.js';
import { monitorLoop } from './monitor-loop.js';
import type { MonitorParts } from './monitor-parts.js';
import { assertCanStart } from './run-watch.js';
import { watchAndConfirm, write } from './watch-once.js';
import { watchValues } from './watch-values.js';
import { wireMonitor } from './wire-monitor.js';

/** Runs until a signal ends it, which is no failure: 0. With `--once`, until every watch has run. */
export async function monitor(file: string, words: WordsOf<typeof monitorFlags>, tool: ToolProcess): Promise<number> {
  const path = resolve(tool.workingFolder, file);
  const flags = readFlags(monitorFlags, words);
  const out = resolve(tool.workingFolder, flags.out);
  const plan = await readMonitorFile(path, tool.env);
  await assertCanStart(plan, (one) => succeeds(access(one)));
  assertThere(flags.only, plan);
  await mkdir(out, { recursive: true }).catch((error: unknown) => {
    throw new LoadlineError('E_OUT', 'The folder of the runs cannot be made.', {
      where: out,
      why: String(error),
      cause: error,
    });
  });
  const lock = await lockMonitor(out);
  try {
    const journal = await openMonitorJournal(out);
    const parts = wireMonitor({ path, plan, out, journal, tool });
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
  const names = plan.watches.map(({ name, cron, size }) => `${name} (${cron}, ${size})`).join(', ');
  await write(parts, { type: 'note', atMs: clock.nowMs(), text: 'the monitor started' });
  parts.say(clock.nowMs(), `watching ${names}`);
  await monitorLoop(parts, signal);
  await write(parts, { type: 'note', atMs: clock.nowMs(), text: 'the monitor was stopped' });
  parts.say(clock.nowMs(), 'stopped');
  return 0;
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
