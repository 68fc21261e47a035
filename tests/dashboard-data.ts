import { dashboards } from '../docker/grafana/dashboards.js';
import type { StoredRun } from '../store/run-directory/read-run.js';
import { filledIn, queriesOfDashboard } from './dashboard-queries.js';
import type { InfluxServer } from './influx-server.js';

/** Where a variable of the dashboards stands for everything. */
const all = { scenario: '.*', server: '.*', run: '.*', trial: '.*', bars: '.*', probe: '.*' };

/** The queries of every dashboard that have no data for this run. One that InfluxDB does not understand throws. */
export async function dashboardsWithoutData(influx: InfluxServer, run: StoredRun): Promise<readonly string[]> {
  const fromMs = (run.records[0]?.startedAtMs ?? 0) - 60_000;
  const toMs = (run.records.at(-1)?.endedAtMs ?? 0) + 1000;
  const empty: string[] = [];
  for (const { where, query } of Object.values(dashboards).flatMap(queriesOfDashboard)) {
    const filled = filledIn(query, all, fromMs, toMs);
    const series = await influx.query(filled);
    const hasData = series.some((one) => one.values.some((row) => row.slice(1).some((value) => value !== null)));
    if (!hasData) empty.push(`${where}: ${filled}`);
  }
  return empty;
}
