import { highest, median } from '../statistics/statistics.js';
import type { MeasuredLimit } from './measured-limit.js';

/** What the runs of one scenario on one kind of host say together. */
export interface HostLimit extends Omit<MeasuredLimit, 'run'> {
  readonly runs: readonly string[];
}

/**
 * Runs of the same scenario on the same kind of host are repeats: what all of them were shown to hold is sure, and what
 * the best of them may hold is possible. Traffic is the middle one of theirs.
 */
export function hostLimits(measured: readonly MeasuredLimit[]): HostLimit[] {
  const groups = new Map<string, MeasuredLimit[]>();
  for (const one of measured) {
    const key = JSON.stringify([one.scenario, one.hostType]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => together(group));
}

function together(group: readonly MeasuredLimit[]): HostLimit[] {
  const [first] = group;
  if (!first) return [];
  const { scenario, unit, hostType, participantsPerUnit, participantsBeside, connectionsPerUnit, nature } = first;
  const basis = first.egress?.basis;
  const mbpsPerUnit = median(
    group.flatMap(({ egress }) => (egress?.basis === basis ? (egress?.mbpsPerUnit ?? []) : [])),
  );
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
      ...(connectionsPerUnit === undefined ? {} : { connectionsPerUnit }),
      ...(mbpsPerUnit === undefined || !basis ? {} : { egress: { mbpsPerUnit, basis } }),
      ...(ingressMbpsPerUnit === undefined ? {} : { ingressMbpsPerUnit }),
      ...(joinsPerSecond === undefined ? {} : { joinsPerSecond }),
      sharedHost: group.some(({ sharedHost }) => sharedHost),
    },
  ];
}
