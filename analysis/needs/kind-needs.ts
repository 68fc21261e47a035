import type { Plan } from '../../model/plan.js';
import { fullShareOf, judgedBySentinels, type PlayersOf } from '../../model/players.js';
import { type BrowserlessKind, type ProbeCost, type ProbeKind, probeKinds } from '../../model/probe-kinds.js';
import { type Participant, participantsOf, type Scenario, sourcesOf } from '../../model/scenario.js';
import { canJudge, sentinelsOf } from '../../model/sentinels.js';
import { sum } from '../statistics/statistics.js';
import { inboundStreamCost } from './probe-costs.js';

/** What is counted of the participants of a whole trial. */
type Grown = (count: (participants: readonly Participant[]) => number) => number;

/** What participants are counted for, by size: it grows in step, so that the first two sizes tell of all. */
export function growthOf(
  scenario: Scenario,
): (count: (participants: readonly Participant[]) => number) => (size: number) => number {
  const [one, two] = [1, 2].map((few) => participantsOf(scenario.sessions(few)));
  return (count) => {
    const [first, second] = [one ? count(one) : 0, two ? count(two) : 0];
    return (size) => first + (size - 1) * (second - first);
  };
}

/** The same of one size. */
export function grownTo(scenario: Scenario, size: number): Grown {
  const growth = growthOf(scenario);
  return (count) => growth(count)(size);
}

/** How many probes of each kind a plan has, on so many hosts. */
export function probesByKind(
  { players, networks }: Pick<Plan, 'players' | 'networks'>,
  grown: Grown,
  hosts = 1,
): readonly { readonly kind: ProbeKind; readonly count: number }[] {
  const all = grown((participants) => participants.length);
  const without = judgedBySentinels(players)
    ? [{ kind: players.kind, count: all - sentinelsAmong(players, networks, grown, hosts) }]
    : [];
  const inBrowsers = all - sum(without.map(({ count }) => count));
  const full = Math.ceil(inBrowsers * fullShareOf(players));
  return [{ kind: 'full', count: full }, { kind: 'encoded', count: inBrowsers - full }, ...without];
}

/** Were all who receive dealt evenly to roles, networks and hosts. */
function sentinelsAmong(
  { sentinels }: PlayersOf<BrowserlessKind>,
  networks: Plan['networks'],
  grown: Grown,
  hosts: number,
): number {
  const roles = new Set<string>();
  grown((participants) => {
    for (const one of participants) if (canJudge(one)) roles.add(one.role);
    return 0;
  });
  const shares = networks?.map(({ sharePercent }) => sharePercent / 100) ?? [1];
  const strata = [...roles].flatMap((role) => {
    const count = grown((all) => all.filter((one) => one.role === role && canJudge(one)).length);
    return shares.flatMap((share) => Array<number>(hosts).fill(Math.round((count * share) / hosts)));
  });
  return sum(sentinelsOf(strata, sentinels));
}

/**
 * Of what a way costs a probe without a browser: one more source over the same connection
 * (docs/lab/native-probes.md).
 */
const furtherSourceShare = 0.25;

/**
 * Ways that media goes between a probe and the server, and what they cost the server in ways that it gives: it sends
 * as many packets over one connection as over one for each source.
 */
function waysOf({ legs }: Participant): { readonly own: number; readonly server: number } {
  const sending = legs.filter(({ sends }) => sends.length > 0).length;
  const sources = legs.flatMap((leg) => (leg.receives.length > 0 ? Math.max(1, sourcesOf(leg).length) : []));
  return {
    own: sending + sum(sources.map((count) => 1 + furtherSourceShare * (count - 1))),
    server: inboundStreamCost * sending + sum(sources),
  };
}

/** Of so many probes without a browser; the cost is that of one way. */
export function needsWithoutBrowser(
  { kind, count }: { readonly kind: BrowserlessKind; readonly count: number },
  grown: Grown,
  { probeMb, browserMb, coresPerProbe, serverCoresPerProbe }: ProbeCost,
) {
  const { perProcess } = probeKinds[kind];
  const all = grown((participants) => participants.length);
  const each = (of: 'own' | 'server'): number =>
    grown((participants) => sum(participants.map((one) => waysOf(one)[of]))) / Math.max(1, all);
  return {
    pages: 0,
    browsers: 0,
    browserProbes: 0,
    memoryMb: Math.ceil(count / perProcess) * browserMb + count * probeMb,
    cores: count * each('own') * coresPerProbe,
    serverCores: count * each('server') * serverCoresPerProbe,
  };
}

/**
 * Costs are of 640×360: of a full probe a third grows with its picture (docs/lab/measuring.md). Pages are costed
 * as seen.
 */
export function pictureShare(kind: ProbeKind, { players, media: { width, height, simulcast } }: Plan): number {
  const isScaled = kind === 'full' && players.kind !== 'visiting';
  // Layers of half and of a quarter of the width are encoded beside it.
  const pixels = width * height * (simulcast ? 1 + 1 / 4 + 1 / 16 : 1);
  return isScaled ? 1 + 0.35 * (pixels / (640 * 360) - 1) : 1;
}
