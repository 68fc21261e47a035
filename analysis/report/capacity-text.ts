import type { Capacity } from '../capacity/capacity.js';
import { type CapacitySection, capacitySections } from './capacity-sections.js';
import { capacityHeadline } from './capacity-words.js';
import { inColumns, pageColumns, wrap } from './layout.js';

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

/** A column in which nothing stands is left out. */
function columns(rows: readonly (readonly string[])[], numbers: readonly number[]): string[] {
  const used = (rows[0] ?? []).map((_, column) => column).filter((column) => rows.slice(1).some((row) => row[column]));
  const shown = rows.map((row) => used.map((column) => row[column] ?? ''));
  return inColumns(shown, 4, (nth) => numbers.includes(used[nth] ?? -1));
}
