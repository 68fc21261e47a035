import type { Sample } from './sample.js';

/** Ten thousand samples a second are parsed once, and not made into text again to be stored. */
const lines = new WeakMap<Sample, string>();

/** A sample of the line in which its page told it. */
export function sampleOfLine(line: string): Sample {
  // Written by our own page: its shape is the page's type.
  const sample = JSON.parse(line) as Sample;
  lines.set(sample, line);
  return sample;
}

/** The line as it came. Of a sample that was changed since, as when its time was set right, which is another object: made anew. */
export function lineOfSample(sample: Sample): string {
  return lines.get(sample) ?? JSON.stringify(sample);
}
