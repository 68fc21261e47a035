/** What is due at a time, which may change while it is the first. */
export interface Due {
  readonly dueMs: number;
}

/** Things that are due, the soonest first: a binary heap, in which none is due before the one in place (n - 1) / 2. */
export class SoonestFirst<T extends Due> {
  readonly #heap: T[] = [];

  get first(): T | undefined {
    return this.#heap[0];
  }

  add(one: T): void {
    this.#heap.push(one);
    for (let at = this.#heap.length - 1; at > 0; ) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfLater(above, at)) return;
      at = above;
    }
  }

  removeFirst(): void {
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return;
    this.#heap[0] = last;
    this.sinkFirst();
  }

  /** To be called when the first one is due later than it was. */
  sinkFirst(): void {
    for (let at = 0; ; ) {
      const left = 2 * at + 1;
      const child = this.#isLater(left, left + 1) ? left + 1 : left;
      if (!this.#swapIfLater(at, child)) return;
      at = child;
    }
  }

  #isLater(a: number, b: number): boolean {
    const one = this.#heap[a];
    const other = this.#heap[b];
    return one !== undefined && other !== undefined && one.dueMs > other.dueMs;
  }

  #swapIfLater(a: number, b: number): boolean {
    const one = this.#heap[a];
    const other = this.#heap[b];
    if (one === undefined || other === undefined || one.dueMs <= other.dueMs) return false;
    this.#heap[a] = other;
    this.#heap[b] = one;
    return true;
  }
}
