import { setTimeout as pause } from 'node:timers/promises';
import type { ByClosing } from '../model/reset-proof.js';

/**
 * How something that was opened has ended: as was asked; asked or not, with no word of the server that it has; or by
 * nothing but a closed connection. Reasons are sentence parts.
 */
export type Ending = 'asked' | { readonly unconfirmed: string } | { readonly byClosing: string };

/** What a server says of a stream to who asks for it. */
export type StreamAnswer = 'there' | 'not-there' | 'unsaid';

/** Of all streams whose end is not confirmed, this number is looked at. */
const streamsMost = 8;
/** A server notices a lost connection by DTLS at once, or by ICE some seconds later. */
const noticesWithinMs = 3000;
const againAfterMs = 500;

/** Of servers that list nothing, since the last look: what they have not confirmed to have ended. */
export class EndedStreams {
  #reasons = new Set<string>();
  #unconfirmed = new Set<string>();
  #connections = 0;
  /** Whose end the server has not confirmed. */
  #streams = new Set<string>();
  /** Whether it tells a viewer that a stream is not there; absent: not asked yet. */
  #tells: boolean | undefined;

  /** The reason, where it is the first connection that was ended by closing, with it. */
  note(ending: Ending, stream: string): string | undefined {
    if (ending === 'asked') return undefined;
    this.#streams.add(stream);
    if ('unconfirmed' in ending) {
      this.#unconfirmed.add(ending.unconfirmed);
      return undefined;
    }
    const isNew = !this.#reasons.has(ending.byClosing);
    this.#reasons.add(ending.byClosing);
    this.#connections += 1;
    return isNew ? ending.byClosing : undefined;
  }

  /** Looks once more: does a stream still answer viewers, that is, otherwise than one that never was? */
  async look(
    answerOf: (stream: string) => Promise<StreamAnswer>,
    neverThere: string,
    signal: AbortSignal,
  ): Promise<ByClosing | undefined> {
    const streams = [...this.#streams].slice(0, streamsMost);
    const connections = this.#connections;
    const reasons = [...(connections === 0 ? this.#unconfirmed : this.#reasons)];
    for (const list of [this.#reasons, this.#unconfirmed, this.#streams]) list.clear();
    this.#connections = 0;
    if (streams.length === 0) return undefined;
    this.#tells ??= (await answerOf(neverThere)) === 'not-there';
    const still = this.#tells ? await stillThere(answerOf, streams, signal) : 0;
    if (connections === 0 && still === 0) return undefined;
    return { connections, why: reasons.join('; '), ...(this.#tells ? { streams: streams.length, still } : {}) };
  }
}

async function stillThere(
  answerOf: (stream: string) => Promise<StreamAnswer>,
  streams: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  const untilMs = performance.now() + noticesWithinMs;
  for (let left = streams; ; ) {
    const answers = await Promise.all(left.map(answerOf));
    left = left.filter((_, nth) => answers[nth] === 'there');
    if (left.length === 0 || performance.now() + againAfterMs > untilMs) return left.length;
    await pause(againAfterMs, undefined, { signal });
  }
}
