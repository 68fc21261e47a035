import { seededRandom } from '../../model/seeded-random.js';
import { those } from '../../model/those.js';

export type Release = 'before' | 'after';

/** A run of one of two releases; lists of them are in the order of time. */
export interface ReleaseRun {
  readonly release: Release;
}

interface Pair<Run extends ReleaseRun> {
  readonly before: Run;
  readonly after: Run;
  readonly first: Release;
}

/**
 * Neighbours in time, one of each release: what drifts slowly was about the same for both. By the order alone, and not
 * by what was measured. A run whose neighbours are of its own release, or in a pair already, is in none.
 */
export function pairsInTime<Run extends ReleaseRun>(runs: readonly Run[]): readonly Pair<Run>[] {
  const pairs: Pair<Run>[] = [];
  for (let index = 0; index + 1 < runs.length; index += 1) {
    const [one, next] = [runs[index], runs[index + 1]];
    if (!one || !next || one.release === next.release) continue;
    const isBefore = one.release === 'before';
    pairs.push({ before: isBefore ? one : next, after: isBefore ? next : one, first: one.release });
    index += 1;
  }
  return pairs;
}

/** Which release runs first in each pair, by a coin for each: then the exact test of pairs holds whatever drifts. */
export function drawnOrder(pairs: number, seed: number): readonly Release[] {
  const random = seededRandom(seed);
  return Array.from({ length: pairs }, () => (random() < 0.5 ? 'before' : 'after'));
}

/** Why the test may not hold; whole sentences. `tag` is of the earlier release. */
export function orderCautions(
  runs: readonly ReleaseRun[],
  pairs: readonly Pair<ReleaseRun>[],
  arePaired: boolean,
  tag: string,
): string[] {
  const plan = `Run them in turns: loadline compare --plan 8 --baseline ${tag}`;
  const changes = runs.filter(({ release }, index) => index > 0 && release !== runs[index - 1]?.release).length;
  if (!arePaired) {
    const how =
      changes === 1
        ? `All runs of ${runs[0]?.release === 'before' ? `${tag} came before those checked` : `the release that is checked came before those of ${tag}`}`
        : `${pairs.length === 1 ? '1 pair' : `${pairs.length} pairs`} of neighbours in time are too few for a test of pairs, so all runs of ${tag} are compared with all others`;
    return [
      `${how}: what drifted meanwhile counts as a change, and the chance of error holds only if runs do not depend on those before them. ${plan}.`,
    ];
  }
  const alone = runs.length - 2 * pairs.length;
  const [one] = pairs;
  const isOneWay = pairs.length > 3 && pairs.every(({ first }) => first === one?.first);
  return those(
    alone > 0 &&
      `${alone === 1 ? '1 run has' : `${alone} runs have`} no neighbour of the other release, and no part in this.`,
    isOneWay &&
      `In each pair ${one?.first === 'before' ? tag : 'the release that is checked'} ran first: a steady drift counts as a change. ${plan} draws who is first.`,
  );
}
