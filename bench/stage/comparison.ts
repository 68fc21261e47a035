/** Figures of one kind of probes, by their names. */
export type Figures = Readonly<Record<string, number>>;

/** Prints both kinds side by side, with how far the encoded ones are from the full ones. */
export function printComparison(per: string, full: Figures, encoded: Figures): void {
  console.log(`| ${per} | full | encoded | difference |`);
  console.log('|---|---|---|---|');
  for (const [name, was] of Object.entries(full)) {
    const is = encoded[name] ?? Number.NaN;
    const difference = was === 0 ? (is === 0 ? '0.0 %' : 'new') : `${((100 * (is - was)) / was).toFixed(1)} %`;
    console.log(`| ${name} | ${was.toFixed(2)} | ${is.toFixed(2)} | ${difference} |`);
  }
}
