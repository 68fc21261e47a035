/** What comes next on a stream: a packet, or the number of packets in its place that did not come in time. */
export type InOrder<Packet> =
  | { readonly type: 'packet'; readonly packet: Packet }
  | { readonly type: 'skipped'; readonly count: number };

/** A stream's first packets may come out of order, too: it begins so many numbers before the first that came. */
const beforeFirst = 64;
/** Packets that wait at most: a missing one is given up before its time when more have come behind it. */
const waitingMost = 4096;

interface Waiting<Packet> {
  readonly packet: Packet;
  readonly arrivedAtMs: number;
}

/**
 * Puts the packets of one stream in order, by extended sequence number. A missing packet is waited for until
 * `deadlineMs` have passed since the first packet behind it came; then it alone is skipped, and what is there stays.
 * Each packet comes out once, and what comes too late does not come out at all.
 */
export class OrderedPackets<Packet> {
  readonly #deadlineMs: number;
  /** By extended number; a Map keeps the order of arrival, so its first entry is the oldest. */
  readonly #waiting = new Map<number, Waiting<Packet>>();
  #next: number | undefined;
  #begun = false;

  constructor(deadlineMs: number) {
    this.#deadlineMs = deadlineMs;
  }

  /** Takes a packet, and returns all that is now in order. */
  receive(extended: number, packet: Packet, nowMs: number): readonly InOrder<Packet>[] {
    this.#next ??= extended - beforeFirst;
    const before = this.#take((oldest) => nowMs - oldest.arrivedAtMs >= this.#deadlineMs);
    if (extended < this.#next || this.#waiting.has(extended)) return before;
    this.#waiting.set(extended, { packet, arrivedAtMs: nowMs });
    return [...before, ...this.#take(() => this.#waiting.size > waitingMost)];
  }

  /** All that waits, when nothing more will come. */
  flush(): readonly InOrder<Packet>[] {
    return this.#take(() => true);
  }

  /** Something has come out. */
  get begun(): boolean {
    return this.#begun;
  }

  #take(givenUp: (oldest: Waiting<Packet>) => boolean): InOrder<Packet>[] {
    const taken: InOrder<Packet>[] = [];
    let skipped = 0;
    let next = this.#next ?? 0;
    for (;;) {
      const here = this.#waiting.get(next);
      const [oldest] = this.#waiting.values();
      if (oldest === undefined || (here === undefined && !givenUp(oldest))) break;
      if (here === undefined) {
        skipped += 1;
      } else {
        // Before the first packet nothing was missing.
        if (skipped > 0 && this.#begun) taken.push({ type: 'skipped', count: skipped });
        skipped = 0;
        this.#begun = true;
        this.#waiting.delete(next);
        taken.push({ type: 'packet', packet: here.packet });
      }
      next += 1;
    }
    if (this.#next !== undefined) this.#next = next;
    return taken;
  }
}
