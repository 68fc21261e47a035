import type { CapacityAsk } from './ask.js';
import { stepsOf } from './cost.js';
import { choicesOf } from './fleet.js';
import type { HostLimit } from './host-limit.js';
import { tieredCost } from './price-tiers.js';
import type { Situation } from './situation.js';

/** What a small change is worth, without rounding to whole hosts: the slope, and not the next step. */
export interface Sensitivity {
  readonly change: string;
  /** Hosts that are not needed then, of those at the busiest moment. */
  readonly fewerHosts: number;
  /** Absent without prices. */
  readonly savedPerMonth?: number;
}

/**
 * One percent of what binds a host is one percent more per host; of what does not bind, nothing. Hosts are priced as
 * they are at the busiest moment, times the share of it that the month's bill is.
 */
export function sensitivities(
  peak: Situation,
  limits: readonly HostLimit[],
  ask: CapacityAsk,
  month: { readonly hosts: number; readonly egressGb: number | null } | null,
): Sensitivity[] {
  const binds = bindingTypes(limits, ask);
  const needed = (which: (hostType: string) => boolean) =>
    peak.places
      .flatMap(({ fleets }) => fleets.flatMap(({ counts }) => counts))
      .filter(({ hostType }) => which(hostType))
      .reduce((sum, count) => sum + count.needed, 0);
  const ofLimit = needed((hostType) => binds.get(hostType) === 'measured limit');
  const ofLink = needed((hostType) => binds.get(hostType) === 'link');
  const more = 1 - 1 / 1.01;
  const free = 1 - ask.headroom;
  const saved = (hosts: number, traffic = 0) =>
    month ? { savedPerMonth: (peak.hosts === 0 ? 0 : (month.hosts * hosts) / peak.hosts) + traffic } : {};
  const row = (change: string, hosts: number, traffic = 0): Sensitivity => ({
    change,
    fewerHosts: hosts,
    ...saved(hosts, traffic),
  });
  return [
    row('1 % more per host (its measured limit)', ofLimit * more),
    row('1 % less bit rate', ofLink * more, egressSaved(ask, month?.egressGb ?? null)),
    ...(ask.headroom >= 0.01
      ? [row('head-room smaller by 1 point', (ofLimit + ofLink) * (1 - free / (free + 0.01)))]
      : []),
  ];
}

function bindingTypes(limits: readonly HostLimit[], ask: CapacityAsk): ReadonlyMap<string, string> {
  return new Map(choicesOf(limits, ask).map(({ limit, sure }) => [limit.hostType, sure.binds]));
}

function egressSaved({ prices }: CapacityAsk, egressGb: number | null): number {
  if (!prices?.egress || egressGb === null) return 0;
  const steps = stepsOf(prices.egress);
  return tieredCost(egressGb, steps) - tieredCost(0.99 * egressGb, steps);
}
