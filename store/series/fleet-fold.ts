import { receiveMetrics, sendMetrics } from '../../model/metric.js';
import type { DataPoint } from '../points/data-point.js';
import { numberOf } from './series.js';

/** What is told of single probes, and what the same is called when it is told of all probes of a group together. */
export const fleetNames: Readonly<Record<string, string>> = {
  loadline_probe: 'loadline_probes',
  loadline_leg: 'loadline_legs',
  loadline_stream: 'loadline_streams',
  loadline_probe_trial: 'loadline_probes_trial',
  loadline_stream_trial: 'loadline_streams_trial',
};
/** What a group has in common. Their number does not depend on how many probes there are. */
const groupTags = ['run', 'scenario', 'server', 'trial', 'resumed', 'role', 'direction', 'kind', 'layer'] as const;
/** A second is told when a sample has come that is so much later: those of other hosts come a little after. */
const waitSeconds = 5;

/** What counts what happened in a second can be added up over streams; a value of a moment cannot. */
const metrics: Readonly<Record<string, { readonly form: string }>> = { ...receiveMetrics, ...sendMetrics };
const isCount = (name: string) => metrics[name]?.form === 'delta';

interface Sum {
  least: number;
  most: number;
  sum: number;
  count: number;
}

interface Group {
  readonly point: Omit<DataPoint, 'fields'>;
  readonly second: number;
  readonly sums: Map<string, Sum>;
  count: number;
}

export function isOfOneProbe({ measurement }: DataPoint): boolean {
  return measurement in fleetNames;
}

/**
 * Makes of the points of single probes those of groups: of each number the least, the mean and the most, and how many
 * there were, and of counts their sum. What it makes depends on the points and their order alone, so the export of a
 * run gives what the run gave.
 */
export class FleetFold {
  private groups = new Map<string, Group>();
  private lastSecond = Number.NEGATIVE_INFINITY;
  /** All before and including it are told. */
  private toldSecond = Number.NEGATIVE_INFINITY;
  /** Points that are in what was told. */
  folded = 0;
  /** Points of seconds that had been told already: they are in nothing. */
  late = 0;

  /** Takes a point of one probe. */
  add(point: DataPoint): void {
    const { isOfSecond } = point;
    const second = isOfSecond ? Math.floor(point.atMs / 1000) : Number.POSITIVE_INFINITY;
    if (isOfSecond && second <= this.toldSecond) {
      this.late += 1;
      return;
    }
    if (isOfSecond) this.lastSecond = Math.max(this.lastSecond, second);
    this.folded += 1;
    const group = this.groupOf(point, second);
    group.count += 1;
    for (const [name, value] of Object.entries(point.fields)) {
      const number = numberOf(value);
      if (number !== undefined) addTo(group.sums, name, number);
    }
  }

  /** What is complete, oldest first; what is of whole trials is so when it was given. */
  complete(): readonly DataPoint[] {
    const told = this.lastSecond - waitSeconds;
    return this.take(({ second }) => second <= told || second === Number.POSITIVE_INFINITY, told);
  }

  /** Everything: the trial is over. */
  rest(): readonly DataPoint[] {
    return this.take(() => true, this.lastSecond);
  }

  private take(isTaken: (group: Group) => boolean, toldSecond: number): readonly DataPoint[] {
    this.toldSecond = Math.max(this.toldSecond, toldSecond);
    if (this.groups.size === 0) return [];
    const taken = [...this.groups].filter(([, group]) => isTaken(group));
    for (const [key] of taken) this.groups.delete(key);
    return taken
      .map(([, group]) => group)
      .sort((a, b) => a.second - b.second)
      .map(asPoint);
  }

  private groupOf({ measurement, tags, isOfSecond, atMs }: DataPoint, second: number): Group {
    const own = Object.fromEntries(groupTags.map((name) => [name, tags[name]]));
    const key = `${measurement} ${isOfSecond ? second : atMs} ${JSON.stringify(own)}`;
    const known = this.groups.get(key);
    if (known) return known;
    const name = fleetNames[measurement] ?? measurement;
    const point = { measurement: name, tags: own, isOfSecond, atMs: isOfSecond ? second * 1000 : atMs };
    const group: Group = { point, second, sums: new Map(), count: 0 };
    this.groups.set(key, group);
    return group;
  }
}

function addTo(sums: Map<string, Sum>, name: string, number: number): void {
  const sum = sums.get(name);
  if (!sum) {
    sums.set(name, { least: number, most: number, sum: number, count: 1 });
    return;
  }
  sum.least = Math.min(sum.least, number);
  sum.most = Math.max(sum.most, number);
  sum.sum += number;
  sum.count += 1;
}

function asPoint({ point, sums, count }: Group): DataPoint {
  const fields = [...sums].flatMap(([name, { least, most, sum, count: of }]) => [
    [`${name}Min`, least] as const,
    [`${name}Mean`, sum / of] as const,
    [`${name}Max`, most] as const,
    ...(isCount(name) ? [[`${name}Sum`, sum] as const] : []),
  ]);
  return { ...point, fields: { count, ...Object.fromEntries(fields) } };
}
