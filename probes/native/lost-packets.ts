/** While the round trip is unknown it is taken for this, as by libwebrtc. */
const unknownRoundTripMs = 100;
/** As libwebrtc. */
const triesMax = 10;
/** So many missing packets in all are a broken link. As libwebrtc. */
const gapsMax = 1_000;
/** How often it is looked for what is due. As libwebrtc. */
export const dueEveryMs = 20;

interface Gap {
  tries: number;
  askedAtMs: number;
}

/**
 * Which packets of a stream a browser would ask for again, and when: a missing one at once, or, once packets have
 * overtaken each other, within 20 ms; and again after each round trip, ten times in all, by which it is given up
 * without a word. Not as servers do it (`MissingPackets`): what many participants ask for is load, and has to be what
 * browsers would ask for. By extended sequence number.
 */
export class LostPackets {
  readonly #gaps = new Map<number, Gap>();
  #highest: number | undefined;
  /** Packets overtook each other, or were resent in this stream: a missing one may still come by itself. */
  #isOvertaken = false;

  /** Notes an arrival: what is to be asked for at once, or `too-many` when only a key frame helps. */
  note(extended: number, nowMs: number): readonly number[] | 'too-many' | undefined {
    const from = this.#highest;
    if (from !== undefined && extended <= from) {
      this.#gaps.delete(extended);
      if (extended < from) this.#isOvertaken = true;
      return undefined;
    }
    this.#highest = extended;
    if (from === undefined || extended === from + 1) return undefined;
    if (this.#gaps.size + extended - from - 1 > gapsMax) {
      this.#gaps.clear();
      return 'too-many';
    }
    for (let missing = from + 1; missing < extended; missing += 1)
      this.#gaps.set(missing, { tries: 0, askedAtMs: Number.NEGATIVE_INFINITY });
    return this.#isOvertaken ? undefined : this.#ask(nowMs, 0);
  }

  /** To be asked before an arrival is noted. */
  wasAskedFor(extended: number): boolean {
    return (this.#gaps.get(extended)?.tries ?? 0) > 0;
  }

  /** One that came as a packet of a stream for resending (RFC 4588), which overtakes nothing. */
  recovered(extended: number): void {
    this.#gaps.delete(extended);
  }

  /** What is to be asked for now, ascending; to be called every `dueEveryMs` while there is any. */
  due(nowMs: number, roundTripMs = unknownRoundTripMs): readonly number[] {
    return this.#ask(nowMs, roundTripMs);
  }

  #ask(nowMs: number, againMs: number): readonly number[] {
    const numbers: number[] = [];
    for (const [extended, gap] of this.#gaps) {
      const isNew = gap.tries === 0;
      // At once only what was never asked for.
      if (againMs === 0 ? !isNew : nowMs - gap.askedAtMs < againMs) continue;
      gap.tries += 1;
      gap.askedAtMs = nowMs;
      numbers.push(extended & 0xffff);
      if (gap.tries >= triesMax) this.#gaps.delete(extended);
    }
    return numbers;
  }

  /** What is before is of no use any more. */
  clearBefore(extended: number): void {
    for (const missing of this.#gaps.keys()) if (missing < extended) this.#gaps.delete(missing);
  }

  get any(): boolean {
    return this.#gaps.size > 0;
  }
}
