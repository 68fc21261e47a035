/** One line of CSV (RFC 4180): what holds a comma, a quote or a line break stands in quotes. */
export function csvLine(cells: readonly (string | number)[]): string {
  return `${cells.map((cell) => csvCell(String(cell))).join(',')}\n`;
}

/** A cell that begins like a formula would be one in a spreadsheet; a number that is negative is none. */
export function csvCell(text: string): string {
  const inert = /^[=+@\t\r-]/.test(text) && !/^-\d+(?:\.\d+)?(?:e[+-]?\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}
