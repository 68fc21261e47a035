/** Figures of one kind of probes, by their names. */
export type Figures = Readonly<Record<string, number>>;

/** Prints both kinds side by side, with how far the other ones are from the full ones. */
export function printComparison(per: string, full: Figures, other: Figures, otherKind = 'encoded'): void {
  console.log(`| ${per} | full | ${otherKind} | difference |`);
  console.log('|---|---|---|---|');
  for (const [name, was] of Object.entries(full)) {
    const is = other[name] ?? Number.NaN;
    const difference = was === 0 ? (is === 0 ? '0.0 %' : 'new') : `${((100 * (is - was)) / was).toFixed(1)} %`;
    console.log(`| ${name} | ${was.toFixed(2)} | ${is.toFixed(2)} | ${difference} |`);
  }
}
