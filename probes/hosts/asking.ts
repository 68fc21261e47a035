import { setTimeout as sleep } from 'node:timers/promises';
import { type Bus, BusSilence } from './bus.js';

interface Asking {
  readonly withinMs: number;
  /** What was asked is asked again, word for word, when so long nothing came of it. */
  readonly againAfterMs: number;
  readonly signal: AbortSignal;
}

/** Nobody listens for a moment while the bus or the other side comes back. */
const nobodyMs = 250;

/**
 * Asks until there is an answer: what is lost on the way, as when the bus is started anew, is asked again. Whoever
 * answers goes by the id in the text, and does nothing twice (`OnceEach`). Rejects with the last `BusSilence` when the
 * time is over.
 */
export async function ask(bus: Bus, subject: string, text: string, asking: Asking): Promise<string> {
  const { withinMs, againAfterMs, signal } = asking;
  const endMs = performance.now() + withinMs;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = endMs - performance.now();
    try {
      return await bus.request(subject, text, Math.max(1, Math.min(againAfterMs, leftMs)));
    } catch (error) {
      if (!(error instanceof BusSilence) || performance.now() >= endMs) throw error;
      if (error.nobodyThere) await sleep(Math.min(nobodyMs, withinMs), undefined, { signal });
    }
  }
}

const remembered = 10_000;

/** What was asked for once is done once; whoever asks again gets the same answer, when it is there. */
export class OnceEach<Answer> {
  private readonly answers = new Map<string, Promise<Answer>>();

  answer(id: string, work: () => Promise<Answer>): Promise<Answer> {
    const known = this.answers.get(id);
    if (known) return known;
    const answer = work();
    this.answers.set(id, answer);
    if (this.answers.size > remembered) {
      const [oldest] = this.answers.keys();
      if (oldest !== undefined) this.answers.delete(oldest);
    }
    return answer;
  }
}
