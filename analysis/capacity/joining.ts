import type { CapacityAsk } from './ask.js';
import type { HostChoice } from './fleet.js';
import type { Situation } from './situation.js';

/** How long it takes until all of a match's start, or of any beginning, are in: hosts fill side by side. */
export interface Joining {
  readonly scenario: string;
  readonly hostType: string;
  readonly participantsPerHost: number;
  readonly joinsPerSecond: number;
  /** Said by the user, or the pace of the runs, which a host may well exceed. */
  readonly basis: 'asked' | 'pace of the runs';
  readonly seconds: number;
}

/** Of the kinds of host that are used; a kind of whose joins nothing is known is left out. */
export function joiningOf(choices: readonly HostChoice[], peak: Situation, ask: CapacityAsk): Joining[] {
  const used = new Set(peak.places.flatMap(({ fleets }) => fleets.flatMap(({ counts }) => counts.map(typeOf))));
  return choices.flatMap(({ limit, sure }): Joining[] => {
    const { scenario, hostType, participantsPerUnit, participantsBeside } = limit;
    const joinsPerSecond = ask.joinsPerSecond ?? limit.joinsPerSecond;
    if (!used.has(hostType) || joinsPerSecond === undefined) return [];
    const participantsPerHost = sure.units * participantsPerUnit + participantsBeside;
    return [
      {
        scenario,
        hostType,
        participantsPerHost,
        joinsPerSecond,
        basis: ask.joinsPerSecond === undefined ? 'pace of the runs' : 'asked',
        seconds: participantsPerHost / joinsPerSecond,
      },
    ];
  });
}

const typeOf = ({ hostType }: { readonly hostType: string }) => hostType;
