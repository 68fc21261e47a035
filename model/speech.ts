import { seededRandom } from './seeded-random.js';
import { hashOfText, spread } from './text-hash.js';

/** The place of one voice in a conversation: it speaks when the conversation has it speak. */
export interface Speech {
  /** The same for all voices: what the pattern is made of. */
  readonly conversation: string;
  readonly voices: number;
  /** From 0 on. */
  readonly nth: number;
  /** By how much the clock of whoever plays it is ahead of the conductor's; absent: it is the same clock. */
  readonly aheadMs?: number;
}

export const speechPatterns = ['p59'] as const;

/** ITU-T P.59: means of how long one speaks alone, two at once, and nobody; each is distributed exponentially. */
const meanMs = { single: 854, double: 226, silence: 456 } as const;
/** The same: how often somebody breaks in on who speaks, instead of waiting for the end. */
const breakingIn = 0.4;
/** After that long the pattern begins anew, on the wall clock: who comes late finds it as the others do. */
const cycleMs = 120_000;

/** When one voice speaks. Times are of the clock of whoever asks. */
export class Voice {
  /** When each spurt of talk begins and ends, in the cycle. */
  readonly #spurts: Int32Array;
  readonly #aheadMs: number;

  constructor(speech: Speech) {
    this.#spurts = Int32Array.from(spurtsOf(speech));
    this.#aheadMs = speech.aheadMs ?? 0;
  }

  speaks(atMs: number): boolean {
    return this.#edgesUntil(this.#inCycle(atMs)) % 2 === 1;
  }

  /** How long it is until it begins or ends to speak, at most a cycle. */
  untilChangeMs(atMs: number): number {
    const inCycle = this.#inCycle(atMs);
    return (this.#spurts[this.#edgesUntil(inCycle)] ?? cycleMs) - inCycle;
  }

  /** How long it speaks in this time. */
  spokenMs(fromMs: number, untilMs: number): number {
    return this.#spokenUntil(untilMs - this.#aheadMs) - this.#spokenUntil(fromMs - this.#aheadMs);
  }

  #inCycle(atMs: number): number {
    return (((atMs - this.#aheadMs) % cycleMs) + cycleMs) % cycleMs;
  }

  /** How many beginnings and ends are at this time or before it. */
  #edgesUntil(inCycle: number): number {
    let [low, high] = [0, this.#spurts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#spurts[middle] ?? 0) <= inCycle) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #spokenUntil(atMs: number): number {
    const cycles = Math.floor(atMs / cycleMs);
    const inCycle = atMs - cycles * cycleMs;
    return cycles * this.#spokenInCycle(cycleMs) + this.#spokenInCycle(inCycle);
  }

  #spokenInCycle(untilMs: number): number {
    let sum = 0;
    for (let nth = 0; nth < this.#spurts.length; nth += 2) {
      const [from = 0, to = 0] = [this.#spurts[nth], this.#spurts[nth + 1]];
      if (from >= untilMs) break;
      sum += Math.min(to, untilMs) - from;
    }
    return sum;
  }
}

/** One who speaks alone, both of two who do, or none. */
type State = readonly number[];

/**
 * The model of ITU-T P.59 for two voices: one of them, both, or nobody. Of more voices, too, there is one conversation:
 * who goes on after silence, or breaks in, is any of them.
 */
function* spurtsOf({ conversation, voices, nth }: Speech): Generator<number> {
  const random = seededRandom(spread(hashOfText(conversation)));
  const any = (but?: number): number => {
    const drawn = Math.floor(random() * (but === undefined ? voices : voices - 1));
    return but !== undefined && drawn >= but ? drawn + 1 : drawn;
  };
  const after = (state: State): State => {
    const [first, second] = state;
    if (first === undefined) return [any()];
    if (second !== undefined) return [random() < 0.5 ? first : second];
    return random() < breakingIn ? [first, any(first)] : [];
  };
  let state: State = [];
  let wasSpeaking = false;
  for (let atMs = 0; atMs < cycleMs; ) {
    const isSpeaking = state.includes(nth);
    if (isSpeaking !== wasSpeaking) yield Math.round(atMs);
    wasSpeaking = isSpeaking;
    const mean = [meanMs.silence, meanMs.single, meanMs.double][state.length] ?? 0;
    atMs -= mean * Math.log(1 - random());
    state = after(state);
  }
  if (wasSpeaking) yield cycleMs;
}
