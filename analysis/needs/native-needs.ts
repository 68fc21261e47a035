import { canBeNative, canJudge, probesPerProcess, sentinelsOf } from '../../model/native-probes.js';
import type { Plan } from '../../model/plan.js';
import { fullShareOf } from '../../model/players.js';
import { type Participant, participantsOf, type Scenario } from '../../model/scenario.js';
import { sum } from '../statistics/statistics.js';
import { inboundStreamCost, type ProbeCost } from './probe-costs.js';

/** What is counted of the participants of a whole trial. */
type Grown = (count: (participants: readonly Participant[]) => number) => number;

/** Of a size, from the first two: what participants are counted for grows in step with it. */
export function grownTo(scenario: Scenario, size: number): Grown {
  const [one, two] = [1, 2].map((few) => participantsOf(scenario.sessions(few)));
  return (count) => {
    const [first, second] = [one ? count(one) : 0, two ? count(two) : 0];
    return first + (size - 1) * (second - first);
  };
}

/** How many probes of each kind a plan has, on so many hosts. */
export function probesByKind(plan: Pick<Plan, 'players' | 'networks'>, grown: Grown, hosts = 1) {
  const { players } = plan;
  const isNative = players.kind === 'native';
  const able = isNative ? grown((participants) => participants.filter(canBeNative).length) : 0;
  const browsers = isNative ? sum(sentinelsOf(strataOf(plan, grown, hosts), players.sentinels)) : 0;
  const native = able - browsers;
  const inBrowsers = grown((participants) => participants.length) - native;
  const full = Math.ceil(inBrowsers * fullShareOf(players));
  return [
    { kind: 'full', count: full },
    { kind: 'encoded', count: inBrowsers - full },
    { kind: 'native', count: native },
  ] as const;
}

/** How many who receive and could be native are in each role on each network and host, were all dealt evenly. */
function strataOf({ networks }: Pick<Plan, 'networks'>, grown: Grown, hosts: number): readonly number[] {
  const roles = new Set<string>();
  grown((participants) => {
    for (const { role } of participants.filter(canJudge)) roles.add(role);
    return 0;
  });
  const shares = networks?.map(({ sharePercent }) => sharePercent / 100) ?? [1];
  return [...roles].flatMap((role) => {
    const count = grown((all) => all.filter((one) => one.role === role && canJudge(one)).length);
    return shares.flatMap((share) => Array<number>(hosts).fill(Math.round((count * share) / hosts)));
  });
}

/** Ways that media goes between a probe and the server, and what they cost the server in ways that it gives. */
function waysOf({ legs }: Participant): { readonly own: number; readonly server: number } {
  const sending = legs.filter(({ sends }) => sends.length > 0).length;
  const receiving = legs.filter(({ receives }) => receives.length > 0).length;
  return { own: sending + receiving, server: inboundStreamCost * sending + receiving };
}

/** Of so many probes without a browser; the cost is that of one way. */
export function nativeNeeds(
  count: number,
  grown: Grown,
  { probeMb, browserMb, coresPerProbe, serverCoresPerProbe }: ProbeCost,
) {
  const able = grown((participants) => participants.filter(canBeNative).length);
  const each = (of: 'own' | 'server'): number =>
    grown((all) => all.filter(canBeNative).reduce((sum, one) => sum + waysOf(one)[of], 0)) / Math.max(1, able);
  return {
    pages: 0,
    browsers: 0,
    memoryMb: Math.ceil(count / probesPerProcess) * browserMb + count * probeMb,
    cores: count * each('own') * coresPerProbe,
    serverCores: count * each('server') * serverCoresPerProbe,
  };
}
