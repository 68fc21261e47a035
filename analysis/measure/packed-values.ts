import type { AggregateName, Aggregates } from '../../model/aggregate.js';

/** Aggregates of the streams of a probe as one list of numbers, beside names that probes share: a fraction of the memory of objects. */
export interface PackedValues {
  readonly names: readonly (readonly AggregateName[])[];
  readonly numbers: readonly number[];
}

/** Keeps one list of names for all probes that have the same ones. */
export class ValuePacker {
  private readonly known = new Map<string, PackedValues['names']>();

  pack(streams: readonly Aggregates[]): PackedValues {
    const own = streams.map((values) => Object.keys(values) as AggregateName[]);
    const key = own.map((names) => names.join(' ')).join(', ');
    const names = this.known.get(key) ?? own;
    this.known.set(key, names);
    // Of its full length from the start: a list that grows takes more than it holds.
    const numbers = new Array<number>(names.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const [nth, values] of streams.entries()) {
      for (const name of names[nth] ?? []) {
        numbers[at] = values[name] ?? Number.NaN;
        at += 1;
      }
    }
    return { names, numbers };
  }
}

/** The same values of one of the streams again, in the same order. */
export function unpacked({ names, numbers }: PackedValues, stream: number): Aggregates {
  let at = 0;
  for (const before of names.slice(0, stream)) at += before.length;
  const values: Partial<Record<AggregateName, number>> = {};
  for (const [index, name] of (names[stream] ?? []).entries()) values[name] = numbers[at + index] ?? Number.NaN;
  return values;
}
