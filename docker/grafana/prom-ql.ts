import { fleetNames } from '../../store/series/fleet-fold.js';
import { type Selection, snake, type Target } from './dashboard-file.js';

/** One PromQL expression, and what its lines are called. */
export interface PromLine {
  readonly expr: string;
  readonly legend: string;
  /** Of the whole time that is shown: one value, and no curve. */
  readonly isLast: boolean;
}

/** Fields that are words: no series has them. */
const words = new Set(['label', 'limitText', 'worstProbe', 'because', 'title', 'text', 'failure', 'code', 'unit']);
const acrossTime: Readonly<Record<string, string>> = { mean: 'avg', min: 'min', max: 'max', sum: 'sum', last: 'last' };
const ofGroup: Readonly<Record<string, string>> = { mean: '_mean', min: '_min', max: '_max', sum: '_sum' };

/** A query of the points in PromQL; nothing where all that it asks for is words. */
export function promLines({ selection, form, alias }: Target): readonly PromLine[] {
  const { select, where, by = [], inSeries, promQl } = selection;
  if (promQl) {
    const expr = promQl.expr.replaceAll('{ofAll}', labelsOf(where));
    return [{ expr, legend: promQl.legend, isLast: false }];
  }
  const parts = (inSeries ?? select).split(/,\s*(?=[a-z"])/);
  return parts.flatMap((part) => {
    const [, factor, call, field = '', divisor, name] =
      /^(\d+ \* )?(?:(\w+)\()?"(\w+)"\)?( \/ \$\w+)?(?: AS "([^"]+)")?$/.exec(part) ?? [];
    if (field === '') throw new Error(`${part} has no PromQL; give it selectInSeries`);
    if (words.has(field)) return [];
    const own = line(selection, { call, field, name: name ?? field }, form === 'rows' || !by.includes('time'), alias);
    return [{ ...own, expr: [factor, own.expr, divisor].join('') }];
  });
}

interface Part {
  /** A function of InfluxQL; without one, the values as they are. */
  readonly call: string | undefined;
  readonly field: string;
  readonly name: string;
}

function line(selection: Selection, { call, field, name }: Part, wholeTime: boolean, alias = '$col'): PromLine {
  const { from, where, by = [] } = selection;
  const isRaw = call === undefined;
  const tags = by.filter((one) => one !== 'time');
  const ofEach = tags.includes('probe');
  const group = ofEach ? undefined : fleetNames[from];
  const range = wholeTime && (!isRaw || alias === '$col') ? '$__range' : '$__interval';
  const stat = isRaw ? 'last' : call;
  const series = `${seriesOf(from, group, stat, field)}{${labelsOf(where)}}`;
  const isCount = stat === 'count';
  const over = `${isCount ? 'sum' : acrossTime[stat]}_over_time(${series}[${range}])`;
  const legend = legendOf(alias, name, group === undefined ? [] : ['role']);
  const isLast = range === '$__range';
  if (stat === 'last') return { expr: over, legend, isLast };
  const kept = group === undefined ? tags : [...tags, 'role'];
  const by_ = kept.length === 0 ? '' : ` by (${kept.join(', ')})`;
  if (stat === 'mean' && group !== undefined) {
    // Groups differ in size: the mean of their means would be of no stream.
    const count = `avg_over_time(${group}_count{${labelsOf(where)}}[${range}])`;
    return { expr: `sum${by_} (${over} * ${count}) / sum${by_} (${count} and ${over})`, legend, isLast };
  }
  return { expr: `${isCount ? 'sum' : acrossTime[stat]}${by_} (${over})`, legend, isLast };
}

function seriesOf(from: string, group: string | undefined, stat: string, field: string): string {
  if (group === undefined) return `${from}_${snake(field)}`;
  if (stat === 'count') return `${group}_count`;
  return `${group}_${snake(field)}${ofGroup[stat] ?? '_mean'}`;
}

/** InfluxQL conditions as labels: both take regular expressions, and Prometheus' are of the whole value anyway. */
export function labelsOf(where: readonly string[]): string {
  return where
    .filter((one) => one !== '$timeFilter')
    .map((one) => {
      const [, tag, pattern, word] = /^"(\w+)" (?:=~ \/\^(.+)\$\/|= '([^']+)')$/.exec(one) ?? [];
      if (tag === undefined) throw new Error(`${one} cannot be said with labels`);
      return pattern === undefined ? `${tag}="${word}"` : `${tag}=~"${pattern}"`;
    })
    .join(',');
}

/** `$tag_session · $tag_leg` is `{{session}} · {{leg}}`. */
function legendOf(alias: string, name: string, more: readonly string[]): string {
  const legend = alias.replaceAll('$col', name).replace(/\$tag_(\w+)/g, '{{$1}}');
  return [legend, ...more.map((tag) => `{{${tag}}}`)].join(' ');
}
