/** Waiting this long before the first NACK lets merely reordered packets arrive. */
const reorderMs = 15;
/** Each try has a little more than a round trip to be answered; until that is known, this (as libwebrtc, mediasoup). */
const unknownRoundTripMs = 100;
const leastRoundTripMs = 20;
const graceMs = 10;
/** As libwebrtc and mediasoup. */
const triesMax = 10;
/** What three tries did not bring in this time is not waited for: a key frame comes sooner over a long way. */
const patienceMs = 1000;
const triesLeast = 3;
/** A larger hole is not worth repairing packet by packet: a key frame is asked for instead. */
const holeMax = 200;
/** So many missing packets in all are a broken link. As libwebrtc and mediasoup. */
const gapsMax = 1000;

interface Gap {
  readonly sinceMs: number;
  tries: number;
  dueAtMs: number;
}

/** What is to be asked for again now, and what is no longer. */
interface DueRepairs {
  /** Sequence numbers, ascending. */
  readonly numbers: readonly number[];
  /** Packets that were asked for often enough: only a key frame helps. */
  readonly givenUp: number;
}

/** Which packets of an incoming stream to ask for again (RFC 4585 6.2.1), by extended sequence number. */
export class MissingPackets {
  readonly #gaps = new Map<number, Gap>();
  #highest: number | undefined;

  /** Notes an arrival. Returns true when the hole before it is too large to repair. */
  note(extended: number, nowMs: number): boolean {
    if (this.#gaps.size > 0) this.#gaps.delete(extended);
    const from = this.#highest;
    if (from !== undefined && extended <= from) return false;
    this.#highest = extended;
    if (from === undefined || extended === from + 1) return false;
    if (extended - from > holeMax || this.#gaps.size + extended - from > gapsMax) {
      this.#gaps.clear();
      return true;
    }
    for (let missing = from + 1; missing < extended; missing += 1) {
      this.#gaps.set(missing, { sinceMs: nowMs, tries: 0, dueAtMs: nowMs + reorderMs });
    }
    return false;
  }

  /** To be called when `nextDueAtMs` says, with the round trip to the sender; `undefined` while that is unknown. */
  due(nowMs: number, roundTripMs?: number): DueRepairs {
    const againMs = Math.max(leastRoundTripMs, roundTripMs ?? unknownRoundTripMs) + graceMs;
    const numbers: number[] = [];
    let givenUp = 0;
    for (const [extended, gap] of this.#gaps) {
      if (gap.dueAtMs > nowMs) continue;
      if (gap.tries >= triesMax || (gap.tries >= triesLeast && nowMs - gap.sinceMs >= patienceMs)) {
        this.#gaps.delete(extended);
        givenUp += 1;
        continue;
      }
      gap.tries += 1;
      gap.dueAtMs = nowMs + againMs;
      numbers.push(extended & 0xffff);
    }
    return { numbers, givenUp };
  }

  get any(): boolean {
    return this.#gaps.size > 0;
  }

  /** When `due` has something to say next; `undefined` when nothing is missing. */
  nextDueAtMs(): number | undefined {
    let earliest: number | undefined;
    for (const gap of this.#gaps.values()) {
      if (earliest === undefined || gap.dueAtMs < earliest) earliest = gap.dueAtMs;
    }
    return earliest;
  }
}
