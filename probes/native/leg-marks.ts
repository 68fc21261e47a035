import { withSync } from '../../model/clock-times.js';
import type { StreamSample } from '../../model/sample.js';
import { type Leg, type Participant, type StreamKind, senderOfSource, sourceOfStream } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import { ownClock } from '../own-clock.js';
import type { Marking } from '../page/frame-mark.js';
import { MarkCounts, type MarkFigures, withFigures } from '../page/mark-counts.js';
import { type Conversation, conversationOf } from './conversation.js';

interface LegFigures {
  /** What the marks of each stream of a leg said. */
  readonly marks: ReadonlyMap<string, MarkFigures | undefined>;
  /** The asker's: the sound that it receives is the other one's. */
  readonly turns: ReturnType<Conversation['take']>;
}

/** One that needs no name has none. */
const keyOf = (kind: StreamKind, stream: string | undefined): string =>
  stream === undefined ? kind : `${kind}/${stream}`;

/** The marks of one leg: those that what it sends gets, and those that are read of what comes. */
export class LegMarks {
  readonly marking: Marking;
  readonly #leg: Leg;
  readonly #counts = new Map<string, MarkCounts>();
  readonly #ofSound: MarkCounts[] = [];

  /** @param conversation of a probe that speaks in turns, on any leg @param clock this host's, as marks name it */
  constructor(
    participant: string,
    leg: Leg,
    readonly conversation?: Conversation,
    clock = ownClock(),
  ) {
    this.marking = { sender: senderOf(participant), clock };
    this.#leg = leg;
  }

  /** Who looks at a stream that begins, in place of the one before it. */
  begin(kind: StreamKind, stream?: string): { readonly marks: MarkCounts; readonly conversation?: Conversation } {
    const sender = senderOfSource(sourceOfStream(this.#leg, kind, stream));
    const counts = new MarkCounts(this.marking.clock, sender === undefined ? undefined : senderOf(sender));
    this.#counts.set(keyOf(kind, stream), counts);
    if (kind === 'audio') this.#ofSound.push(counts);
    return { marks: counts, ...(kind === 'audio' && this.conversation ? { conversation: this.conversation } : {}) };
  }

  /** How much of a packet of sound has to be read for them. */
  get soundBytes(): number {
    for (const counts of this.#ofSound) if (counts.mayCome) return Number.POSITIVE_INFINITY;
    return this.#ofSound.length === 0 ? Number.POSITIVE_INFINITY : 0;
  }

  /** Since they were taken before. */
  take(): LegFigures {
    const turns = this.#ofSound.length === 0 ? undefined : this.conversation?.take();
    return { turns, marks: new Map([...this.#counts].map(([stream, counts]) => [stream, counts.take()])) };
  }
}

/** Makes those of each leg of a participant. */
export function legMarksOf({ id, turns }: Participant, clock: number | undefined): (leg: Leg) => LegMarks {
  const conversation = turns && conversationOf(id, turns);
  return (leg) => new LegMarks(id, leg, conversation, clock);
}

/** The samples of a leg with what the marks of its streams said. */
export function withMarks(figures: LegFigures | undefined, streams: readonly StreamSample[]): readonly StreamSample[] {
  const marked = streams
    .map((stream) => withFigures(stream, figures?.marks.get(keyOf(stream.kind, stream.stream))))
    .map((stream) => withTurns(stream, figures?.turns));
  return marked.map((stream) => withSync(stream, marked));
}

function withTurns(stream: StreamSample, turns: LegFigures['turns']): StreamSample {
  if (!turns || stream.kind !== 'audio' || stream.direction !== 'receive') return stream;
  return { ...stream, metrics: { ...stream.metrics, ...turns } };
}
