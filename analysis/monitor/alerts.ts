import type { AlertEntry, Level, MonitorEntry, RunEntry } from '../../model/monitor.js';

interface AlertOptions {
  /** A watch that stays out of order is told of again after this time. */
  readonly remindMs: number;
}

const order: readonly Level[] = ['ok', 'warning', 'regressed', 'blind'];

/**
 * The alert that a run calls for, if any: on a change of level alone, and a reminder while it lasts. Pure: `past` is
 * the journal, so a monitor that was started anew tells nothing twice. `entry` is not in it yet.
 */
export function alertFor(
  entry: RunEntry,
  past: readonly MonitorEntry[],
  options: AlertOptions,
): AlertEntry | undefined {
  const last = past.findLast((one): one is AlertEntry => one.type === 'alert' && one.watch === entry.watch);
  const known: Level = last?.level ?? 'ok';
  if (entry.level === known) {
    const due = last !== undefined && known !== 'ok' && entry.endedAtMs - last.atMs >= options.remindMs;
    return due ? alertOf(entry, 'reminder', `still ${known}`) : undefined;
  }
  if (entry.level === 'ok') return alertOf(entry, 'recovered', `good again (was ${known})`);
  const eased = order.indexOf(entry.level) < order.indexOf(known);
  return alertOf(entry, entry.level, eased ? `${entry.level} (was ${known})` : entry.level);
}

function alertOf(entry: RunEntry, kind: AlertEntry['kind'], state: string): AlertEntry {
  const { watch, endedAtMs: atMs, level, findings, mark, run } = entry;
  const worst = findings.filter((finding) => finding.level === level);
  const others = findings.filter((finding) => finding.level !== level);
  const reasons = [...worst, ...others].map(({ text }) => text);
  const good = `${mark.size === undefined ? 'The run' : `${mark.size} ${mark.unit}`} ${mark.verdict}.`;
  // Of a search, those of the run are of a size above its limit: good news has none.
  const ofRun = level === 'ok' ? undefined : mark.reasons[0];
  const first = reasons[0] ?? ofRun ?? good;
  return {
    type: 'alert',
    id: `${watch}@${new Date(entry.dueAtMs).toISOString()}`,
    atMs,
    watch,
    kind,
    level,
    text: `${watch}: ${state}. ${first}`,
    reasons,
    ...(run === undefined ? {} : { run }),
  };
}

/** An alert that could not be told for so long is no news any more. */
const tellWithinMs = 24 * 3_600_000;

/** Alerts that a target has not got, oldest first; one that a later alert of the same watch has overtaken is let go. */
export function pendingAlerts(journal: readonly MonitorEntry[], target: string, nowMs: number): AlertEntry[] {
  const told = new Set(
    journal.flatMap((entry) => (entry.type === 'told' && entry.ok && entry.target === target ? [entry.alert] : [])),
  );
  const newest = new Map<string, AlertEntry>();
  for (const entry of journal) if (entry.type === 'alert') newest.set(entry.watch, entry);
  return [...newest.values()]
    .filter(({ id, atMs }) => !told.has(id) && nowMs - atMs < tellWithinMs)
    .sort((a, b) => a.atMs - b.atMs);
}
