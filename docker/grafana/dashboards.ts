import type { Dashboard, DataQuery } from '@grafana/schema';
import { frames } from './dashboard-file.js';
import { chosenSource, type DataSource } from './data-source.js';
import { dashboard } from './frame.js';
import { influxSource } from './influx-source.js';
import { labelsOf, type PromLine, promLines } from './prom-ql.js';

/** A query of Grafana's Prometheus data source, as far as these dashboards use it. */
interface PromQuery extends DataQuery {
  readonly expr: string;
  readonly legendFormat: string;
  readonly format: 'time_series' | 'table';
  readonly range: boolean;
  readonly instant: boolean;
}

const source = { type: 'prometheus', uid: chosenSource } as const;

/** Whatever answers PromQL: Prometheus, Mimir, VictoriaMetrics. */
const prometheusSource: DataSource = {
  name: 'prometheus',
  label: 'Prometheus',
  source,
  uid: (name) => `loadline-prometheus-${name}`,
  // Grafana calls the columns of several queries after their letters: the fourth is when the run began, the fifth its
  // end.
  runLink: `/d/loadline-prometheus-run?var-run=\${__data.fields.run}&from=\${__data.fields["Value #D"].numeric}&to=\${__data.fields["Value #E"].numeric}`,
  queries: (target) => promLines(target).map((line) => queryOf(line, target.form === 'rows')),
  variableQuery: (tag, from, within) => {
    const labels = within.map((one) => `${one}=~"$${one}"`).join(',');
    const known = from === 'loadline_event' ? 'loadline_events_total' : `${from}_${knownField[from]}`;
    return { query: `label_values(${known}${labels === '' ? '' : `{${labels}}`}, ${tag})`, refId: tag };
  },
  marks: (name, types, iconColor, where) => {
    const labels = labelsOf([`"type" =~ /^(${types})$/`, ...where]);
    // A page that is read each second shows a count that stays: what grew is an event.
    const total = (range: string) => `max_over_time(loadline_events_total{${labels}}[${range}]`;
    const now = `${total('$__interval')})`;
    const expr = `${now} > (${total('1h')} offset $__interval) or 0 * ${now})`;
    return {
      name,
      datasource: source,
      enable: true,
      iconColor,
      target: { refId: name, expr, legendFormat: '{{type}}' },
    };
  },
};

/** A field that every point has. */
const knownField: Readonly<Record<string, string>> = {
  loadline_run_start: 'cores',
  loadline_trial: 'size',
  loadline_probe: 'interval_ms',
};

function queryOf({ expr, legend, isLast }: PromLine, isTable: boolean) {
  const query: Omit<PromQuery, 'refId'> = {
    expr,
    legendFormat: legend,
    format: isTable ? 'table' : 'time_series',
    range: !(isLast || isTable),
    instant: isLast || isTable,
  };
  return { ...query };
}

/** Each is a file of this name in `dashboards/`; `npm test -- docker/grafana -u all` writes them anew. */
export const dashboards: Readonly<Record<string, Dashboard>> = madeFor(influxSource);

/** The same, asked of Prometheus, in `dashboards-prometheus/`. */
export const prometheusDashboards: Readonly<Record<string, Dashboard>> = madeFor(prometheusSource);

function madeFor(source: DataSource): Readonly<Record<string, Dashboard>> {
  return Object.fromEntries(frames.map((frame) => [`${frame.name}.json`, dashboard(frame, source)]));
}
