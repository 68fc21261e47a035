import { clockName } from '../../host/clock-name.js';
import type { StreamSample } from '../../model/sample.js';
import { type Leg, senderOfSource, sourceOfStream } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import { clockOf, type Marking } from '../page/frame-mark.js';
import { MarkCounts, type MarkFigures, withFigures } from '../page/mark-counts.js';

let ownClock: number | undefined;

/** What the marks of each stream of a leg said; one that needs no name has none. */
type LegFigures = ReadonlyMap<string | undefined, MarkFigures | undefined>;

/** The marks of one leg: those that its pictures get, and those that are read of the pictures that come. */
export class LegMarks {
  readonly marking: Marking;
  readonly #leg: Leg;
  readonly #counts = new Map<string | undefined, MarkCounts>();

  constructor(participant: string, leg: Leg) {
    ownClock ??= clockOf(clockName());
    this.marking = { sender: senderOf(participant), clock: ownClock };
    this.#leg = leg;
  }

  /** Of a stream of video that begins, in place of the one before it. */
  begin(stream?: string): MarkCounts {
    const sender = senderOfSource(sourceOfStream(this.#leg, 'video', stream));
    const counts = new MarkCounts(this.marking.clock, sender === undefined ? undefined : senderOf(sender));
    this.#counts.set(stream, counts);
    return counts;
  }

  /** Since they were taken before. */
  take(): LegFigures {
    return new Map([...this.#counts].map(([stream, counts]) => [stream, counts.take()]));
  }
}

/** The samples of a leg with what the marks of its video said. */
export function withMarks(figures: LegFigures | undefined, streams: readonly StreamSample[]): readonly StreamSample[] {
  return streams.map((stream) =>
    stream.kind === 'video' && stream.direction === 'receive'
      ? withFigures(stream, figures?.get(stream.stream))
      : stream,
  );
}
