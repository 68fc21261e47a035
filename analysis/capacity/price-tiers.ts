/** A step of a price: so much for each GB up to a monthly total; the last step has no end. */
interface PriceStep {
  readonly upToGb?: number | undefined;
  readonly perGb: number;
}

/** What so many GB of one month cost: each part at the price of its own step, as providers bill. */
export function tieredCost(gigabytes: number, steps: readonly PriceStep[]): number {
  let cost = 0;
  let from = 0;
  for (const { upToGb = Number.POSITIVE_INFINITY, perGb } of steps) {
    cost += Math.max(0, Math.min(gigabytes, upToGb) - from) * perGb;
    from = upToGb;
  }
  return cost;
}
