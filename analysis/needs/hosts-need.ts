import type { KindShares } from '../../model/calibration.js';
import type { Plan } from '../../model/plan.js';
import { eachKind } from '../../model/probe-kinds.js';
import { participantsOf, type Scenario } from '../../model/scenario.js';
import { sum } from '../statistics/statistics.js';
import { grownTo, probesByKind } from './kind-needs.js';
import { largestSize, largestThat } from './plan-cost.js';

/** A usable probe host, with how many probes of the played kinds it was calibrated to carry; absent: unknown. */
export interface CarryingHost {
  readonly id: string;
  readonly carries?: number;
}

/** How many hosts the largest size of a plan needs, and how many there are. An estimate: calibration plays calls. */
export interface HostsNeed {
  readonly size: number;
  readonly probes: number;
  readonly there: number;
  /** Together, those that were not calibrated counting nothing. */
  readonly carried: number;
  readonly notCalibrated: readonly string[];
  /** So many of those that are there, and then of ones like the largest of them; absent where none was calibrated. */
  readonly needed?: number;
  /** Of the needed, so many are not there. */
  readonly missing?: number;
  /** The largest size whose probes they carry; absent as above. */
  readonly fitting?: number;
}

export function hostsNeed(size: number, scenario: Scenario, hosts: readonly CarryingHost[]): HostsNeed {
  const probes = probesOf(scenario, size);
  const carrying = hosts.flatMap(({ carries = 0 }) => (carries > 0 ? [carries] : [])).sort((a, b) => b - a);
  const carried = sum(carrying);
  const notCalibrated = hosts.filter(({ carries }) => carries === undefined).map(({ id }) => id);
  const known = { size, probes, there: hosts.length, carried, notCalibrated };
  const [largest] = carrying;
  if (largest === undefined) return known;
  const missing = Math.max(0, Math.ceil((probes - carried) / largest));
  const fewest = carrying.findIndex((_, nth) => sum(carrying.slice(0, nth + 1)) >= probes);
  const needed = missing > 0 ? carrying.length + missing : fewest + 1;
  // Probes grow with the size.
  const fitting = largestThat(size, (smaller) => probesOf(scenario, smaller) <= carried);
  return { ...known, needed, missing, fitting };
}

function probesOf(scenario: Scenario, size: number): number {
  return participantsOf(scenario.sessions(size)).length;
}

/** How large a share of the probes is of each kind, at the largest size of a plan, on so many hosts. */
export function playedShares(plan: Plan, scenario: Scenario, hosts = 1): KindShares {
  const counts = probesByKind(plan, grownTo(scenario, largestSize(plan, scenario)), hosts);
  const all = Math.max(
    1,
    counts.reduce((total, { count }) => total + count, 0),
  );
  return eachKind((kind) => (counts.find((one) => one.kind === kind)?.count ?? 0) / all);
}
