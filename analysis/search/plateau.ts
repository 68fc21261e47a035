import { type Edge, edgesBetween, explainedAt, type Lapse, type Seen } from './explained.js';

/** A curve that falls twice: at once to a plateau, on which some trials pass, and from there to nothing. */
export interface Plateau {
  /** Where it begins and where it ends, as logarithms of the size. */
  readonly from: number;
  readonly edge: number;
  /** What is left on it of the chance to pass. */
  readonly share: number;
  readonly lapse: number;
  /** How well it explains what was seen, times how likely it was beforehand. */
  readonly weight: number;
}

/** What is left of the chance to pass, and how likely such a plateau is beside a curve without one. */
export type PlateauShare = readonly [share: number, likely: number];

/** How finely plateaus are laid out. */
interface Laid {
  readonly onsets: readonly Edge[];
  readonly shares: readonly PlateauShare[];
  readonly lapses: readonly Lapse[];
}

/** A plateau is as long as this on average, in logarithms of the size: about a doubling. */
const meanLength = 0.7;

/**
 * Plateaus between any two gaps of the places that were seen. Within a gap all explain the same, so that a plateau
 * costs one product.
 *
 * @param least lighter ones are left out
 */
export function plateausOver(seen: readonly Seen[], { onsets, shares, lapses }: Laid, least: number): Plateau[] {
  const ends = edgesBetween(seen, 1);
  const plateaus: Plateau[] = [];
  for (const [share, likely] of shares) {
    for (const { lapse, often, before, after } of lapses) {
      const upTo = [1];
      for (const [nth, one] of seen.entries()) upTo.push((upTo[nth] as number) * explainedAt(one, (1 - lapse) * share));
      const starts = onsets.map(
        ({ edge, share: place, gap }) =>
          (place * Math.exp(edge / meanLength) * (before[gap] as number)) / (upTo[gap] as number),
      );
      for (const { edge, share: place, gap } of ends) {
        const ending =
          (place / meanLength) * Math.exp(-edge / meanLength) * (upTo[gap] as number) * (after[gap] as number);
        // A plain loop, because a search spends much of its time here.
        for (let nth = 0; nth < onsets.length; nth += 1) {
          const onset = onsets[nth] as Edge;
          if (onset.gap >= gap) break;
          const weight = likely * often * ending * (starts[nth] as number);
          if (weight > least) plateaus.push({ from: onset.edge, edge, share, lapse, weight });
        }
      }
    }
  }
  return plateaus;
}
