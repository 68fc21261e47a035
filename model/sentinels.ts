import { groupedBy } from './grouped.js';
import type { Participant } from './scenario.js';
import { drawn, seededRandom } from './seeded-random.js';

/** Browsers among probes without one: so many, or a share of those who receive. */
export type Sentinels = number | `${number}%`;

/**
 * Fewer browsers say nothing of their stratum: the judge compares medians of three (docs/lab/native-probes.md).
 */
export const sentinelsOfStratum = 3;
const sentinelsLeast = 4;
/**
 * Who receives notices something: of them some are browsers. Who only sends has nothing to notice, and no browser
 * speaks in turns.
 */
export function canJudge({ legs, turns }: Participant): boolean {
  return turns === undefined && legs.some(({ receives }) => receives.length > 0);
}

/** Sentinels per stratum of who could judge: its share of what was asked, at least three, or all. */
export function sentinelsOf(strata: readonly number[], sentinels: Sentinels): readonly number[] {
  const able = strata.reduce((sum, count) => sum + count, 0);
  const asked = typeof sentinels === 'number' ? sentinels : Math.ceil((able * Number.parseFloat(sentinels)) / 100);
  const wanted = Math.max(sentinelsLeast, asked);
  return strata.map((count) =>
    Math.min(count, Math.max(sentinelsOfStratum, Math.ceil((count * wanted) / Math.max(1, able)))),
  );
}

interface SentinelDraw {
  readonly sentinels: Sentinels;
  /** The same seed draws the same sentinels. */
  readonly seed: number;
  /** Absent: all are on one host. */
  readonly hostOf?: ReadonlyMap<string, string>;
}

/**
 * The participants without a browser: all but the sentinels. These are drawn by chance within each role
 * on each network and host: whatever is regular in the list of participants cannot leave one of those without any.
 */
export function withoutBrowser(
  participants: readonly Participant[],
  { sentinels, seed, hostOf }: SentinelDraw,
): ReadonlySet<string> {
  const strata = groupedBy(participants.filter(canJudge), ({ id, role, network }) =>
    JSON.stringify([role, network, hostOf?.get(id)]),
  );
  const groups = [...strata.values()].map((stratum) => stratum.map(({ id }) => id));
  const counts = sentinelsOf(
    groups.map(({ length }) => length),
    sentinels,
  );
  const random = seededRandom(seed);
  const browsers = new Set(groups.flatMap((ids, index) => drawn(ids, counts[index] ?? 0, random)));
  return new Set(participants.flatMap((one) => (browsers.has(one.id) ? [] : one.id)));
}
