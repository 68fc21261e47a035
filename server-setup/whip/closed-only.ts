import { setTimeout as pause } from 'node:timers/promises';
import type { ByClosing } from '../../model/reset-proof.js';
import type { WhipProtocol } from './credentials.js';
import type { Ending } from './ending.js';
import { askWithoutOffer, type KnownEndpoint } from './endpoint.js';

/** Of all streams that were ended by closing, this number is looked at. */
const streamsMost = 8;
/** A server notices a lost connection by DTLS at once, or by ICE some seconds later. */
const noticesWithinMs = 3000;
const againAfterMs = 500;
const noSuchSession = 'it knows no session at its own Location';

/** Since the last look: what the server was not asked, or not able, to end. */
export class ClosedOnly {
  #reasons = new Set<string>();
  #connections = 0;
  /** Whose end the server has not confirmed. */
  #streams = new Set<string>();
  /** Whether it tells a viewer that a stream is not there; absent: not asked yet. */
  #tells: boolean | undefined;

  /** The reason, where it is the first connection with it. */
  note(ending: Ending, way: WhipProtocol, stream: string): string | undefined {
    if (ending === 'asked') return undefined;
    // 404 is also said by a server that has no such address.
    if (way === 'whip' || ending !== 'before') this.#streams.add(stream);
    if (ending === 'before') return undefined;
    const isNew = !this.#reasons.has(ending.byClosing);
    this.#reasons.add(ending.byClosing);
    this.#connections += 1;
    return isNew ? ending.byClosing : undefined;
  }

  /** Looks once more: does a stream still answer viewers, that is, otherwise than one that never was? */
  async look(whep: KnownEndpoint, neverThere: string, signal: AbortSignal): Promise<ByClosing | undefined> {
    const streams = [...this.#streams].slice(0, streamsMost);
    const connections = this.#connections;
    const reasons = [...this.#reasons];
    this.#reasons = new Set();
    this.#streams = new Set();
    this.#connections = 0;
    if (streams.length === 0) return undefined;
    this.#tells ??= (await answerOf(whep, neverThere, signal)) === 'not-there';
    const still = this.#tells ? await stillThere(whep, streams, signal) : 0;
    if (connections === 0 && still === 0) return undefined;
    const why = connections === 0 ? noSuchSession : reasons.join('; ');
    return { connections, why, ...(this.#tells ? { streams: streams.length, still } : {}) };
  }
}

async function stillThere(whep: KnownEndpoint, streams: readonly string[], signal: AbortSignal): Promise<number> {
  const untilMs = performance.now() + noticesWithinMs;
  for (let left = streams; ; ) {
    const answers = await Promise.all(left.map((stream) => answerOf(whep, stream, signal)));
    left = left.filter((_, nth) => answers[nth] === 'there');
    if (left.length === 0 || performance.now() + againAfterMs > untilMs) return left.length;
    await pause(againAfterMs, undefined, { signal });
  }
}

/** What it says of a stream to who asks for it without an offer. */
async function answerOf(whep: KnownEndpoint, stream: string, signal: AbortSignal) {
  const status = await askWithoutOffer(whep, stream, signal).then(
    (answer) => answer.status,
    () => undefined,
  );
  signal.throwIfAborted();
  if (status === 404 || status === 409 || status === 410) return 'not-there';
  return status === undefined || status === 429 || status >= 500 ? 'unsaid' : 'there';
}
