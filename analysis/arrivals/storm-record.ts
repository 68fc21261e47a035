import type { StormRecord } from '../../model/arrivals.js';
import { given } from '../../model/given.js';
import type { ArrivedJoin } from '../../model/join.js';
import { highest } from '../statistics/statistics.js';
import { type Fate, fateOf } from './join-fate.js';
import { countsOf } from './time-histogram.js';

interface SeenStorm {
  readonly atMs: number;
  /** Of the whole trial, those of the storm and those who come evenly. */
  readonly joins: readonly ArrivedJoin[];
  /** Who is due at once. */
  readonly participants: ReadonlySet<string>;
  readonly window: { readonly startMs: number; readonly endMs: number };
}

/** Even arrivals are back to normal when they wait at most this many times the longest wait before it, … */
const asBefore = 2;
/** … or no longer than this, which timers of whole milliseconds cannot tell apart on a busy host. */
const asBeforeLeastMs = 20;

/** What became of those who came at once, and for how long the others felt it. Pure. */
export function stormRecord(seen: SeenStorm): StormRecord {
  const { atMs, participants, window } = seen;
  const stormed = seen.joins.filter(({ participant }) => participants.has(participant));
  const steady = seen.joins.filter(({ participant, dueMs }) => !participants.has(participant) && dueMs < window.endMs);
  const of = (fate: Fate) => stormed.filter((join) => fateOf(join) === fate).length;
  const answered = stormed.filter((join) => fateOf(join) === 'answered');
  const usualMs = highest(
    steady.filter(({ dueMs }) => dueMs >= window.startMs && dueMs < atMs).flatMap((join) => waitMs(join) ?? []),
  );
  const allMs = answered.length < participants.size ? undefined : highest(answered.flatMap(endMs));
  const calmMs = usualMs === undefined ? undefined : calmFromMs(steady, atMs, usualMs);
  const overMs = allMs === undefined || calmMs === undefined ? undefined : Math.max(allMs, calmMs) - atMs;
  return {
    atMs,
    due: participants.size,
    answered: answered.length,
    refused: of('refused'),
    stalled: of('stalled'),
    // One of which nothing was told failed, whatever befell it.
    failed: participants.size - answered.length - of('refused') - of('stalled'),
    answer: countsOf(answered.flatMap((join) => waitMs(join) ?? [])),
    ...given({ usualMs, allAnsweredMs: allMs === undefined ? undefined : allMs - atMs, overMs }),
  };
}

const waitMs = ({ answeredMs, dueMs }: ArrivedJoin) => (answeredMs === undefined ? undefined : answeredMs - dueMs);
const endMs = ({ answeredMs }: ArrivedJoin) => answeredMs ?? [];

/** Arrival time from which all waits are back to normal; undefined if they never are. */
function calmFromMs(steady: readonly ArrivedJoin[], atMs: number, usualMs: number): number | undefined {
  const limitMs = Math.max(asBefore * usualMs, asBeforeLeastMs);
  const after = steady.filter(({ dueMs }) => dueMs >= atMs).sort((a, b) => a.dueMs - b.dueMs);
  const lastSlow = after.findLastIndex((join) => fateOf(join) !== 'answered' || (waitMs(join) ?? 0) > limitMs);
  return after[lastSlow + 1]?.dueMs;
}
