/**
 * Numbers by how often they came, so that their median is exact in memory that grows with how many different ones there
 * were and not with how many came. Sorted as they come. Of most streams all are the same.
 */
export class ValueCounts {
  private first: number | undefined;
  private sorted: { readonly values: number[]; readonly counts: number[] } | undefined;
  private total = 0;

  add(value: number): void {
    this.first ??= value;
    if (value !== this.first) this.sorted ??= { values: [this.first], counts: [this.total] };
    this.total += 1;
    if (this.sorted) countIn(this.sorted, value);
  }

  /** The middle value; of an even count the mean of the two in the middle. `undefined` of none. */
  median(): number | undefined {
    const middle = Math.floor(this.total / 2);
    const upper = this.ofRank(middle);
    const lower = this.ofRank(this.total % 2 === 0 ? middle - 1 : middle);
    return upper === undefined || lower === undefined ? undefined : (upper + lower) / 2;
  }

  /** In ascending order, the first is 0. */
  private ofRank(rank: number): number | undefined {
    const { sorted, total, first } = this;
    if (rank < 0 || rank >= total) return undefined;
    if (!sorted) return first;
    let before = 0;
    for (const [index, count] of sorted.counts.entries()) {
      before += count;
      if (before > rank) return sorted.values[index];
    }
    return undefined;
  }
}

function countIn({ values, counts }: { readonly values: number[]; readonly counts: number[] }, value: number): void {
  const at = placeOf(values, value);
  if (values[at] === value) counts[at] = (counts[at] ?? 0) + 1;
  else {
    values.splice(at, 0, value);
    counts.splice(at, 0, 1);
  }
}

/** Of the first value that is not smaller. */
function placeOf(values: readonly number[], value: number): number {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
