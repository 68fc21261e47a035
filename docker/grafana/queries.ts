import type { DataQuery } from '@grafana/schema';

/** A query of Grafana's InfluxDB data source in InfluxQL, typed by hand: that schema is published for no npm package. */
export interface InfluxQuery extends DataQuery {
  readonly query: string;
  readonly rawQuery: true;
  readonly resultFormat: 'time_series' | 'table';
  /** `$tag_probe` and `$col` are replaced by Grafana. */
  readonly alias?: string;
}

export interface Selection {
  /** InfluxQL: `mean("fps") AS "mean"`. */
  readonly select: string;
  readonly from: string;
  readonly where: readonly string[];
  /** Tags; and `time` for one value per interval of the panel. */
  readonly by?: readonly string[];
}

/** The data source is a variable, so that a dashboard that is imported by hand asks for it. */
export const source = { type: 'influxdb', uid: `\${datasource}` } as const;

/** Of the run and the trials that are chosen. */
export const chosen: readonly string[] = ['"run" =~ /^$run$/', '"trial" =~ /^$trial$/', '$timeFilter'];
/** Of the scenarios and servers that are chosen, over all runs. */
export const everyRun: readonly string[] = ['"scenario" =~ /^$scenario$/', '"server" =~ /^$server$/', '$timeFilter'];

export function influxQl({ select, from, where, by = [] }: Selection): string {
  const groups = by.map((one) => (one === 'time' ? 'time($__interval)' : `"${one}"`));
  const grouped = groups.length === 0 ? '' : ` GROUP BY ${groups.join(', ')}`;
  const filled = by.includes('time') ? ' fill(null)' : '';
  return `SELECT ${select} FROM "${from}" WHERE ${where.join(' AND ')}${grouped}${filled}`;
}

/** The lines of one panel; `alias` names them. */
export function series(selection: Selection, alias?: string): Omit<InfluxQuery, 'refId'> {
  return {
    query: influxQl(selection),
    rawQuery: true,
    resultFormat: 'time_series',
    ...(alias === undefined ? {} : { alias }),
  };
}

export function rows(selection: Selection): Omit<InfluxQuery, 'refId'> {
  return { query: influxQl(selection), rawQuery: true, resultFormat: 'table' };
}
