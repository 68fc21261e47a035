import { chanceAbove, leastChance } from '../statistics/permutation.js';
import type { OverRounds, RoundValue } from './rounds.js';

/** A server of a table, as ranks see it. */
interface Ranked {
  readonly server: string;
  readonly values: readonly RoundValue[];
  readonly limit: OverRounds | undefined;
}

export interface Ranks {
  /** Those that were shown to hold more than another. */
  readonly above: readonly { readonly server: string; readonly than: string; readonly chance: number }[];
  /** Pairs that were compared. */
  readonly pairs: number;
  /** With fewer rounds no difference, however large, is shown at this chance of error. */
  readonly roundsNeeded: number;
  readonly isTooFew: boolean;
}

/**
 * Who holds more than whom. A pair is ranked where its intervals part and Fisher's exact test of the rounds says so,
 * at a chance of error over all pairs of the table together (S. Holm, 1979). So tables of equal servers name a
 * difference at most that often. All rounds of one server are dealt with all of another: the schedule interleaves
 * them, so what drifts from round to round is in both, and makes the test more careful.
 */
export function ranksOf(servers: readonly Ranked[], chance: number): Ranks {
  const compared = servers.filter(({ values }) => values.length > 0);
  const pairs = compared.flatMap((one, nth) => compared.slice(nth + 1).map((other) => pairOf(one, other)));
  const inOrder = [...pairs].sort((a, b) => a.chance - b.chance);
  const above: Ranks['above'][number][] = [];
  for (const [nth, { higher, lower, chance: seen }] of inOrder.entries()) {
    if (seen > chance / (pairs.length - nth)) break;
    if (isApart(higher, lower)) above.push({ server: higher.server, than: lower.server, chance: seen });
  }
  const roundsNeeded = roundsToRank(servers.length, chance);
  const isTooFew = pairs.every(
    ({ higher, lower }) => 2 * leastChance(higher.values.length, lower.values.length) > chance / pairs.length,
  );
  return { above, pairs: pairs.length, roundsNeeded, isTooFew: pairs.length > 0 && isTooFew };
}

/** So many rounds at least, for a table of so many servers. */
export function roundsToRank(servers: number, chance: number): number {
  const pairs = (servers * (servers - 1)) / 2;
  let rounds = 1;
  while (pairs > 0 && 2 * leastChance(rounds, rounds) > chance / pairs) rounds += 1;
  return rounds;
}

/** Which of the two is higher is seen and not asked, so both ways count. */
function pairOf(one: Ranked, other: Ranked) {
  const values = ({ values: rounds }: Ranked) => rounds.map(({ value }) => value);
  const [up, down] = [chanceAbove(values(one), values(other)), chanceAbove(values(other), values(one))];
  const [higher, lower] = up <= down ? [one, other] : [other, one];
  return { higher, lower, chance: Math.min(1, 2 * Math.min(up, down)) };
}

/** Of a server whose probes ran out nothing says that it holds less. */
function isApart({ limit: higher }: Ranked, { limit: lower, values }: Ranked): boolean {
  if (!higher || !lower || lower.high === null || values.some(({ high }) => high === null)) return false;
  return higher.low > lower.high;
}

/** "1", or "2 to 3" where what is shown leaves that open. */
export function placesOf(server: string, servers: readonly string[], { above }: Ranks): readonly [number, number] {
  const better = above.filter(({ than }) => than === server).length;
  const worse = above.filter((one) => one.server === server).length;
  return [1 + better, servers.length - worse];
}
