import { type ExpectedStream, expectedStreams, isShared, speechOf } from '../../model/expected-streams.js';
import { mediaBytesOf } from '../../model/media-bytes.js';
import { isAway, type Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { type NumberBlocks, offsetOf } from './number-blocks.js';
import { streamIn } from './stream-fold.js';

/** Rates of one stream in order of time; the first `length` of the list are used. */
export interface Rates {
  readonly kbps: Float64Array;
  length: number;
}

/**
 * kbit/s of each stream of a probe in its last seconds, in order of time. They stand in a row of numbers: first when
 * each second ended, then the rates of one stream after the other. Where its source was away a stream has none.
 */
export class LastRates {
  readonly streams: readonly ExpectedStream[];
  private readonly row: Float64Array;
  private readonly start: number;
  private seconds = 0;

  constructor(
    participant: Participant,
    private readonly most: number,
    numbers: NumberBlocks,
  ) {
    // Who speaks in turns, or pauses, or shows slides, sends now more, now less, and comes to rest nowhere.
    this.streams = participant.turns
      ? []
      : expectedStreams([participant]).filter((one) => !speechOf(one) && !isShared(one));
    const place = numbers.allot(most * (1 + this.streams.length));
    this.row = numbers.blockOf(place);
    this.start = offsetOf(place);
  }

  get count(): number {
    return this.seconds;
  }

  /** At its place among those that are there; a second that is there already is left as it is. */
  add(sample: Sample): void {
    let place = this.seconds;
    while (place > 0 && this.endOf(place - 1) > sample.atMs) place -= 1;
    if (place > 0 && this.endOf(place - 1) === sample.atMs) return;
    if (this.seconds === this.most) {
      // The oldest goes; that may be this one.
      if (place === 0) return;
      this.move(1, 0, place - 1);
      place -= 1;
    } else {
      this.move(place, place + 1, this.seconds - place);
      this.seconds += 1;
    }
    this.row[this.start + place] = sample.atMs;
    for (const [nth, expected] of this.streams.entries()) {
      this.row[this.start + (nth + 1) * this.most + place] = rateOf(sample, expected, nth) ?? Number.NaN;
    }
  }

  dropBefore(atMs: number): void {
    let old = 0;
    while (old < this.seconds && this.endOf(old) < atMs) old += 1;
    if (old === 0) return;
    this.move(old, 0, this.seconds - old);
    this.seconds -= old;
  }

  /** Into `rates`, without the seconds in which it was away; none when it is away now. */
  read(nth: number, rates: Rates): void {
    const from = this.start + (nth + 1) * this.most;
    rates.length = 0;
    if (Number.isNaN(this.row[from + this.seconds - 1] ?? Number.NaN)) return;
    for (let at = from; at < from + this.seconds; at += 1) {
      const kbps = this.row[at] ?? Number.NaN;
      if (Number.isNaN(kbps)) continue;
      rates.kbps[rates.length] = kbps;
      rates.length += 1;
    }
  }

  private endOf(second: number): number {
    return this.row[this.start + second] ?? 0;
  }

  private move(from: number, to: number, count: number): void {
    if (count <= 0) return;
    for (let list = 0; list <= this.streams.length; list += 1) {
      const first = this.start + list * this.most;
      this.row.copyWithin(first + to, first + from, first + from + count);
    }
  }
}

function rateOf(sample: Sample, expected: ExpectedStream, nth: number): number | undefined {
  const found = streamIn(sample, expected, nth);
  if (found && isAway(found)) return undefined;
  const bytes = found && mediaBytesOf(found);
  return ((bytes ?? 0) * 8) / Math.max(1, sample.intervalMs);
}
