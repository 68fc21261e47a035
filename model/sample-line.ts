import type { ProbeHostId } from './probe-host.js';
import type { ForeignTime, LegSample, ReceiveStreamSample, Sample, StreamSample } from './sample.js';

const rest = Symbol('what its line says behind host and time');

type TakenFromLine = Sample & { readonly [rest]?: string };

/** Each begins with where and when, which the fleet stamps: all behind it stays as its page wrote it. */
const head = /\{(?:"host":"(?:[^"\\]|\\.)*",)?"atMs":-?[\d.]+,/y;
const stamps = /"(?:host|atMs)":/;

/** A sample of its page's line. Ten thousand a second are parsed once, and not written anew to send or store. */
export function sampleOfLine(told: string): Sample {
  // Written by our own page: its shape is the page's type.
  const sample = JSON.parse(told) as Sample;
  head.lastIndex = 0;
  const behind = head.test(told) ? told.slice(head.lastIndex) : '';
  return behind === '' || stamps.test(behind) ? sample : withRest(sample, behind);
}

/** Of a sample that was changed but for its stamps, which is another object: made anew. */
export function lineOfSample(sample: TakenFromLine): string {
  const behind = sample[rest];
  if (behind === undefined) return JSON.stringify(sample);
  const host = sample.host === undefined ? '' : `"host":${JSON.stringify(sample.host)},`;
  return `{${host}"atMs":${sample.atMs},${behind}`;
}

/** Of this host, unless it names one. */
export function sampleOn(host: ProbeHostId, sample: TakenFromLine): Sample {
  return withRest({ host, ...sample }, sample[rest]);
}

/** At another time, as when a clock is set right. */
export function sampleAt(atMs: number, sample: TakenFromLine): Sample {
  return withRest({ ...sample, atMs }, sample[rest]);
}

/** Not enumerable, so that changed copies lack it. Garbage collection would walk a WeakMap of as many. */
const withRest = (sample: Sample, behind: string | undefined): Sample =>
  behind === undefined ? sample : Object.defineProperty(sample, rest, { value: behind });

/** From another process; by hand, because a schema copies each of ten thousand a second. Throws what is none. */
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
  const { leg, direction, kind, metrics, byClock } = (value as Unknown<ReceiveStreamSample & StreamSample>) ?? {};
  if (!isText(leg) || (direction !== 'send' && direction !== 'receive')) return false;
  if ((kind !== 'audio' && kind !== 'video' && kind !== 'data') || typeof metrics !== 'object' || metrics === null)
    return false;
  const values = metrics as Readonly<Record<string, unknown>>;
  for (const name in values) if (!isNumber(values[name])) return false;
  return byClock === undefined || (Array.isArray(byClock) && byClock.every(isForeignTime));
}

function isForeignTime(value: Unknown<ForeignTime> | null): boolean {
  const { clock, count, meanMs, maxMs } = value ?? {};
  return (clock === undefined || isNumber(clock)) && isNumber(count) && isNumber(meanMs) && isNumber(maxMs);
}

const longestName = 200;
const isText = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= longestName;
/** Also one that JSON writes and a number cannot hold is none: 1e999. */
const isNumber = (value: unknown): value is number => Number.isFinite(value);
