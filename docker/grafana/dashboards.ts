import type { Dashboard } from '@grafana/schema';
import { monitoringDashboard } from './monitoring-dashboard.js';
import { probesDashboard } from './probes-dashboard.js';
import { runDashboard } from './run-dashboard.js';
import { serverDashboard } from './server-dashboard.js';

/** Each is a file of this name in `dashboards/`; `npm test -- docker/grafana -u all` writes them anew. */
export const dashboards: Readonly<Record<string, Dashboard>> = {
  'run.json': runDashboard,
  'probes.json': probesDashboard,
  'server.json': serverDashboard,
  'monitoring.json': monitoringDashboard,
};
