import type { TrialRecord } from '../../model/trial.js';
import { curves } from '../wire/trial-data.js';
import { binsOf, type Span } from './curve-grid.js';
import { curveStreams } from './curve-streams.js';

/** All curves of a run together have at most this many cells: 12 MB before they are compressed. */
const mostCells = 6_000_000;
const binsMs = [1000, 2000, 5000, 10_000, 30_000, 60_000, 300_000];
/** From the widest of these on, widths double; a trial of this length has one cell then. */
const longestMs = 100 * 24 * 3600 * 1000;

/**
 * Where each trial's curves lie: from the beginning of settling to the end of the window, or of the trial where it had
 * none. The whole run has one width of cells, the finest at which the report stays small.
 */
export function spansOf(records: readonly TrialRecord[]): ReadonlyMap<number, Span> {
  const raw = records.map((record) => ({ record, rows: rowsOf(record), ...limitsOf(record) }));
  const cellsAt = (binMs: number) =>
    raw.reduce((sum, { rows, ...span }) => sum + binsOf({ ...span, binMs }) * rows * curves.length, 0);
  const binMs = binsMs.find((width) => cellsAt(width) <= mostCells) ?? widerThan(binsMs.at(-1) ?? 1000, cellsAt);
  return new Map(raw.map(({ record, rows: _, ...span }) => [record.index, onWholeCells(span, binMs)]));
}

function widerThan(widest: number, cellsAt: (binMs: number) => number): number {
  let binMs = widest;
  while (binMs < longestMs && cellsAt(binMs) > mostCells) binMs *= 2;
  return binMs;
}

/** Of probes, and of streams that have their own. */
const rowsOf = ({ probes }: TrialRecord): number => probes.length + curveStreams(probes).length;

/** No cell straddles the start of the window. */
function onWholeCells(span: Omit<Span, 'binMs'>, binMs: number): Span {
  const before = Math.floor((span.zeroMs - span.fromMs) / binMs);
  return { ...span, fromMs: span.zeroMs - before * binMs, binMs };
}

function limitsOf({ phases, window, startedAtMs, endedAtMs }: TrialRecord): Omit<Span, 'binMs'> {
  const startOf = (phase: string) => phases.find((mark) => mark.phase === phase)?.startedAtMs;
  if (window) {
    const fromMs = startOf('settle') ?? window.startMs;
    return { fromMs: Math.min(fromMs, window.startMs), toMs: window.endMs, zeroMs: window.startMs };
  }
  const fromMs = startOf('join') ?? startedAtMs;
  const leave = startOf('leave') ?? endedAtMs;
  return { fromMs, toMs: Math.max(leave, fromMs + 1000), zeroMs: fromMs };
}
