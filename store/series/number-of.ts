import type { FieldValue } from '../points/data-point.js';

/** The number that a series can have of a field: yes is 1 and no is 0; texts, and what is no number, are none. */
export function numberOf(value: FieldValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
