import type { ProbeHost } from '../../model/probe-host.js';
import type { Fleet, StartFleet } from '../../probes/fleet.js';
import { startSchedule } from '../../probes/schedule.js';

/** A host, and how probes are started on it. */
interface ToyHost {
  readonly facts: ProbeHost;
  readonly startFleet: StartFleet;
}

/**
 * A whole fleet over the fleets of several hosts, to which it deals participants in turn. It is the example of
 * `docs/reference/growing.md`.
 */
export function toyFleet(hosts: readonly ToyHost[]): StartFleet {
  return (options, listener) => {
    const members = hosts.map(({ facts, startFleet }) => startFleet({ ...options, host: facts.id }, listener));
    const all = async (act: (member: Fleet, nth: number) => Promise<void>) =>
      void (await Promise.all(members.map(act)));
    let order: readonly string[] = [];
    return {
      join: (participants, join) => {
        order = participants.map(({ id }) => id);
        const schedule = startSchedule(participants, join.pacePerSecond);
        const starts = new Map(schedule.map((start, nth) => [order[nth] ?? '', start]));
        const isOf = (member: number) => (_: unknown, nth: number) => nth % members.length === member;
        return all((member, nth) => member.join(participants.filter(isOf(nth)), { ...join, starts }));
      },
      hosts: () => hosts.map(({ facts }) => facts),
      records: () => {
        const records = new Map(members.flatMap((member) => member.records()).map((one) => [one.participant.id, one]));
        return order.flatMap((id) => records.get(id) ?? []);
      },
      readHosts: async () => (await Promise.all(members.map((member) => member.readHosts()))).flat(),
      leave: () => all((member) => member.leave()),
      close: () => all((member) => member.close()),
    };
  };
}
