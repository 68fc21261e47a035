import { givenTo } from '../../model/given-to.js';
import type { LoadSummary } from '../../model/load-summary.js';
import type { HostFacts, ServerFacts } from '../../model/run.js';
import type { StreamSummary } from '../../model/trial.js';
import type { Used, UsedKind } from '../../model/used.js';
import { lowest, sum } from '../statistics/statistics.js';

/** The server and the probe host, as far as they are known. */
interface ServerAndHost {
  readonly server: Pick<ServerFacts, 'sameHost' | 'cpuLimitCores' | 'egressLimitBps' | 'heldTo'>;
  readonly host: Partial<Pick<HostFacts, 'cores'>>;
}

interface TrialSeen {
  readonly load: LoadSummary;
  readonly streams: readonly StreamSummary[];
  /** How many hosts its probes were on. */
  readonly hosts: number;
}

/** Resources that a trial used, with the amount available where it is known. What was not read is absent. */
export function usedOf({ server, host }: ServerAndHost, { load, streams, hosts }: TrialSeen): readonly Used[] {
  const { egressLimitBps, sameHost } = server;
  const { serverCpuQuotaCores, serverHostCores, serverMemoryLimitMb, probeHostBusyPercentMean } = load;
  const ownQuota = load.quotaCoresMean === undefined ? serverCpuQuotaCores : undefined;
  const limits = [givenTo(server).cores, ownQuota, serverHostCores, sameHost ? host.cores : undefined];
  const cores = lowest(limits.flatMap((limit) => limit ?? []));
  const egressMbps = egressLimitBps === undefined ? undefined : egressLimitBps / 1e6;
  const probeCores = load.probeHostCores ?? host.cores;
  const busy =
    probeHostBusyPercentMean === undefined || probeCores === undefined || hosts > 1
      ? undefined
      : (probeHostBusyPercentMean / 100) * probeCores;
  return [
    used('server-cpu', load.serverCoresMean, cores),
    used('host-cpu', busy, probeCores),
    used('server-memory', load.limitMemoryMbMax ?? load.serverRssMbMax, serverMemoryLimitMb),
    used('egress', load.serverEgressMbpsMean, egressMbps),
    used('delivered', deliveredMbps(streams), undefined),
  ].flatMap((one) => one ?? []);
}

function used(what: UsedKind, amount: number | undefined, available: number | undefined): Used | undefined {
  if (amount === undefined) return undefined;
  return { what, amount, ...(available === undefined ? {} : { available }) };
}

/** Payload of all received streams together. */
function deliveredMbps(streams: readonly StreamSummary[]): number | undefined {
  const rates = streams.flatMap(({ direction, values: { bitrateKbps } }) =>
    direction === 'receive' && bitrateKbps !== undefined ? [bitrateKbps] : [],
  );
  return rates.length === 0 ? undefined : sum(rates) / 1000;
}
