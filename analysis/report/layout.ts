import { numberNear } from '../wording/wording.js';

/** Colour for a terminal, handed in by whoever knows whether there is one. */
export interface TextStyle {
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
  readonly good: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly warn: (text: string) => string;
}

const asIs = (text: string) => text;

export const plainStyle: TextStyle = { dim: asIs, bold: asIs, good: asIs, bad: asIs, warn: asIs };

export const pageColumns = 80;

/** A number and its unit are one word. */
const betweenWords = /\s+(?!(?<=\d )(?:%|s|ms|min|kbit\/s|Mbit\/s|fps|MB)(?![\w/]))/;

/**
 * Breaks text into lines of at most `columns`, all but the first indented by `hanging` more. A word that is longer than
 * a line (a path) stands alone and whole, so that it can still be copied.
 */
export function wrap(text: string, indent: number, columns = pageColumns, hanging = 0): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(betweenWords).filter((part) => part !== '')) {
    const room = columns - indent - (lines.length > 0 ? hanging : 0);
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  if (line !== '') lines.push(line);
  return lines.map((part, index) => ' '.repeat(indent + (index > 0 ? hanging : 0)) + part);
}

/** Cuts to a width, with an ellipsis where something was cut. */
function fit(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** A dash for what is not known. */
export function figureText(value: number | undefined): string {
  return value === undefined ? '–' : numberNear(value);
}

/** Left-aligned in `width`, cut when longer. */
export function left(text: string, width: number): string {
  return fit(text, width).padEnd(width);
}

export function right(text: string, width: number): string {
  return fit(text, width).padStart(width);
}

/** Lines of a table, each column as wide as its widest text; those of numbers stand on the right. */
export function inColumns(
  rows: readonly (readonly string[])[],
  indent: number,
  isNumber: (column: number) => boolean = () => false,
): string[] {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cellOf = (text: string, column: number) =>
    isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0);
  return rows.map((row) => `${' '.repeat(indent)}${row.map(cellOf).join('  ')}`.trimEnd());
}

/** A part of a text: its title and whole sentences below it; nothing where there are none. */
export function titled(title: string, sentences: readonly string[], style: TextStyle): string[] {
  if (sentences.length === 0) return [];
  return [style.bold(`  ${title}`), ...sentences.flatMap((sentence) => wrap(sentence, 4, pageColumns, 2))];
}
