import type { ProbeHostId } from './probe-host.js';
import type { Sample } from './sample.js';

const line = Symbol('the line in which its page told it');

type TakenFromLine = Sample & { readonly [line]?: string };

/** A sample of the line in which its page told it. Ten thousand a second are parsed once, and not made into text again to be sent or stored. */
export function sampleOfLine(told: string): Sample {
  // Written by our own page: its shape is the page's type.
  return withLine(JSON.parse(told) as Sample, told);
}

/** The line as it came. Of a sample that was changed since, which is another object: made anew. */
export function lineOfSample(sample: TakenFromLine): string {
  return sample[line] ?? JSON.stringify(sample);
}

/** Of this host, unless it names one. Its line says so, too. */
export function sampleOn(host: ProbeHostId, sample: TakenFromLine): Sample {
  const named = { host, ...sample };
  const told = sample[line];
  if (told === undefined || sample.host !== undefined) return named;
  return withLine(named, `{"host":${JSON.stringify(host)},${told.slice(1)}`);
}

/** At another time, as when a clock is set right. Its line says so, too. */
export function sampleAt(atMs: number, sample: TakenFromLine): Sample {
  const moved = { ...sample, atMs };
  const told = sample[line];
  const was = `"atMs":${sample.atMs}`;
  // No other key of a sample has this name, and in a text its quotes would be escaped.
  const at = told?.indexOf(was) ?? -1;
  const end = at + was.length;
  if (told === undefined || at < 0 || !/[,}]/.test(told[end] ?? '')) return moved;
  return withLine(moved, `${told.slice(0, at)}"atMs":${atMs}${told.slice(end)}`);
}

/** Not enumerable, so that no copy with other values has it. A WeakMap of as many would be walked by each garbage collection. */
const withLine = (sample: Sample, told: string): Sample => Object.defineProperty(sample, line, { value: told });
