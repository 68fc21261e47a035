/** Exact chances for faults that fall on probes blindly. All counts are of probes. */

interface Draw {
  readonly all: number;
  readonly failing: number;
  readonly group: number;
  /** Failing ones in the group. */
  readonly hit: number;
}

/** The chance of `hit` or more failing probes in a group: the upper tail of the hypergeometric distribution. */
export function hypergeometricTail({ all, failing, group, hit }: Draw): number {
  let sum = 0;
  for (let count = hit; count <= Math.min(group, failing); count += 1) sum += drawChance(all, failing, group, count);
  return Math.min(1, sum);
}

interface WholeDraw {
  /** Probes of each group. */
  readonly sizes: readonly number[];
  readonly all: number;
  readonly failing: number;
  /** Groups of which every probe fails. */
  readonly whole: number;
}

/** The chance that so many groups, or more, fail to the last probe. */
export function wholeGroupsTail({ sizes, all, failing, whole }: WholeDraw): number {
  return sizes.every((size) => size === 2)
    ? wholePairsTail(sizes.length, failing, whole)
    : wholeAnyTail(sizes, all, failing, whole);
}

/** Of `pairs`, choose the whole ones, then the half ones, then which half of each. */
function wholePairsTail(pairs: number, failing: number, whole: number): number {
  let sum = 0;
  for (let count = whole; 2 * count <= failing; count += 1) {
    const half = failing - 2 * count;
    if (half > pairs - count) continue;
    const ways = logChoose(pairs, count) + logChoose(pairs - count, half) + half * Math.LN2;
    sum += Math.exp(ways - logChoose(2 * pairs, failing));
  }
  return Math.min(1, sum);
}

/** Each group draws its failing probes from those that are left; kept is how many groups are whole so far. */
function wholeAnyTail(sizes: readonly number[], all: number, failing: number, whole: number): number {
  let left = all;
  /** chances[failing left][whole groups so far]; the last column stands for `whole` and more. */
  let chances = table(failing, whole);
  setCell(chances, failing, 0, 1);
  for (const size of sizes) {
    const next = table(failing, whole);
    for (let remaining = 0; remaining <= failing; remaining += 1) {
      for (let hit = 0; hit <= Math.min(size, remaining); hit += 1) {
        const chance = drawChance(left, remaining, size, hit);
        if (chance > 0) pass(chances, next, { remaining, hit, isWhole: hit === size && size > 1, chance, whole });
      }
    }
    chances = next;
    left -= size;
  }
  return Math.min(1, chances[0]?.[whole] ?? 0);
}

interface Passing {
  readonly remaining: number;
  readonly hit: number;
  readonly isWhole: boolean;
  readonly chance: number;
  readonly whole: number;
}

function pass(from: number[][], to: number[][], { remaining, hit, isWhole, chance, whole }: Passing): void {
  const row = from[remaining] ?? [];
  row.forEach((known, count) => {
    if (known > 0) setCell(to, remaining - hit, Math.min(whole, count + (isWhole ? 1 : 0)), known * chance);
  });
}

function table(rows: number, columns: number): number[][] {
  return Array.from({ length: rows + 1 }, () => new Array<number>(columns + 1).fill(0));
}

function setCell(cells: number[][], row: number, column: number, add: number): void {
  const line = cells[row];
  if (line) line[column] = (line[column] ?? 0) + add;
}

/** Of `all` probes `failing` are bad; the chance that a group of `group` has `hit` of them. */
function drawChance(all: number, failing: number, group: number, hit: number): number {
  const good = group - hit;
  if (hit > failing || good > all - failing || good < 0) return 0;
  return Math.exp(logChoose(failing, hit) + logChoose(all - failing, good) - logChoose(all, group));
}

function logChoose(n: number, k: number): number {
  return logFactorial(n) - logFactorial(k) - logFactorial(n - k);
}

/** Exact up to 255, then Stirling's series, whose first term left out is below 1e-17 there. */
function logFactorial(n: number): number {
  if (n < smallFactorials.length) return smallFactorials[n] ?? 0;
  return n * Math.log(n) - n + Math.log(2 * Math.PI * n) / 2 + 1 / (12 * n) - 1 / (360 * n ** 3) + 1 / (1260 * n ** 5);
}

const smallFactorials: readonly number[] = (() => {
  const logs = [0];
  for (let n = 1; n < 256; n += 1) logs.push((logs[n - 1] ?? 0) + Math.log(n));
  return logs;
})();
