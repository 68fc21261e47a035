import { given } from '../../model/given.js';
import { givenTo } from '../../model/given-to.js';
import type { MemberLoadSummary } from '../../model/load-summary.js';
import { type ClusterPlacement, clusterName } from '../../model/placement.js';
import { isCluster, isSimulated, weightsOf } from '../../model/plan.js';
import type { Manifest, MemberFacts } from '../../model/run.js';
import type { TrialRecord } from '../../model/trial.js';
import { type Spread, spreadAmong } from '../statistics/spread.js';

/** A server of a cluster as the plan has it. */
export interface ClusterServerAsked {
  readonly server: string;
  readonly weight: number;
  readonly hostType?: string;
  /** What it holds alone; absent: not known. */
  readonly alone?: number;
  readonly facts?: MemberFacts;
}

interface ClusterAsked {
  readonly placement: ClusterPlacement;
  readonly servers: readonly ClusterServerAsked[];
}

/** One server of a cluster in one trial, with what it took; what was not read is absent. */
export interface ServerInTrial extends ServerShare, Omit<MemberLoadSummary, 'server'> {
  /** That of its own sessions; void when the trial is. */
  readonly verdict: TrialRecord['verdict']['kind'];
  /** Share of what it holds alone, or of its known capacity; 1 is full. Absent unless all servers have one. */
  readonly use?: number;
}

/** Undefined where the run was of one server. */
export function clusterOf({ plan, server: { servers: facts = [] } }: Manifest): ClusterAsked | undefined {
  const { server } = plan;
  if (isSimulated(server)) {
    if (!server.cluster) return undefined;
    const { capacities, placement } = server.cluster;
    return {
      placement,
      servers: capacities.map((alone, nth) => ({ server: clusterName(nth), weight: alone, alone })),
    };
  }
  if (!isCluster(server)) return undefined;
  const weights = weightsOf(server);
  const servers = server.members.map(({ name, hostType, alone }, nth): ClusterServerAsked => {
    const own = facts.find((one) => one.server === name);
    return {
      server: name,
      weight: weights[nth] ?? 1,
      ...given({ hostType, alone: alone?.stable, facts: own }),
    };
  });
  return { placement: server.placement, servers };
}

/** What the servers hold alone, together; undefined where that is not known of each. */
export function sumAlone({ servers }: ClusterAsked): number | undefined {
  return servers.reduce<number | undefined>(
    (sum, { alone }) => (sum === undefined || alone === undefined ? undefined : sum + alone),
    0,
  );
}

export function serversIn(record: TrialRecord, { servers }: ClusterAsked): readonly ServerInTrial[] {
  const shares = serverShares(
    record,
    servers.map(({ server }) => server),
  );
  const seen = servers.map((asked, nth) => {
    const { server: _, ...load } = record.load.servers?.find(({ server }) => server === asked.server) ?? { server: '' };
    return { asked, load, share: shares[nth] ?? { server: asked.server, sessions: 0, failing: 0 } };
  });
  const ofAlone = seen.map(({ asked, share }) => (asked.alone ? share.sessions / asked.alone : undefined));
  const uses = ofAlone.includes(undefined) ? seen.map(({ asked, load }) => fullest(asked, load)) : ofAlone;
  const isKnown = !uses.includes(undefined);
  return seen.map(({ share, load }, nth) => {
    const use = uses[nth];
    return { ...share, ...load, verdict: verdictOf(share, record), ...(isKnown && use !== undefined ? { use } : {}) };
  });
}

/** How evenly the servers of a cluster are used; undefined where how full they are is not known. */
export function spreadOfUse(servers: readonly ServerInTrial[]): Spread | undefined {
  const uses = servers.flatMap(({ use }) => use ?? []);
  return uses.length === servers.length ? spreadAmong(uses) : undefined;
}

/** Of what there is known to be so much of, the fullest. */
function fullest({ facts }: ClusterServerAsked, load: Omit<MemberLoadSummary, 'server'>): number | undefined {
  const { cores, upLinkBps } = givenTo(facts ?? {});
  const shares = [
    cores === undefined || load.coresMean === undefined ? [] : [load.coresMean / cores],
    upLinkBps === undefined || load.egressMbpsMean === undefined ? [] : [(1e6 * load.egressMbpsMean) / upLinkBps],
  ].flat();
  return shares.length === 0 ? undefined : Math.max(...shares);
}

function verdictOf({ failing }: ServerShare, { verdict }: TrialRecord): ServerInTrial['verdict'] {
  if (verdict.kind !== 'unstable') return verdict.kind;
  return failing > 0 ? 'unstable' : 'stable';
}

interface ServerShare {
  readonly server: string;
  readonly sessions: number;
  /** Those of them that a reason of the verdict is about. */
  readonly failing: number;
}

/** What each of these servers of a cluster had, in their order; one on which nothing was placed had none. */
function serverShares({ events, probes, verdict }: TrialRecord, servers: readonly string[]): ServerShare[] {
  const placed = new Map<string, string>();
  for (const event of events) {
    if (event.type === 'server' && event.kind === 'placed') placed.set(event.session, event.server);
  }
  const sessionOf = new Map(probes.map(({ participant }) => [participant.id, participant.session] as const));
  const failing = new Set(
    verdict.reasons.flatMap(
      ({ probe, session }) => session ?? (probe === undefined ? [] : (sessionOf.get(probe) ?? [])),
    ),
  );
  const shares = new Map(servers.map((server) => [server, { sessions: 0, failing: 0 }]));
  for (const [session, server] of placed) {
    const before = shares.get(server);
    if (!before) continue;
    shares.set(server, { sessions: before.sessions + 1, failing: before.failing + (failing.has(session) ? 1 : 0) });
  }
  return [...shares].map(([server, share]) => ({ server, ...share }));
}
