import { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { groupedBy } from '../../model/grouped.js';
import { highest, median } from '../statistics/statistics.js';
import type { MeasuredLimit } from './measured-limit.js';

export interface HostLimit extends Omit<MeasuredLimit, 'run' | 'server'> {
  readonly runs: readonly string[];
}

/**
 * Runs of the same scenario on the same kind of host are repeats: what all of them were shown to hold is sure, and what
 * the best of them may hold is possible. Traffic is the middle one of theirs. Throws E_USAGE where other servers ran on
 * what is called one kind of host: the least of two products is the limit of neither.
 */
export function hostLimits(measured: readonly MeasuredLimit[]): HostLimit[] {
  const groups = groupedBy(measured, ({ scenario, hostType }) => JSON.stringify([scenario, hostType]));
  return [...groups.values()].flatMap(together);
}

function together(group: readonly MeasuredLimit[]): HostLimit[] {
  const [first] = group;
  if (!first) return [];
  const other = group.find(({ server }) => server !== first.server);
  if (other) throw differentServers(first, other);
  const { scenario, unit, hostType, participantsPerUnit, participantsBeside, nature } = first;
  const { connectionsPerUnit, connectionsBeside } = first;
  const basis = first.egress?.basis;
  const ofBasis = group.flatMap(({ egress }) => (egress && egress.basis === basis ? [egress] : []));
  const mbpsPerUnit = median(ofBasis.map((egress) => egress.mbpsPerUnit));
  const mbpsBeside = median(ofBasis.map((egress) => egress.mbpsBeside ?? 0));
  const ingressMbpsPerUnit = median(group.flatMap((one) => one.ingressMbpsPerUnit ?? []));
  const joinsPerSecond = highest(group.flatMap((one) => one.joinsPerSecond ?? []));
  const isOpen = group.some(({ atMost }) => atMost === null);
  return [
    {
      ...{ scenario, unit, hostType, participantsPerUnit, participantsBeside, nature },
      runs: group.map(({ run }) => run),
      passes: Math.min(...group.map(({ passes }) => passes)),
      atLeast: Math.min(...group.map(({ atLeast }) => atLeast)),
      atMost: isOpen ? null : Math.max(...group.map(({ atMost }) => atMost ?? 0)),
      ...given({ connectionsPerUnit, connectionsBeside }),
      ...(mbpsPerUnit === undefined || !basis
        ? {}
        : { egress: { mbpsPerUnit, basis, ...(mbpsBeside ? { mbpsBeside } : {}) } }),
      ...given({ ingressMbpsPerUnit, joinsPerSecond }),
      sharedHost: group.some(({ sharedHost }) => sharedHost),
    },
  ];
}

function differentServers(one: MeasuredLimit, other: MeasuredLimit): LoadlineError {
  return new LoadlineError('E_USAGE', `The runs of ${one.scenario} on ${one.hostType} are of different servers.`, {
    where: `${one.run}, ${other.run}`,
    why: `${one.server} | ${other.server}`,
    todo: 'give each its own kind of host, NAME=RUN, or leave one out',
  });
}
