import type { ReceiveStreamSample, StreamSample } from '../../model/sample.js';
import type { FrameMark } from './frame-mark.js';

/** What the marks of one stream said since they were read before. */
export interface MarkFigures {
  readonly marked: number;
  readonly unmarked: number;
  /** Absent where the stream has no one sender. */
  readonly foreign?: number;
  /** Whose they were last. */
  readonly foreignSender?: number;
  /** How many frames told their delay, by the clock of this host. */
  readonly timed: number;
  readonly delaySumMs: number;
  readonly delayMaxMs: number;
}

/** Beyond these, somebody set a clock. */
const leastMs = -5;
const mostMs = 60_000;
/** Two seconds of sound. */
const lookedMost = 100;

/** Reads the marks of the frames of one received stream. */
export class MarkCounts {
  readonly #clock: number;
  readonly #sender: number | undefined;
  #wasMarked = false;
  #looked = 0;
  #marked = 0;
  #unmarked = 0;
  #foreign = 0;
  #foreignSender: number | undefined;
  #timed = 0;
  #delaySumMs = 0;
  #delayMaxMs = 0;

  /** @param clock of this host @param sender whose pictures are to come; absent where that is not known */
  constructor(clock: number, sender?: number) {
    this.#clock = clock;
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
    const delayMs = arrivedMs - mark.takenUs / 1000;
    if (mark.clock !== this.#clock || delayMs < leastMs || delayMs > mostMs) return;
    this.#delayMaxMs = this.#timed === 0 ? delayMs : Math.max(this.#delayMaxMs, delayMs);
    this.#timed += 1;
    this.#delaySumMs += delayMs;
  }

  /** Since it was asked last; `undefined` as long as no frame had a mark. */
  take(): MarkFigures | undefined {
    const figures = this.#wasMarked ? this.#figures() : undefined;
    this.#marked = 0;
    this.#unmarked = 0;
    this.#foreign = 0;
    this.#foreignSender = undefined;
    this.#timed = 0;
    this.#delaySumMs = 0;
    this.#delayMaxMs = 0;
    return figures;
  }

  #figures(): MarkFigures {
    return {
      marked: this.#marked,
      unmarked: this.#unmarked,
      ...(this.#sender === undefined ? {} : { foreign: this.#foreign }),
      ...(this.#foreignSender === undefined ? {} : { foreignSender: this.#foreignSender }),
      timed: this.#timed,
      delaySumMs: this.#delaySumMs,
      delayMaxMs: this.#delayMaxMs,
    };
  }
}

/** The sample of a stream with what its marks said. Of one that is not known in this second, nothing is. */
export function withFigures(stream: StreamSample, figures: MarkFigures | undefined): StreamSample {
  if (!figures || stream.direction !== 'receive') return stream;
  const { framesReceived, packetsReceived } = stream.metrics;
  if ((stream.kind === 'video' ? framesReceived : packetsReceived) === undefined) return stream;
  const { marked, unmarked, foreign, foreignSender, timed, delaySumMs, delayMaxMs } = figures;
  const metrics: ReceiveStreamSample['metrics'] = {
    ...stream.metrics,
    markedFrames: marked,
    unmarkedFrames: unmarked,
    ...(foreign === undefined ? {} : { foreignFrames: foreign }),
    ...(timed === 0 ? {} : { delayMs: delaySumMs / timed, delayMaxMs }),
  };
  return { ...stream, metrics, ...(foreignSender === undefined ? {} : { foreignSender }) };
}

/** By how much the sound of the same source came later than its pictures. */
export function withSync(stream: StreamSample, all: readonly StreamSample[]): StreamSample {
  if (stream.direction !== 'receive' || stream.kind !== 'video' || stream.metrics.delayMs === undefined) return stream;
  const sounds = all.flatMap((one) =>
    one.direction === 'receive' && one.kind === 'audio' && one.stream === stream.stream ? one : [],
  );
  const soundMs = sounds[0]?.metrics.delayMs;
  if (soundMs === undefined) return stream;
  return { ...stream, metrics: { ...stream.metrics, soundLaterMs: soundMs - stream.metrics.delayMs } };
}
