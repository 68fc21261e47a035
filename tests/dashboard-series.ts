import { basename } from 'node:path';
import { prometheusDashboards } from '../docker/grafana/dashboards.js';
import type { StoredRun } from '../store/run-directory/read-run.js';
import { filledIn, queriesOfDashboard } from './dashboard-queries.js';
import type { PrometheusServer } from './prometheus-server.js';

/**
 * The queries of every dashboard for Prometheus that have no series of this run. Of an interval of the whole run, so
 * that what was of any of its seconds counts. One that Prometheus does not understand throws.
 */
export async function dashboardsWithoutSeries(server: PrometheusServer, run: StoredRun): Promise<readonly string[]> {
  const all = { scenario: '.*', server: '.*', run: basename(run.directory), trial: '.*', bars: '.*', probe: '.*' };
  const toMs = (run.records.at(-1)?.endedAtMs ?? 0) + 1000;
  const fromMs = (run.records[0]?.startedAtMs ?? 0) - 60_000;
  const whole = `${Math.ceil((toMs - fromMs) / 1000)}s`;
  const empty: string[] = [];
  for (const { where, query } of Object.values(prometheusDashboards).flatMap(queriesOfDashboard)) {
    const filled = asExpression(filledIn(query, all, fromMs, toMs, whole));
    if ((await server.query(filled, toMs)).length === 0) empty.push(`${where}: ${filled}`);
  }
  return empty;
}

/** Grafana asks `label_values(selector, label)` of a variable by another way than expressions. */
function asExpression(query: string): string {
  const [, selector, label] = /^label_values\((.*), (\w+)\)$/.exec(query) ?? [];
  return selector === undefined ? query : `count by (${label}) (last_over_time(${selector}[1h]))`;
}
