export function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return [line(head), `|${head.map(() => '---').join('|')}|`, ...rows.map(line)];
}

/** Text that stays text in a table cell of GitHub's Markdown. */
export function cell(text: string): string {
  return text
    .replace(/[\\`*_[\]|~#]/g, (character) => `\\${character}`)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replace(/\s+/g, ' ');
}
