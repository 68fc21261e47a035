import type { Capacity } from '../capacity/capacity.js';
import { type CapacitySection, capacitySections } from './capacity-sections.js';
import { capacityHeadline } from './capacity-words.js';
import { pageColumns, wrap } from './layout.js';

export function capacityText(capacity: Capacity): string {
  return [
    '',
    ...wrap(capacityHeadline(capacity), 2, pageColumns, 2),
    '',
    ...capacitySections(capacity).flatMap(sectionLines),
    '  What was not measured and is taken for granted',
    ...capacity.assumptions.flatMap((sentence) => wrap(`- ${sentence}`, 4, pageColumns, 2)),
    '',
  ].join('\n');
}

function sectionLines({ title, head, rows, numbers, notes }: CapacitySection): string[] {
  const table = rows.length === 0 ? [] : columns([head, ...rows], numbers);
  return [`  ${title}`, ...table, ...notes.flatMap((note) => wrap(note, 4, pageColumns, 2)), ''];
}

/** Each as wide as its widest text. A column in which nothing stands is left out. */
function columns(rows: readonly (readonly string[])[], numbers: readonly number[]): string[] {
  const used = (rows[0] ?? []).map((_, column) => column).filter((column) => rows.slice(1).some((row) => row[column]));
  const widths = used.map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const cellOf = (text: string, column: number, width: number) =>
    numbers.includes(column) ? text.padStart(width) : text.padEnd(width);
  return rows.map((row) =>
    `    ${used.map((column, nth) => cellOf(row[column] ?? '', column, widths[nth] ?? 0)).join('  ')}`.trimEnd(),
  );
}
