/** Waiting this long before the first NACK lets merely reordered packets arrive. */
const reorderMs = 15;
const triesMax = 4;
/** A larger hole is not worth repairing packet by packet: a key frame is asked for instead. */
const holeMax = 200;

interface Gap {
  tries: number;
  dueAtMs: number;
}

/** Which packets of an incoming stream to ask for again (RFC 4585 6.2.1), by extended sequence number. */
export class MissingPackets {
  readonly #gaps = new Map<number, Gap>();
  #highest: number | undefined;

  /** Notes an arrival. Returns true when the hole before it is too large to repair. */
  note(extended: number, nowMs: number): boolean {
    this.#gaps.delete(extended);
    const from = this.#highest;
    if (from !== undefined && extended <= from) return false;
    this.#highest = extended;
    if (from === undefined || extended === from + 1) return false;
    if (extended - from > holeMax) {
      this.#gaps.clear();
      return true;
    }
    for (let missing = from + 1; missing < extended; missing += 1) {
      this.#gaps.set(missing, { tries: 0, dueAtMs: nowMs + reorderMs });
    }
    return false;
  }

  /** Sequence numbers to ask for now, ascending; each is asked for at most four times, at growing intervals. */
  due(nowMs: number): number[] {
    const numbers: number[] = [];
    for (const [extended, gap] of this.#gaps) {
      if (gap.dueAtMs > nowMs) continue;
      if (gap.tries >= triesMax) {
        this.#gaps.delete(extended);
        continue;
      }
      gap.tries += 1;
      gap.dueAtMs = nowMs + 40 * 2 ** gap.tries;
      numbers.push(extended & 0xffff);
    }
    return numbers;
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
