import type { ProbeHostId } from './probe-host.js';
import type { Sample } from './sample.js';

/** Ten thousand samples a second are parsed once, and not made into text again to be sent or stored. */
const lines = new WeakMap<Sample, string>();

/** A sample of the line in which its page told it. */
export function sampleOfLine(line: string): Sample {
  // Written by our own page: its shape is the page's type.
  const sample = JSON.parse(line) as Sample;
  lines.set(sample, line);
  return sample;
}

/** The line as it came. Of a sample that was changed since, which is another object: made anew. */
export function lineOfSample(sample: Sample): string {
  return lines.get(sample) ?? JSON.stringify(sample);
}

/** Of this host, unless it names one. Its line says so, too. */
export function sampleOn(host: ProbeHostId, sample: Sample): Sample {
  const named = { host, ...sample };
  const line = lines.get(sample);
  if (line !== undefined && sample.host === undefined)
    lines.set(named, `{"host":${JSON.stringify(host)},${line.slice(1)}`);
  return named;
}

/** At another time, as when a clock is set right. Its line says so, too. */
export function sampleAt(atMs: number, sample: Sample): Sample {
  const moved = { ...sample, atMs };
  const line = lines.get(sample);
  const told = `"atMs":${sample.atMs}`;
  // No other key of a sample has this name, and in a text its quotes would be escaped.
  const at = line?.indexOf(told) ?? -1;
  const end = at + told.length;
  if (line !== undefined && at >= 0 && /[,}]/.test(line[end] ?? '')) {
    lines.set(moved, `${line.slice(0, at)}"atMs":${atMs}${line.slice(end)}`);
  }
  return moved;
}
