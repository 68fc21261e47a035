import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { givenTo } from '../../model/given-to.js';
import type { ClusterPlacement } from '../../model/placement.js';
import type { MemberFacts } from '../../model/run.js';
import {
  type ClusterServerAsked,
  clusterOf,
  type ServerInTrial,
  serversIn,
  spreadOfUse,
  sumAlone,
} from '../measure/cluster-servers.js';
import type { Spread } from '../statistics/spread.js';
import { failedSizes, sizeShown } from './shown-sizes.js';

export interface ClusterAtSize {
  readonly size: number;
  readonly trial: number;
  readonly servers: readonly ServerInTrial[];
  /** How evenly they are used; absent where how full they are is not known. */
  readonly spread?: Spread;
}

export interface ClusterAccount {
  readonly placement: ClusterPlacement;
  readonly servers: readonly ClusterServerAsked[];
  /** What they hold alone, together; absent where that is not known of each. */
  readonly sumAlone?: number;
  /** At the largest size that it held; absent where it held none. */
  readonly atLimit?: ClusterAtSize;
  /** At the sizes that failed, in a trial of each. */
  readonly above: readonly ClusterAtSize[];
  /** On which server failures began, as load grew; absent where several failed alike at the smallest size that did. */
  readonly failedFirst?: ServerInTrial;
}

export function clusterAccount(run: FinishedRun): ClusterAccount | undefined {
  const cluster = clusterOf(run.manifest);
  if (!cluster) return undefined;
  const atSize = (size: number, kind: 'stable' | 'unstable'): ClusterAtSize | undefined => {
    const record = run.records.findLast((one) => one.size === size && one.verdict.kind === kind);
    if (!record) return undefined;
    const servers = serversIn(record, cluster);
    const spread = spreadOfUse(servers);
    return { size, trial: record.index, servers, ...(spread ? { spread } : {}) };
  };
  const held = sizeShown(run);
  const atLimit = held === null ? undefined : atSize(held, 'stable');
  const above = failedSizes(run).flatMap((size) => atSize(size, 'unstable') ?? []);
  const failedFirst = firstOf(above, cluster.servers);
  const sum = sumAlone(cluster);
  return {
    ...cluster,
    ...given({ sumAlone: sum, atLimit }),
    above,
    ...(failedFirst ? { failedFirst } : {}),
  };
}

/**
 * The server with the largest share of failing sessions at the smallest size that failed. Of several alike, the one
 * whose own evidence says that it was full; undefined where that does not tell them apart.
 */
function firstOf(above: readonly ClusterAtSize[], asked: readonly ClusterServerAsked[]): ServerInTrial | undefined {
  const [smallest] = [...above].sort((a, b) => a.size - b.size);
  const shareOf = ({ failing, sessions }: ServerInTrial) => failing / Math.max(1, sessions);
  const failing = (smallest?.servers ?? []).filter((server) => server.failing > 0);
  const most = Math.max(...failing.map(shareOf));
  const worst = failing.filter((server) => shareOf(server) === most);
  const factsOf = ({ server }: ServerInTrial) => asked.find((one) => one.server === server)?.facts;
  const full = worst.filter((server) => whatIsFull(server, factsOf(server)) !== undefined);
  if (worst.length === 1) return worst[0];
  return full.length === 1 ? full[0] : undefined;
}

/** More of a CPU than this in use is a full one. */
const fullShare = 0.9;

/** Of what a server was seen to have run out, by its own evidence. */
export function whatIsFull(
  { egressDropped = 0, egressMbpsMean, coresMean }: ServerInTrial,
  facts: Partial<MemberFacts> = {},
): 'up-link' | 'cpu' | undefined {
  const { cores, upLinkBps } = givenTo(facts);
  if (upLinkBps !== undefined && egressMbpsMean !== undefined && egressDropped > 0) return 'up-link';
  if (cores !== undefined && coresMean !== undefined && coresMean >= fullShare * cores) return 'cpu';
  return undefined;
}
