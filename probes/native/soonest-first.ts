/** Things that are due, the soonest first: a binary heap, in which none is due before the one in place (n - 1) / 2. */
export class SoonestFirst<T> {
  readonly #heap: T[] = [];
  readonly #dueAt: (one: T) => number;

  constructor(dueAt: (one: T) => number) {
    this.#dueAt = dueAt;
  }

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
    const [one, other] = [this.#heap[a], this.#heap[b]];
    return one !== undefined && other !== undefined && this.#dueAt(one) > this.#dueAt(other);
  }

  #swapIfLater(a: number, b: number): boolean {
    const [one, other] = [this.#heap[a], this.#heap[b]];
    if (one === undefined || other === undefined || this.#dueAt(one) <= this.#dueAt(other)) return false;
    this.#heap[a] = other;
    this.#heap[b] = one;
    return true;
  }
}
