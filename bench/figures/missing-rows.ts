/** The rows of tables that a bench printed, and those of them that its page does not have, cell for cell. */
export function missingRows(
  printed: string,
  page: string,
): { readonly rows: number; readonly missing: readonly string[] } {
  const written = new Set(rowsIn(page));
  const rows = rowsIn(printed);
  return { rows: rows.length, missing: rows.filter((row) => !written.has(row)) };
}

/** Of Markdown tables, without the lines below their heads and without what only lines cells up. */
function rowsIn(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line.trimStart().startsWith('|') && !/^[\s|:-]+$/.test(line))
    .map((line) =>
      line
        .trim()
        .split('|')
        .map((cell) => cell.trim())
        .join('|'),
    );
}
