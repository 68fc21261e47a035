/** A command line that a shell splits into these words again (POSIX sh: nothing is special in single quotes). */
export function shellLine(words: readonly string[]): string {
  return words.map(shellWord).join(' ');
}

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
