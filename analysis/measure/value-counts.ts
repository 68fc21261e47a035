/**
 * Numbers by how often they came, so that their median and percentiles are exact in memory that grows with how many
 * different ones there were and not with how many came. Sorted as they come.
 */
export class ValueCounts {
  private readonly values: number[] = [];
  private readonly counts: number[] = [];
  private total = 0;

  add(value: number): void {
    const at = this.placeOf(value);
    if (this.values[at] === value) this.counts[at] = (this.counts[at] ?? 0) + 1;
    else {
      this.values.splice(at, 0, value);
      this.counts.splice(at, 0, 1);
    }
    this.total += 1;
  }

  /** The middle value; of an even count the mean of the two in the middle. `undefined` of none. */
  median(): number | undefined {
    const middle = Math.floor(this.total / 2);
    const upper = this.ofRank(middle);
    const lower = this.ofRank(this.total % 2 === 0 ? middle - 1 : middle);
    return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
  }

  /** By nearest rank, as `percentile` of a list has it. */
  percentile(percent: number): number | undefined {
    const rank = Math.ceil((percent / 100) * this.total);
    return this.ofRank(Math.max(0, Math.min(this.total, rank) - 1));
  }

  /** In ascending order, the first is 0. */
  private ofRank(rank: number): number | undefined {
    if (rank < 0 || rank >= this.total) return undefined;
    let before = 0;
    for (const [index, count] of this.counts.entries()) {
      before += count;
      if (before > rank) return this.values[index];
    }
    return undefined;
  }

  /** Of the first value that is not smaller. */
  private placeOf(value: number): number {
    let low = 0;
    let high = this.values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.values[middle] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
