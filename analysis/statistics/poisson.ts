/** The chance that a Poisson variable of this mean is `count` or more. */
export function poissonAtLeast(count: number, mean: number): number {
  if (count <= 0) return 1;
  let term = Math.exp(-mean);
  let below = term;
  for (let one = 1; one < count; one += 1) {
    term *= mean / one;
    below += term;
  }
  return Math.max(0, 1 - below);
}
