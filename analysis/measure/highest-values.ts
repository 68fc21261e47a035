/**
 * Numbers of which only a high percentile is asked for: as many of the highest are kept as that can come to need. So it
 * is exact, in a small part of the memory of all.
 */
export class HighestValues {
  /** In ascending order. */
  private readonly highest: number[] = [];
  private readonly most: number;
  private total = 0;

  /** @param mostCount no more values than that can come; of more the percentile may be unknown */
  constructor(
    private readonly percent: number,
    mostCount: number,
  ) {
    this.most = Number.isFinite(mostCount)
      ? Math.max(2, mostCount - this.rankIn(mostCount) + 1)
      : Number.POSITIVE_INFINITY;
  }

  add(value: number): void {
    const { highest } = this;
    this.total += 1;
    const isFull = highest.length >= this.most;
    if (isFull && value <= (highest[0] ?? 0)) return;
    let place = highest.length;
    while (place > 0 && (highest[place - 1] ?? 0) > value) place -= 1;
    highest.splice(place, 0, value);
    if (isFull) highest.shift();
  }

  /** The same, but never the single highest: one odd value of few is no twentieth of them. */
  percentileOfSeveral(): number | undefined {
    return this.total < 2 ? undefined : this.at(Math.min(this.rankIn(this.total), this.total - 1));
  }

  /** By nearest rank, as `percentile` of a list has it. `undefined` of none, and where it is no longer known. */
  percentile(): number | undefined {
    return this.at(this.rankIn(this.total));
  }

  private at(rank: number): number | undefined {
    return this.highest[this.highest.length - 1 - (this.total - rank)];
  }

  /** Which value of so many it is, the lowest is 1. */
  private rankIn(count: number): number {
    return Math.max(1, Math.min(count, Math.ceil((this.percent / 100) * count)));
  }
}
