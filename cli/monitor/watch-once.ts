import { tell } from '../../alerts/tell-all.js';
import { alertFor, pendingAlerts } from '../../analysis/monitor/alerts.js';
import { findingsOf, isUnconfirmed, levelOf } from '../../analysis/monitor/regression.js';
import { durationText } from '../../analysis/wording/quantity.js';
import { messageOf } from '../../model/errors.js';
import { given } from '../../model/given.js';
import type { MonitorEntry, RunEntry } from '../../model/monitor.js';
import type { MonitorPlan, Watch } from './monitor-file.js';
import type { MonitorParts } from './monitor-parts.js';
import { failed, type WatchRun } from './run-watch.js';

/** Assumed of a first run, of which nothing is known: no run takes less. */
const leastBytes = 100_000;
/** A start that is later than this after its time is said. */
const lateMs = 2000;

/** A watch whose time has come. */
interface DueWatch {
  readonly plan: MonitorPlan;
  readonly watch: Watch;
  readonly dueAtMs: number;
}

/** A watch once, and once more at once where it looked worse. The last run of it; rejects as `watchOnce`. */
export async function watchAndConfirm(parts: MonitorParts, due: DueWatch, signal: AbortSignal): Promise<RunEntry> {
  const first = await watchOnce(parts, due, signal);
  if (!first.findings.some(isUnconfirmed)) return first;
  return watchOnce(parts, { ...due, dueAtMs: parts.clock.nowMs(), repeat: true }, signal);
}

/**
 * One run of a watch, from making room for it to telling those who want to know. Nothing that fails here ends the
 * monitor: it is in the journal and the log. Rejects only when `signal` aborts, with its reason.
 */
async function watchOnce(
  parts: MonitorParts,
  { plan, watch, dueAtMs, repeat }: DueWatch & { readonly repeat?: true },
  signal: AbortSignal,
): Promise<RunEntry> {
  const { clock } = parts;
  const startedAtMs = clock.nowMs();
  const ran = await runInRoom(parts, plan, watch, signal);
  const times = { dueAtMs, startedAtMs, endedAtMs: clock.nowMs() };
  const entry = { ...judged(parts, { plan, watch, startedAtMs }, ran), ...times, ...(repeat ? { repeat } : {}) };
  const alert = alertFor(entry, parts.journal.entries, { remindMs: plan.remind });
  await write(parts, entry);
  parts.say(entry.endedAtMs, runLine(entry, plan.jitter ?? 0));
  for (const { text } of entry.findings) parts.say(entry.endedAtMs, `  ${text}`);
  if (alert) {
    await write(parts, alert);
    parts.say(entry.endedAtMs, `  alert ${alert.kind}: ${alert.text}`);
  }
  await tellAll(parts, plan, signal);
  return entry;
}

/** A journal that cannot be written (the disk is full) is said; what it says stays in memory. */
export async function write(parts: MonitorParts, entry: MonitorEntry): Promise<void> {
  await parts.journal.write(entry).catch((error: unknown) => {
    parts.say(parts.clock.nowMs(), `  ${messageOf(error)}`);
  });
}

async function runInRoom(parts: MonitorParts, plan: MonitorPlan, watch: Watch, signal: AbortSignal): Promise<WatchRun> {
  const runs = parts.journal.entries.filter((entry): entry is RunEntry => entry.type === 'run');
  const own = runs.filter((run) => run.watch === watch.name).slice(-5);
  const need = 1.2 * Math.max(leastBytes, ...own.map(({ bytes }) => bytes ?? 0));
  try {
    const kept = runs.flatMap(({ run, startedAtMs }) => (run === undefined ? [] : [{ run, startedAtMs }]));
    const room = await parts.retentionOf(plan).makeRoom(kept, need, parts.clock.nowMs());
    if (room.thinned > 0) parts.say(parts.clock.nowMs(), `  thinned ${room.thinned} old runs; records are kept`);
    if (!room.ok) return failed(room.why);
    return await parts.run(watch, plan, signal);
  } catch (error) {
    signal.throwIfAborted();
    return failed(messageOf(error));
  }
}

function judged(
  parts: MonitorParts,
  { plan, watch: { name, size }, startedAtMs }: Omit<DueWatch, 'dueAtMs'> & { readonly startedAtMs: number },
  { mark, question, run, bytes }: WatchRun,
): Omit<RunEntry, 'dueAtMs' | 'startedAtMs' | 'endedAtMs'> {
  const past = parts.journal.entries.filter((entry): entry is RunEntry => entry.type === 'run' && entry.watch === name);
  const findings = findingsOf(mark, question, past, { window: plan.baseline, atMs: startedAtMs });
  return {
    type: 'run',
    watch: name,
    asked: size,
    question,
    ...given({ run, bytes }),
    mark,
    findings,
    level: levelOf(mark, findings, past.at(-1)?.level ?? 'ok'),
  };
}

async function tellAll(parts: MonitorParts, plan: MonitorPlan, signal: AbortSignal): Promise<void> {
  for (const target of parts.targetsOf(plan)) {
    for (const alert of pendingAlerts(parts.journal.entries, target.name, parts.clock.nowMs())) {
      if (signal.aborted) return;
      const told = await tell(target, alert, parts.clock, signal);
      await write(parts, told);
      const text = told.ok
        ? `  told ${target.name}`
        : `  could not tell ${target.name}: ${told.error}; after the next run again`;
      parts.say(told.atMs, text);
      if (!told.ok) parts.say(told.atMs, `    do  ${target.todo}`);
    }
  }
}

/** "calls  stable    4 calls in 1 min 2 s  runs/…  (12 s late)". */
function runLine({ watch, mark, run, dueAtMs, startedAtMs, endedAtMs }: RunEntry, jitterMs: number): string {
  const size = mark.limit
    ? `limit ${mark.limit.stable}${mark.limit.unstable === null ? ' or more' : ''} ${mark.unit}`
    : mark.size === undefined
      ? ''
      : `${mark.size} ${mark.unit}`;
  const after = startedAtMs - dueAtMs;
  const late = after > jitterMs + lateMs ? `(${durationText(after)} late)` : '';
  const why = mark.verdict === 'void' || mark.verdict === 'failed' ? (mark.reasons[0] ?? '') : '';
  return [watch, mark.verdict.padEnd(8), size, `in ${durationText(endedAtMs - startedAtMs)}`, run ?? '', late, why]
    .filter((part) => part !== '')
    .join('  ');
}
