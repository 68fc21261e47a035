import { wrap } from '../analysis/report/layout.js';

/** A label and what it says, at least two spaces apart: an exit code and its meaning, an example and what it is for. */
const labelled = /^( *\S.*? {2,})(\S.*)$/;

/** With less than this beside its label, a text stands below it. */
const leastRoom = 20;

/**
 * Help as a terminal of this width shows it without breaking words. Commander breaks what it lays out itself, but
 * leaves as it is what commands add below. Lines that fit stay as they are, and so does a command line: it is there to
 * be copied.
 */
export function foldedHelp(text: string, columns: number): string {
  return paragraphs(text.split('\n'))
    .flatMap((lines) => (lines.some((line) => line.length > columns) ? folded(lines, columns) : lines))
    .join('\n');
}

/** Prose that goes on in the next line is one paragraph; every other line stands alone. */
function paragraphs(lines: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const line of lines) {
    const before = found.at(-1);
    const goesOn = before?.every(isProse) && isProse(line) && indentOf(before[0] ?? '') === indentOf(line);
    if (goesOn) before?.push(line);
    else found.push([line]);
  }
  return found;
}

function folded(lines: readonly string[], columns: number): readonly string[] {
  const [first = ''] = lines;
  const [, label = '', said = ''] = labelled.exec(first) ?? [];
  if (label === '') return isProse(first) ? wrap(lines.join(' '), indentOf(first), columns) : lines;
  if (columns - label.length < Math.min(leastRoom, columns / 2))
    return [label.trimEnd(), ...wrap(said, indentOf(first) + 4, columns)];
  const [head = '', ...rest] = wrap(said, label.length, columns);
  return [`${label}${head.trimStart()}`, ...rest];
}

const isProse = (line: string) => line.trim() !== '' && !labelled.test(line) && !/^ *(loadline |--)/.test(line);
const indentOf = (line: string) => line.length - line.trimStart().length;
