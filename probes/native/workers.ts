import { probeKinds } from '../../model/probe-kinds.js';

interface WorkerPlace {
  /** Index among all processes. */
  readonly worker: number;
  readonly network?: string;
}

/**
 * Which process plays each participant: those of one network are in processes of their own, as few as
 * `perProcess` of their kind allows and no more than cores, dealt one after the other.
 */
export function layOutWorkers(
  participants: readonly { readonly network?: string }[],
  cores: number,
): readonly WorkerPlace[] {
  const groups = new Map<string | undefined, number>();
  for (const { network } of participants) groups.set(network, (groups.get(network) ?? 0) + 1);
  const first = new Map<string | undefined, { readonly from: number; readonly count: number }>();
  let from = 0;
  for (const [network, members] of groups) {
    const count = Math.min(Math.max(1, cores), Math.ceil(members / probeKinds.native.perProcess));
    first.set(network, { from, count });
    from += count;
  }
  const dealt = new Map<string | undefined, number>();
  return participants.map(({ network }) => {
    const nth = dealt.get(network) ?? 0;
    dealt.set(network, nth + 1);
    const group = first.get(network) ?? { from: 0, count: 1 };
    return { worker: group.from + (nth % group.count), ...(network === undefined ? {} : { network }) };
  });
}
