import { expectedStreams } from '../../model/expected-streams.js';
import { loads } from '../../model/load.js';
import { firstServer, isSimulated, type Plan } from '../../model/plan.js';
import { isBrowserless, probeKinds } from '../../model/probe-kinds.js';
import type { Participant, Scenario } from '../../model/scenario.js';
import { conductorMb } from './conductor-needs.js';
import { grownTo, needsWithoutBrowser, pictureShare, probesByKind } from './kind-needs.js';
import { mixCost, type ProbeCosts, statedCosts, workOf } from './probe-costs.js';

/** What the trials of one size need of the host that plays the probes. */
export interface HostNeeds {
  readonly size: number;
  readonly probes: number;
  readonly pages: number;
  readonly browsers: number;
  /** Probes that are browsers, and the cores that these take; an estimate. */
  readonly browserProbes: number;
  readonly browserCores: number;
  /** Of the probes; the tool's own is apart. */
  readonly memoryMb: number;
  readonly conductorMb: number;
  /** That the probes send and receive. */
  readonly streams: number;
  /**
   * Of the probes, and of a media server that the run starts beside them, which takes no more than it is held to; an
   * estimate.
   */
  readonly cores: number;
  /** What that server would take if it were held to nothing. */
  readonly serverCores: number;
  /** Of the probes, and of the media server where it runs on the same host. */
  readonly udpPorts: number;
  /** In the one process that holds most of them. */
  readonly openFiles: number;
  /** Of ports and files the least: pages may open more connections than one. */
  readonly connectionsUnknown?: true;
}

/** A browser's or a server's own files, sockets and pipes. */
const ownFiles = 256;
/** Where a size is how fast people come, those who are there at a time. */
export function hostNeeds(plan: Plan, scenario: Scenario, size: number, costs: ProbeCosts = statedCosts): HostNeeds {
  const there = loads[plan.load.by].there?.(plan.load, scenario, size);
  if (there) return { ...hostNeeds(plan, there.scenario, there.size, costs), size };
  const grown = grownTo(scenario, size);
  const probes = grown((participants) => participants.length);
  const { counted, connectionsOf } = connectionCounts(plan);
  const legs = grown((participants) => participants.reduce((sum, one) => sum + connectionsOf(one), 0));
  const streams = grown((participants) => expectedStreams(participants).length);
  const onThisHost = startsServer(plan);
  const kinds = probesByKind(plan, grown).map(({ kind, count }) => {
    const cost = costs[kind];
    if (isBrowserless(kind)) return needsWithoutBrowser({ kind, count }, grown, cost);
    const work = grown((participants) =>
      participants.reduce((sum, one) => sum + workOf(one, probeKinds[kind].soundShare), 0),
    );
    // What a server elsewhere leaves free is not given to more probes: more were not seen to be carried.
    const spared = onThisHost ? 0 : cost.serverCoresPerProbe;
    const pages = Math.ceil(count / plan.probesPerPage);
    const browsers = Math.ceil(pages / plan.pagesPerBrowser);
    return {
      pages,
      browsers,
      browserProbes: count,
      memoryMb: browsers * cost.browserMb + count * cost.probeMb,
      cores: (count * work * (cost.coresPerProbe + spared) * pictureShare(kind, plan)) / Math.max(1, probes),
      serverCores: (count * work * cost.serverCoresPerProbe) / Math.max(1, probes),
    };
  });
  const together = (of: (kind: (typeof kinds)[number]) => number) => kinds.reduce((sum, kind) => sum + of(kind), 0);
  const mixerCores = grown((participants) => participants.reduce((sum, one) => sum + mixCost(one, costs), 0));
  const serverCores = onThisHost ? together((kind) => kind.serverCores) + mixerCores : 0;
  const pages = together((kind) => kind.pages);
  const browsers = together((kind) => kind.browsers);
  const legsPerBrowser = Math.ceil(legs / Math.max(1, browsers));
  return {
    size,
    probes,
    pages,
    browsers,
    browserProbes: together((kind) => kind.browserProbes),
    browserCores: together((kind) => (kind.browserProbes > 0 ? kind.cores : 0)),
    memoryMb: Math.round(together((kind) => kind.memoryMb)),
    conductorMb: conductorMb(streams),
    streams,
    cores: together((kind) => kind.cores) + Math.min(serverCores, cpuLimitOf(plan)),
    serverCores,
    udpPorts: legs * (onThisHost ? 2 : 1),
    openFiles: ownFiles + (onThisHost ? legs : legsPerBrowser),
    ...(counted ? {} : { connectionsUnknown: true }),
  };
}

/** A page of an app opens as many as it likes; nobody knows before one is looked at. */
function connectionCounts({ players }: Plan) {
  const seen = new Map(
    players.kind === 'visiting' ? players.expect?.map(({ role, connections }) => [role, connections]) : [],
  );
  const connectionsOf = ({ role, legs }: Participant) => Math.max(legs.length, seen.get(role) ?? 0);
  const counted = players.kind !== 'visiting' || [...seen.values()].some((count) => count !== undefined);
  return { counted, connectionsOf };
}

/** How many cores a server of the run is held to; Infinity where it is not held. */
export function cpuLimitOf({ server }: Plan): number {
  const { cpuLimitCores } = server as { readonly cpuLimitCores?: unknown };
  return typeof cpuLimitCores === 'number' ? cpuLimitCores : Number.POSITIVE_INFINITY;
}

/** A server with an address is there already; it may be on this host, which nobody knows before it is asked. */
export function startsServer({ server }: Plan): boolean {
  return !isSimulated(server) && firstServer(server).url === undefined;
}
