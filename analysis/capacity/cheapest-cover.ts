/** A kind of host: how many units one carries, and what it costs in an hour. */
export interface HostOption {
  readonly hostType: string;
  readonly perHost: number;
  readonly perHour: number;
}

export interface Cover {
  /** By the index of the option. */
  readonly counts: readonly number[];
  readonly perHour: number;
  /** False where the table was too small to look at every mix; then it is a good one, and a cheaper one may exist. */
  readonly isCheapest: boolean;
}

/** Entries of a table: two numbers each. */
const largestTable = 2_000_000;

/**
 * The cheapest mix of hosts that carries so many units, for any number of units. Of the option that is cheapest by the
 * unit (one carries c units) all but a remainder is filled: among c hosts of other kinds some always carry a multiple
 * of c together, for of c running sums modulo c two are equal or one is zero, and the cheapest option carries that for
 * no more. So fewer than c others are ever needed, and a table of what they can carry is enough.
 */
export function cheapestCovers(options: readonly HostOption[], mostUnits: number): (units: number) => Cover {
  const best = cheapestByUnit(options);
  const c = options[best]?.perHost ?? 1;
  const largest = Math.max(...options.map(({ perHost }) => perHost));
  const othersCarry = (c - 1) * largest;
  const table = coverTable(options, Math.min(mostUnits, othersCarry, largestTable));
  return (units) => {
    const filled = Math.max(0, Math.ceil((units - table.units) / c));
    const rest = Math.max(0, units - filled * c);
    const counts = options.map((_, index) => (index === best ? filled : 0));
    for (let left = rest; left > 0; ) {
      const taken = table.choice[left] ?? 0;
      counts[taken] = (counts[taken] ?? 0) + 1;
      left -= options[taken]?.perHost ?? left;
    }
    return { counts, perHour: perHourOf(options, counts), isCheapest: filled === 0 || table.units >= othersCarry };
  };
}

function cheapestByUnit(options: readonly HostOption[]): number {
  const costs = options.map(({ perHour, perHost }) => perHour / perHost);
  return costs.indexOf(Math.min(...costs));
}

interface Table {
  readonly units: number;
  /** The option of one host of the cheapest cover of each number of units. */
  readonly choice: Uint8Array;
}

function coverTable(options: readonly HostOption[], units: number): Table {
  const cost = new Float64Array(units + 1);
  const choice = new Uint8Array(units + 1);
  for (let left = 1; left <= units; left += 1) {
    let least = Number.POSITIVE_INFINITY;
    for (const [index, { perHost, perHour }] of options.entries()) {
      const total = perHour + (cost[Math.max(0, left - perHost)] ?? 0);
      if (total >= least) continue;
      least = total;
      choice[left] = index;
    }
    cost[left] = least;
  }
  return { units, choice };
}

export function perHourOf(options: readonly HostOption[], counts: readonly number[]): number {
  return options.reduce((sum, { perHour }, index) => sum + perHour * (counts[index] ?? 0), 0);
}
