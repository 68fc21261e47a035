import type { Dashboard } from '@grafana/schema';
import type { DataSource } from './data-source.js';
import { type DashboardFrame, dashboard } from './frame.js';
import { influxSource } from './influx-source.js';
import { monitoringDashboard } from './monitoring-dashboard.js';
import { probesDashboard } from './probes-dashboard.js';
import { prometheusSource } from './prometheus-source.js';
import { runDashboard } from './run-dashboard.js';
import { serverDashboard } from './server-dashboard.js';

const frames: readonly DashboardFrame[] = [runDashboard, probesDashboard, serverDashboard, monitoringDashboard];

/** Each is a file of this name in `dashboards/`; `npm test -- docker/grafana -u all` writes them anew. */
export const dashboards: Readonly<Record<string, Dashboard>> = madeFor(influxSource);

/** The same, asked of Prometheus, in `dashboards-prometheus/`. */
export const prometheusDashboards: Readonly<Record<string, Dashboard>> = madeFor(prometheusSource);

function madeFor(source: DataSource): Readonly<Record<string, Dashboard>> {
  return Object.fromEntries(frames.map((frame) => [`${frame.name}.json`, dashboard(frame, source)]));
}
