/** A statement that is printed, and how often it held where its answer was known. */
export interface Covered {
  readonly statement: string;
  readonly conditions: string;
  /** How often it holds at least, by what it says. */
  readonly said: string;
  readonly held: number;
  readonly of: number;
  /** The least of several kinds of servers, where one share would hide it. */
  readonly least?: { readonly share: number; readonly where: string };
}

export function coveredText({ statement, conditions, said, held, of, least }: Covered): string[] {
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const worst = least === undefined ? '' : ` (${percent(least.share)} ${least.where})`;
  return [statement, conditions, said, `${percent(of === 0 ? 1 : held / of)}${worst}`, of.toLocaleString('en')];
}
