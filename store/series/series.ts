import type { DataPoint, FieldValue } from '../points/data-point.js';

/** One value of one series, in the words that Prometheus and OpenTelemetry share. */
interface SeriesValue {
  /** `loadline_stream_trial_bitrate_kbps` */
  readonly name: string;
  readonly value: number;
}

/** The values of one point: they have their labels and their time in common. */
export interface PointValues {
  readonly labels: Readonly<Record<string, string>>;
  readonly atMs: number;
  readonly values: readonly SeriesValue[];
}

/** Fields that are words and tell points apart, or say what a run was made with. */
const wordLabels: Readonly<Record<string, readonly string[]>> = {
  loadline_threshold: ['label', 'unit', 'limitText'],
  loadline_run_start: ['loadline', 'chromium', 'serverVersion', 'unit', 'kernel', 'cpuModel'],
  loadline_run: ['unit'],
};

/** Undefined for a point without any number. */
export function valuesOf(point: DataPoint): PointValues | undefined {
  const values = Object.entries(point.fields).flatMap(([field, value]) => {
    const number = numberOf(value);
    return number === undefined ? [] : [{ name: seriesName(point.measurement, field), value: number }];
  });
  return values.length === 0 ? undefined : { labels: labelsOf(point), atMs: Math.round(point.atMs), values };
}

/** A point as it waits to be sent; undefined for one without any number. */
export function valuesText(point: DataPoint): string | undefined {
  const values = valuesOf(point);
  return values === undefined ? undefined : JSON.stringify(values);
}

export function readValues(texts: readonly string[]): readonly PointValues[] {
  return texts.map((text) => JSON.parse(text) as PointValues);
}

/** The number that a series can have of a field: yes is 1 and no is 0; texts, and what is no number, are none. */
export function numberOf(value: FieldValue): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Labels without a value are left out, as Prometheus has it: an empty one and none are the same to it. */
function labelsOf({ measurement, tags, fields }: DataPoint): Readonly<Record<string, string>> {
  const words = (wordLabels[measurement] ?? []).map((name) => [snake(name), fields[name]] as const);
  const all = [...Object.entries(tags).map(([name, value]) => [snake(name), value] as const), ...words];
  const said = all.flatMap(([name, value]) => (typeof value === 'string' && value !== '' ? [[name, value]] : []));
  return Object.fromEntries(said);
}

/** Words of Loadline, and names of metrics that a user chose: `serverCoresMean` is `server_cores_mean`. */
function seriesName(measurement: string, field: string): string {
  return `${measurement}_${snake(field)}`;
}

function snake(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9_]+/g, '_')
    .replace(/_+$/, '')
    .toLowerCase();
}

/** Of all series, those that only grow: the others are values of their moment. */
export function isCounter(name: string): boolean {
  return name === 'loadline_events_total';
}
