import { pairsNeeded } from '../compare/release-check.js';
import { releaseMarkNames } from '../compare/release-marks.js';
import type { Release } from '../compare/run-order.js';
import { leastChanceOfSigns } from '../statistics/permutation.js';
import { numberNear, shellLine } from '../wording/wording.js';
import { wrap } from './layout.js';

/** In which order two releases are to run: the document of `loadline compare --plan --format json`. */
export interface RunOrderPlan {
  readonly seed: number;
  readonly chance: number;
  /** The tag of the earlier release. */
  readonly earlier: string;
  /** Of each pair, which release runs first. */
  readonly first: readonly Release[];
}

export function planText({ seed, chance, earlier, first }: RunOrderPlan): string {
  const width = Math.max(earlier.length, 'new'.length, 'first'.length) + 3;
  const row = (...[pair = '', one = '', other = '']: readonly string[]) =>
    `    ${pair.padStart(4)}   ${one.padEnd(width)}${other}`.trimEnd();
  const rows = first.map((release, index) => {
    const both = release === 'before' ? [earlier, 'new'] : ['new', earlier];
    return row(String(index + 1), ...both);
  });
  // Another tag than an earlier comparison gave: by a tag all its runs are compared.
  const later = earlier === 'before' ? 'after' : `after-${earlier}`;
  return [
    '',
    ...wrap(
      `${first.length} pairs of runs, one after the other. Which release is first in each pair was drawn (--seed ${seed}).`,
      2,
    ),
    '',
    row('pair', 'first', 'then'),
    ...rows,
    '',
    ...wrap(
      `Each is a whole loadline find, ${earlier} with --tag ${earlier} and the new release with --tag ${later}, with no pause between the two of a pair. A run that is void is repeated in its place.`,
      2,
    ),
    ...wrap(`Then: ${shellLine(['loadline', 'compare', later, '--baseline', earlier])}`, 2),
    ...wrap(`${leastText(first.length)} ${neededText(chance)}`, 2),
    '',
  ].join('\n');
}

function leastText(pairs: number): string {
  return `The smallest chance of error of ${pairs} pairs is 1 in ${1 / leastChanceOfSigns(pairs)}.`;
}

/** In a sentence. */
export function neededText(chance: number): string {
  const { forOne, forAll } = pairsNeeded(chance);
  return `At 1 in ${numberNear(1 / chance)}, one mark needs ${forOne} pairs at least, and all ${releaseMarkNames.length} together ${forAll}.`;
}
