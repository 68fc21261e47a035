import type { Capacity } from '../capacity/capacity.js';
import { csvLine } from './samples-csv.js';

/** For whatever starts and ends hosts by the clock: a line for each step of the daily curve. */
export function capacityCsv({ curve, asked }: Capacity): string {
  const head = ['time', ...asked.demands.map(({ scenario }) => scenario), 'hosts', 'hosts_at_least'];
  const rows = curve.map(({ time, units, hosts, fewest }) => [time, ...units, hosts, fewest ?? '']);
  return [head, ...rows].map(csvLine).join('');
}
