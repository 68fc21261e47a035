import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { z } from 'zod';

/** What is asked of the points, in words that both kinds of data source are asked from. */
const selection = {
  /** InfluxQL: `mean("fps") AS "mean"`; a sum or a count may be divided by the interval. */
  select: z.string().optional(),
  /** In place of `select`: a share of two sums, in percent. */
  percent: z.strictObject({ called: z.string(), part: z.string(), whole: z.array(z.string()) }).optional(),
  of: z.string(),
  /** A name of conditions. */
  where: z.string().default('chosen'),
  /** Tags; and `time` for one value per interval of the panel. */
  by: z.array(z.string()).optional(),
  /** Where Prometheus, which has groups in place of probes, must be asked for something else. */
  selectInSeries: z.string().optional(),
};

const box = {
  /** What a person should know to read it. */
  about: z.string(),
  ...selection,
  /** Where Prometheus is asked for something else. */
  titleInSeries: z.string().optional(),
  /** Of Grafana's grid of 24 columns. */
  width: z.number().optional(),
  /** Grafana's id of a unit: `percent`, `ms`, `Kbits`. */
  unit: z.string().optional(),
  decimals: z.number().optional(),
};
/** InfluxDB's names of lines: `$tag_probe` and `$col` are replaced by Grafana. */
const called = z.string().default('$col');

/** Values over time. */
const curves = z.strictObject({
  curves: z.string(),
  ...box,
  called,
  /** `points` for what happened once, `bars` for counts. */
  draw: z.enum(['line', 'points', 'bars']).default('line'),
  belowZero: z.literal(true).optional(),
  min: z.number().default(0),
  max: z.number().optional(),
  /** Thresholds whose limit is drawn as a line, in the unit of the panel: as each trial was judged. */
  limits: z.array(z.string()).default([]),
});
/** One value, the last. */
const figure = z.strictObject({ figure: z.string(), ...box, text: z.literal(true).optional() });
/** A bar for each series, its last value. */
const bars = z.strictObject({ bars: z.string(), ...box, called });
/** `opensRun`: a click on a row opens the dashboard of its run. */
const table = z.strictObject({ table: z.string(), ...box, opensRun: z.literal(true).optional() });
/** A heading over the panels that follow it; a folded one holds them, and asks for nothing before it is opened. */
const row = z.strictObject({ row: z.string(), folded: z.literal(true).optional() });

const dashboard = z.strictObject({
  /** Its address, and its file: `run`. */
  name: z.string(),
  title: z.string(),
  about: z.string(),
  variables: z.array(z.string()),
  marks: z.enum(['trials', 'answers']),
  from: z.string(),
  refresh: z.string(),
  panels: z.array(z.union([curves, figure, bars, table, row])),
});

export type Frame = z.infer<typeof dashboard>;
export type CurvesWords = z.infer<typeof curves>;
export type FigureWords = z.infer<typeof figure>;
export type PanelWords = CurvesWords | FigureWords | z.infer<typeof bars> | z.infer<typeof table>;
export type RowWords = z.infer<typeof row>;

const file = z
  .strictObject({ conditions: z.record(z.string(), z.array(z.string())), dashboards: z.array(dashboard) })
  .parse(parse(readFileSync(new URL('dashboards.yaml', import.meta.url), 'utf8')));

export const frames: readonly Frame[] = file.dashboards;

/** InfluxQL conditions: a tag beside a variable (`=~`) or a word (`=`), and the time; a name stands for its own. */
export function conditions(name: string): readonly string[] {
  return file.conditions[name]?.flatMap((one) => (one in file.conditions ? conditions(one) : [one])) ?? [];
}

export interface Selection {
  readonly select: string;
  readonly from: string;
  readonly where: readonly string[];
  readonly by?: readonly string[] | undefined;
  readonly inSeries?: string | undefined;
  /** In place of all of it, a formula of several series: `{ofAll}` stands for the labels. */
  readonly promQl?: { readonly expr: string; readonly legend: string } | undefined;
}

/** One query of a panel, before a data source is chosen. */
export interface Target {
  readonly selection: Selection;
  readonly form: 'series' | 'rows';
  readonly alias?: string;
}

/** Throws where the file names no such conditions. */
export function targetOf(words: PanelWords): Target {
  const { of: from, by, selectInSeries: inSeries } = words;
  const where = conditions(words.where);
  if (where.length === 0) throw new Error(`there are no conditions ${words.where}`);
  const asked = words.percent ? shareOf(words.percent) : { select: words.select ?? '' };
  if (!('called' in words)) return { selection: { ...asked, from, where, by, inSeries }, form: 'rows' };
  const groups = by ?? ('curves' in words ? ['time'] : []);
  return { selection: { ...asked, from, where, by: groups, inSeries }, form: 'series', alias: words.called };
}

function shareOf({ called: legend, part, whole }: NonNullable<PanelWords['percent']>) {
  const summed = (field: string) => `sum(sum_over_time(loadline_streams_${snake(field)}_sum{{ofAll}}[$__interval]))`;
  const of = whole.map((field) => `sum("${field}")`).join(' + ');
  return {
    select: `100 * sum("${part}") / (${of}) AS "${legend}"`,
    promQl: { expr: `100 * ${summed(part)} / (${whole.map(summed).join(' + ')})`, legend },
  };
}

/** As a series has a field's name. */
export function snake(name: string): string {
  return name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();
}
