import type { AggregateName, Aggregates } from '../../model/aggregate.js';
import type { MixLooks } from './mark-fold.js';
import { NumberBlocks, offsetOf } from './number-blocks.js';
import type { ProbeTally } from './probe-tally.js';
import type { UnknownSeconds } from './stream-reading.js';

/** How far a window knows a stream, beside its values. */
export interface StreamCounts {
  /** Seconds in which it was there, and how long they were. */
  readonly count: number;
  readonly readMs: number;
  /** Of a sent stream: how long the last of them are in which no report of the server came. */
  readonly unreportedMs: number;
  readonly unknown: UnknownSeconds;
  /** Whose pictures came last in place of the expected sender's, as they are marked. */
  readonly foreignSender?: number | undefined;
  /** Of a mixed picture, who was seen in it. */
  readonly looks?: MixLooks | undefined;
}

/** What a window said of a stream when it might have ended. */
interface KeptStream extends StreamCounts {
  readonly values: Aggregates;
}

/**
 * What the window said of each probe at one moment at which it might have ended, as nothing but numbers. A trial of
 * ten thousand probes has hundreds of thousands of such states. Streams that have the same aggregates share one list of
 * names.
 */
export class KeptStates {
  private readonly numbers = new NumberBlocks();
  private readonly lists: (readonly AggregateName[])[] = [];
  private readonly row: number[] = [];

  /** Where it can be had again. */
  keep(tally: ProbeTally, streams: readonly KeptStream[]): number {
    const { row } = this;
    row.length = 0;
    row.push(tally.samples, tally.measuredMs, tally.late, tally.worstLateMs, tally.packetsReceived);
    row.push(tally.wasDisturbed ? 1 : 0, tally.lastMs, tally.ended, tally.endedLateMs ?? Number.NaN, tally.packetsSent);
    for (const { count, readMs, unreportedMs, unknown, foreignSender = Number.NaN, looks, values } of streams) {
      const list = this.listOf(values);
      row.push(
        count,
        readMs,
        unreportedMs,
        unknown.count,
        unknown.ms,
        foreignSender,
        list,
        looks?.looks ?? 0,
        looks?.who.size ?? 0,
      );
      if (looks) row.push(...[...looks.who].flat());
      for (const name of this.lists[list] ?? []) row.push(values[name] ?? Number.NaN);
    }
    return this.numbers.put(row);
  }

  tally(place: number): ProbeTally {
    const block = this.numbers.blockOf(place);
    const at = offsetOf(place);
    const number = (index: number) => block[at + index] ?? Number.NaN;
    const endedLateMs = number(8);
    return {
      samples: number(0),
      measuredMs: number(1),
      late: number(2),
      worstLateMs: number(3),
      packetsReceived: number(4),
      packetsSent: number(9),
      wasDisturbed: number(5) === 1,
      lastMs: number(6),
      ended: number(7),
      endedLateMs: Number.isNaN(endedLateMs) ? undefined : endedLateMs,
    };
  }

  /** The same values again, in the same order. */
  streams(place: number, howMany: number): readonly KeptStream[] {
    const block = this.numbers.blockOf(place);
    let at = offsetOf(place) + tallyLength;
    return Array.from({ length: howMany }, () => {
      const state = block.subarray(at, at + stateLength);
      const [count = 0, readMs = 0, unreportedMs = 0, unknownCount = 0, unknownMs = 0, sender = 0, list = 0] = state;
      const [howOften = 0, whoMany = 0] = state.subarray(stateLength - 2);
      at += stateLength;
      const pairs = block.subarray(at, at + 2 * whoMany);
      at += 2 * whoMany;
      const values: Partial<Record<AggregateName, number>> = {};
      for (const name of this.lists[list] ?? []) {
        values[name] = block[at] ?? Number.NaN;
        at += 1;
      }
      const unknown = { count: unknownCount, ms: unknownMs };
      const foreignSender = Number.isNaN(sender) ? undefined : sender;
      const looks = howOften === 0 ? undefined : { looks: howOften, who: pairsOf(pairs) };
      return { count, readMs, unreportedMs, unknown, foreignSender, looks, values };
    });
  }

  /** There are a few lists, those of each kind and direction: the one that was met last is the likeliest. */
  private listOf(values: Aggregates): number {
    for (let list = this.lists.length - 1; list >= 0; list -= 1)
      if (hasNames(values, this.lists[list] ?? [])) return list;
    return this.lists.push(Object.keys(values) as AggregateName[]) - 1;
  }
}

const tallyLength = 10;
const stateLength = 9;

function pairsOf(numbers: Float64Array): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  for (let at = 0; at < numbers.length; at += 2) pairs.set(numbers[at] ?? 0, numbers[at + 1] ?? 0);
  return pairs;
}

/** These and no others, in this order. */
function hasNames(values: Aggregates, names: readonly AggregateName[]): boolean {
  let index = 0;
  for (const name in values) {
    if (names[index] !== name) return false;
    index += 1;
  }
  return index === names.length;
}
