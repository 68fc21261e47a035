import { leastMs, withTimes } from '../../model/clock-times.js';
import type { ClockTime, ReceiveStreamSample, StreamSample } from '../../model/sample.js';
import type { FrameMark } from './frame-mark.js';
import { TimesByClock } from './times-by-clock.js';

/** What the marks of one stream said since they were read before. */
export interface MarkFigures {
  readonly marked: number;
  readonly unmarked: number;
  /** Absent where the stream has no one sender. */
  readonly foreign?: number;
  /** Whose they were last. */
  readonly foreignSender?: number;
  readonly delays: readonly ClockTime[];
}

/** Two seconds of sound. */
const lookedMost = 100;

/** Reads the marks of the frames of one received stream. */
export class MarkCounts {
  readonly #delays: TimesByClock;
  readonly #sender: number | undefined;
  #wasMarked = false;
  #looked = 0;
  #marked = 0;
  #unmarked = 0;
  #foreign = 0;
  #foreignSender: number | undefined;

  /** @param clock of this host @param sender whose pictures are to come; absent where that is not known */
  constructor(clock: number, sender?: number) {
    this.#delays = new TimesByClock(clock, leastMs.delay);
    this.#sender = sender;
  }

  /** Whether marks may come: a stream whose first packets had none has none. */
  get mayCome(): boolean {
    return this.#wasMarked || this.#looked < lookedMost;
  }

  /** A whole frame, or a packet of sound, and its mark, if it has one. */
  note(mark: FrameMark | undefined, arrivedMs: number): void {
    this.#looked += 1;
    if (!mark) {
      this.#unmarked += 1;
      return;
    }
    this.#wasMarked = true;
    this.#marked += 1;
    if (this.#sender !== undefined && mark.sender !== this.#sender) {
      this.#foreign += 1;
      this.#foreignSender = mark.sender;
    }
    this.#delays.add(mark.clock, arrivedMs - mark.takenUs / 1000);
  }

  /** Since it was asked last; `undefined` as long as no frame had a mark. */
  take(): MarkFigures | undefined {
    const figures = this.#wasMarked ? this.#figures() : undefined;
    this.#marked = 0;
    this.#unmarked = 0;
    this.#foreign = 0;
    this.#foreignSender = undefined;
    return figures;
  }

  #figures(): MarkFigures {
    return {
      marked: this.#marked,
      unmarked: this.#unmarked,
      ...(this.#sender === undefined ? {} : { foreign: this.#foreign }),
      ...(this.#foreignSender === undefined ? {} : { foreignSender: this.#foreignSender }),
      delays: this.#delays.take(),
    };
  }
}

/** The sample of a stream with what its marks said. Of one that is not known in this second, nothing is. */
export function withFigures(stream: StreamSample, figures: MarkFigures | undefined): StreamSample {
  if (!figures || stream.direction !== 'receive') return stream;
  const { framesReceived, packetsReceived } = stream.metrics;
  if ((stream.kind === 'video' ? framesReceived : packetsReceived) === undefined) return stream;
  const { marked, unmarked, foreign, foreignSender, delays } = figures;
  const metrics: ReceiveStreamSample['metrics'] = {
    ...stream.metrics,
    markedFrames: marked,
    unmarkedFrames: unmarked,
    ...(foreign === undefined ? {} : { foreignFrames: foreign }),
  };
  const told = { ...stream, metrics, ...(foreignSender === undefined ? {} : { foreignSender }) };
  return withTimes(told, 'delay', delays);
}
