type Random = () => number;

/** Normal, with a deviation of 1 (Box and Muller's). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Each keeps so much of the one before (AR(1)), with a deviation of 1. */
export function noise(keeps: number, random: Random): () => number {
  let now = normal(random);
  return () => {
    now = keeps * now + Math.sqrt(1 - keeps ** 2) * normal(random);
    return now;
  };
}
