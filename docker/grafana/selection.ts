/** What is asked of the points, in words that both kinds of data source are asked from. */
export interface Selection {
  /** InfluxQL: `mean("fps") AS "mean"`. */
  readonly select: string;
  readonly from: string;
  /** InfluxQL conditions: a tag beside a variable (`=~`) or a word (`=`), and the time. */
  readonly where: readonly string[];
  /** Tags; and `time` for one value per interval of the panel. */
  readonly by?: readonly string[];
  /** Where Prometheus, which has groups in place of probes, must be asked for something else. */
  readonly inSeries?: string;
  /** Where its answer is a formula of several series: `{ofAll}` stands for the labels. */
  readonly promQl?: { readonly expr: string; readonly legend: string };
}

/** One query of a panel, before a data source is chosen. */
export interface Target {
  readonly selection: Selection;
  readonly form: 'series' | 'rows';
  /** InfluxDB's names of lines: `$tag_probe` and `$col` are replaced by Grafana. */
  readonly alias?: string;
}

/** The lines of one panel; `alias` names them. */
export function series(selection: Selection, alias?: string): Target {
  return { selection, form: 'series', ...(alias === undefined ? {} : { alias }) };
}

export function rows(selection: Selection): Target {
  return { selection, form: 'rows' };
}

/** Of the run and the trials that are chosen. */
export const chosen: readonly string[] = ['"run" =~ /^$run$/', '"trial" =~ /^$trial$/', '$timeFilter'];
/** Of the scenarios and servers that are chosen, over all runs. */
export const everyRun: readonly string[] = ['"scenario" =~ /^$scenario$/', '"server" =~ /^$server$/', '$timeFilter'];
