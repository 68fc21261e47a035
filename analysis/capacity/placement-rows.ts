import { type FleetPlacement, fleetPlacements } from '../../model/placement.js';
import { type CapacityAsk, hostsByChance, shareBy, unitsAtOnce } from './ask.js';
import type { HostChoice } from './fleet.js';
import type { Situation } from './situation.js';

/** What each placement would make of the hosts that are planned, and how many it would need. */
export interface PlacementRow {
  readonly region: string;
  readonly scenario: string;
  readonly hostType: string;
  readonly placement: FleetPlacement;
  readonly isAsked: boolean;
  /** Those that are needed while nothing fails. */
  readonly hosts: number;
  readonly perHost: number;
  /** Turned away, or overloaded. */
  readonly share: number;
  readonly hostsNeeded: number;
}

/** Of demands by chance whose hosts are all of one kind. */
export function placementRows(peak: Situation, choices: readonly HostChoice[], ask: CapacityAsk): PlacementRow[] {
  if (ask.together) return [];
  return peak.places.flatMap(({ region, wanted, fleets }) =>
    fleets.flatMap(({ counts }, index) => {
      const { byChance } = wanted[index] ?? {};
      const scenario = ask.demands[index]?.scenario ?? '';
      const [count] = counts;
      if (!byChance || byChance.fullHouse.what === 'waits' || !count || counts.length > 1) return [];
      const { fullHouse, loadErlangs } = byChance;
      const choice = choices.find(({ limit }) => limit.scenario === scenario && limit.hostType === count.hostType);
      const perHost = choice?.sure.units ?? 0;
      return fleetPlacements.map((placement): PlacementRow => {
        const own = { loadErlangs, fullHouse: { ...fullHouse, placement } };
        const load = { loadErlangs, hosts: count.needed, places: perHost };
        return {
          ...{ region, scenario, hostType: count.hostType, placement, isAsked: placement === fullHouse.placement },
          ...{ hosts: count.needed, perHost, share: shareBy(fullHouse)(placement, load) },
          hostsNeeded: hostsByChance(own, unitsAtOnce(own), perHost),
        };
      });
    }),
  );
}
