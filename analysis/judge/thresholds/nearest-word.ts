/** The known word that a misspelt one most likely meant; `undefined` when none is near. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const bound = Math.max(1, Math.floor(word.length / 3));
  const ranked = known
    .map((candidate) => ({ candidate, distance: editDistance(word.toLowerCase(), candidate.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  return best && best.distance <= bound ? best.candidate : undefined;
}

/** "; did you mean loss?", or else the list of what is known. */
export function meantOrKnown(word: string, known: readonly string[]): string {
  const meant = nearestWord(word, known);
  return meant === undefined ? `known are: ${known.join(', ')}` : `did you mean ${meant}?`;
}

/** The same as a remedy: "write loss", or else one of what is known. */
export function toWriteFor(word: string, known: readonly string[]): string {
  const meant = nearestWord(word, known);
  return meant === undefined ? `write one of ${known.join(', ')}` : `write ${meant}`;
}

/** Levenshtein's: insertions, deletions and replacements. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
