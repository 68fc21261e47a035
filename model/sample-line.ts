import type { ProbeHostId } from './probe-host.js';
import type { LegSample, Sample, StreamSample } from './sample.js';

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

/** Of another process. By hand, and not by a schema: ten thousand of these come in a second, and a schema makes a copy of each. Throws what is none. */
export function checkedSampleOfLine(told: string): Sample {
  const sample = sampleOfLine(told);
  if (!isSample(sample)) throw new Error('this is no sample');
  return sample;
}

type Unknown<T> = { readonly [Name in keyof T]?: unknown };

function isSample(value: Unknown<Sample> | null): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { probe: name, host, atMs, intervalMs, lateMs, legs, streams } = value;
  return (
    isText(name) &&
    (host === undefined || isText(host)) &&
    isNumber(atMs) &&
    isNumber(intervalMs) &&
    intervalMs > 0 &&
    isNumber(lateMs) &&
    Array.isArray(legs) &&
    legs.every(isLeg) &&
    Array.isArray(streams) &&
    streams.every(isStream)
  );
}

function isLeg(value: Unknown<LegSample> | null): boolean {
  return isText(value?.leg) && typeof value.connectionState === 'string';
}

function isStream(value: Unknown<StreamSample> | null): boolean {
  const { leg, direction, kind, metrics } = value ?? {};
  if (!isText(leg) || (direction !== 'send' && direction !== 'receive')) return false;
  if ((kind !== 'audio' && kind !== 'video') || typeof metrics !== 'object' || metrics === null) return false;
  for (const metric of Object.values(metrics)) if (!isNumber(metric)) return false;
  return true;
}

const longestName = 200;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestName;
/** Also one that JSON writes and a number cannot hold is none: 1e999. */
const isNumber = (value: unknown): value is number => Number.isFinite(value);
