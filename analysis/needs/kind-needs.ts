import type { Plan } from '../../model/plan.js';
import { fullShareOf, judgedBySentinels, type PlayersOf } from '../../model/players.js';
import { type BrowserlessKind, type ProbeCost, type ProbeKind, probeKinds } from '../../model/probe-kinds.js';
import { type Participant, participantsOf, type Scenario } from '../../model/scenario.js';
import { canJudge, sentinelsOf } from '../../model/sentinels.js';
import { sum } from '../statistics/statistics.js';
import { inboundStreamCost } from './probe-costs.js';

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
export function probesByKind(
  { players, networks }: Pick<Plan, 'players' | 'networks'>,
  grown: Grown,
  hosts = 1,
): readonly { readonly kind: ProbeKind; readonly count: number }[] {
  const without = judgedBySentinels(players)
    ? [{ kind: players.kind, count: ableOf(players.kind, grown) - sentinelsAmong(players, networks, grown, hosts) }]
    : [];
  const inBrowsers = grown((participants) => participants.length) - sum(without.map(({ count }) => count));
  const full = Math.ceil(inBrowsers * fullShareOf(players));
  return [{ kind: 'full', count: full }, { kind: 'encoded', count: inBrowsers - full }, ...without];
}

/** How many of a whole trial a kind could play. */
function ableOf(kind: BrowserlessKind, grown: Grown): number {
  return grown((participants) => participants.filter(probeKinds[kind].canPlay).length);
}

/** Were all who receive dealt evenly to roles, networks and hosts. */
function sentinelsAmong(
  { kind, sentinels }: PlayersOf<BrowserlessKind>,
  networks: Plan['networks'],
  grown: Grown,
  hosts: number,
): number {
  const roles = new Set<string>();
  grown((participants) => {
    for (const one of participants) if (canJudge(kind, one)) roles.add(one.role);
    return 0;
  });
  const shares = networks?.map(({ sharePercent }) => sharePercent / 100) ?? [1];
  const strata = [...roles].flatMap((role) => {
    const count = grown((all) => all.filter((one) => one.role === role && canJudge(kind, one)).length);
    return shares.flatMap((share) => Array<number>(hosts).fill(Math.round((count * share) / hosts)));
  });
  return sum(sentinelsOf(strata, sentinels));
}

/** Ways that media goes between a probe and the server, and what they cost the server in ways that it gives. */
function waysOf({ legs }: Participant): { readonly own: number; readonly server: number } {
  const sending = legs.filter(({ sends }) => sends.length > 0).length;
  const receiving = legs.filter(({ receives }) => receives.length > 0).length;
  return { own: sending + receiving, server: inboundStreamCost * sending + receiving };
}

/** Of so many probes without a browser; the cost is that of one way. */
export function needsWithoutBrowser(
  { kind, count }: { readonly kind: BrowserlessKind; readonly count: number },
  grown: Grown,
  { probeMb, browserMb, coresPerProbe, serverCoresPerProbe }: ProbeCost,
) {
  const { canPlay, perProcess } = probeKinds[kind];
  const each = (of: 'own' | 'server'): number =>
    grown((all) => all.filter(canPlay).reduce((sum, one) => sum + waysOf(one)[of], 0)) /
    Math.max(1, ableOf(kind, grown));
  return {
    pages: 0,
    browsers: 0,
    memoryMb: Math.ceil(count / perProcess) * browserMb + count * probeMb,
    cores: count * each('own') * coresPerProbe,
    serverCores: count * each('server') * serverCoresPerProbe,
  };
}
