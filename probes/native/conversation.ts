import type { ReceiveStreamSample } from '../../model/sample.js';
import { senderOf } from '../../model/sender-mark.js';
import { type Turns, turnTimes } from '../../model/turns.js';

/**
 * An Opus packet of 20 ms that holds silence (RFC 6716, 3.1: one frame of CELT). Encoders without DTX make such small
 * ones of it, so what is larger is somebody who speaks: an approximation, for nothing is decoded.
 */
export const silentPacket: Uint8Array = Uint8Array.of(0xf8, 0xff, 0xfe);
const silentBytes = 10;

export const isSpoken = (payloadBytes: number): boolean => payloadBytes > silentBytes;

/** Packets of speech follow each other. With DTX those of silence may be as large, and are far apart. */
const followsMs = 60;
/** Two packets of 20 ms that came one after the other. */
const nextMs = 30;

/** So long a pause ends an answer. */
const endedAfterMs = 600;

type TurnFigures = Pick<
  ReceiveStreamSample['metrics'],
  'questions' | 'unansweredQuestions' | 'interruptedQuestions' | 'answerMs'
>;

/** One voice of two that speak in turns. Times are of the probe's clock. */
export interface Conversation {
  /** Whether it speaks now: asked for each packet that it sends. */
  speaks(nowMs: number): boolean;
  /** A packet of the other one came. */
  heard(payloadBytes: number, nowMs: number): void;
  /** Questions that came to an end since the last call; `undefined` where it asks none. */
  take(): TurnFigures | undefined;
}

export function conversationOf(id: string, turns: Turns): Conversation {
  return turns.part === 'asks' ? new Asking(senderOf(id) % turnTimes.waitMs) : new Answering(turns.pauseMs);
}

type Outcome = 'answered' | 'unanswered' | 'interrupted';

/** Asks, waits for an answer, hears it to its end, rests, and asks again. */
class Asking implements Conversation {
  #state: 'resting' | 'asking' | 'waiting' | 'listening' = 'resting';
  #untilMs: number | undefined;
  #isHeard = false;
  #wasInterrupted = false;
  #spokeMs = 0;
  #heardMs = Number.NEGATIVE_INFINITY;
  /** The last packet, whatever it held, and whether that may have been speech. */
  #packet = { atMs: Number.NEGATIVE_INFINITY, isSpoken: false };
  #outcomes: Outcome[] = [];
  #answerMs: number | undefined;

  /** @param firstMs rooms do not all ask at once */
  constructor(private readonly firstMs: number) {}

  speaks(nowMs: number): boolean {
    // Nobody asks before the other one is there.
    if (!this.#isHeard) return false;
    this.#untilMs ??= nowMs + turnTimes.restMs + this.firstMs;
    if (this.#state === 'listening' && nowMs - this.#heardMs >= endedAfterMs) this.#become('resting', nowMs);
    else if (this.#state !== 'listening' && nowMs >= this.#untilMs) this.#goOn(nowMs);
    if (this.#state !== 'asking') return false;
    this.#spokeMs = nowMs;
    return true;
  }

  #goOn(nowMs: number): void {
    if (this.#state === 'resting') {
      this.#wasInterrupted = false;
      this.#become('asking', nowMs);
    } else if (this.#state === 'waiting') this.#end('unanswered', 'resting', nowMs);
    else if (this.#wasInterrupted) this.#end('interrupted', 'listening', nowMs);
    else this.#become('waiting', nowMs);
  }

  #end(outcome: Outcome, next: 'resting' | 'listening', nowMs: number): void {
    this.#outcomes.push(outcome);
    this.#become(next, nowMs);
  }

  #become(state: 'resting' | 'asking' | 'waiting' | 'listening', nowMs: number): void {
    const { restMs, questionMs, waitMs } = turnTimes;
    this.#state = state;
    this.#untilMs = nowMs + { resting: restMs, asking: questionMs, waiting: waitMs, listening: 0 }[state];
  }

  heard(payloadBytes: number, nowMs: number): void {
    this.#isHeard = true;
    const before = this.#packet;
    this.#packet = { atMs: nowMs, isSpoken: isSpoken(payloadBytes) };
    if (!this.#packet.isSpoken || nowMs - before.atMs > followsMs) return;
    this.#heardMs = nowMs;
    if (this.#state === 'asking') this.#wasInterrupted = true;
    else if (this.#state === 'waiting') {
      const beganMs = before.isSpoken && nowMs - before.atMs <= nextMs ? before.atMs : nowMs;
      this.#answerMs = Math.max(0, beganMs - this.#spokeMs);
      this.#end('answered', 'listening', nowMs);
    } else this.#state = 'listening';
  }

  take(): TurnFigures {
    const count = (which: Outcome) => this.#outcomes.filter((one) => one === which).length;
    const figures = {
      questions: this.#outcomes.length,
      unansweredQuestions: count('unanswered'),
      interruptedQuestions: count('interrupted'),
      ...(this.#answerMs === undefined ? {} : { answerMs: this.#answerMs }),
    };
    this.#outcomes = [];
    this.#answerMs = undefined;
    return figures;
  }
}

/** Answers once nothing was spoken for so long, and is silent as soon as somebody speaks. */
class Answering implements Conversation {
  #askedMs: number | undefined;
  #untilMs = Number.NEGATIVE_INFINITY;

  constructor(private readonly pauseMs: number) {}

  speaks(nowMs: number): boolean {
    if (this.#askedMs !== undefined && nowMs - this.#askedMs >= this.pauseMs) {
      this.#askedMs = undefined;
      this.#untilMs = nowMs + turnTimes.answerMs;
    }
    return nowMs < this.#untilMs;
  }

  heard(payloadBytes: number, nowMs: number): void {
    if (!isSpoken(payloadBytes)) return;
    this.#askedMs = nowMs;
    this.#untilMs = Number.NEGATIVE_INFINITY;
  }

  take(): undefined {}
}
