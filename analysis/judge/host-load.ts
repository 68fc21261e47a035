import type { Evidence, ProbeHostReading, ServerReading, TurnReading } from '../../model/evidence.js';
import { mean } from '../statistics/statistics.js';

/** The probe host over a span of time. Shares are of the seconds that were read, 0 to 1. */
export interface HostLoad {
  readonly seconds: number;
  /** Seconds in which next to nothing was left for the probes. */
  readonly saturatedShare: number;
  /**
   * Means over the saturated seconds, in cores. `otherCores` is neither probes, media server nor relay; absent if
   * unknown.
   */
  readonly saturated: { readonly busyCores: number; readonly probeCores: number; readonly otherCores?: number };
  readonly cores: number;
  /** Mean share of the host that a hypervisor took away. */
  readonly stolenShare: number;
  /** Mean share of the time slices in which a CPU quota held the browsers back; absent if unknown. */
  readonly throttledShare?: number;
  readonly memoryAvailableMbMin: number;
  /**
   * Share of the seconds in which its own link was full; absent where none is known, or none lies between it and the
   * server.
   */
  readonly linkFullShare?: number;
  readonly linkSpeedKbps?: number;
}

/** The host is full at 97 % (or the probes use 95 % of what the media server leaves): the rest is the kernel's own. */
const fullShare = 0.97;
const probesFullShare = 0.95;
/**
 * The kernel counts the bytes of frames; preamble, checksum and gap take another 24 bytes of each on Ethernet (IEEE
 * 802.3), 2 to 8 %.
 */
const linkFullShare = 0.92;
const serverReadingAgeMs = 1500;

export function hostLoadIn(
  evidence: Evidence,
  span: { readonly startMs: number; readonly endMs: number },
  sameHost: boolean,
): HostLoad | undefined {
  const readings = evidence.probeHost
    .filter((reading) => reading.atMs >= span.startMs && reading.atMs <= span.endMs)
    .map((reading) => ({ ...reading, serverCores: servingCoresAt(evidence, reading.atMs, sameHost) }));
  const [first] = readings;
  if (!first) return undefined;
  const full = readings.filter(isSaturated);
  // Of probes on some cores alone nobody knows how much of the server runs on these.
  const others = full.flatMap(({ busyCores, probeCores, serverCores, machineCores }) =>
    serverCores === undefined || machineCores !== undefined ? [] : Math.max(0, busyCores - probeCores - serverCores),
  );
  const otherCores = mean(others);
  const throttledShare = mean(readings.flatMap((reading) => reading.throttledShare ?? []));
  return {
    seconds: readings.length,
    saturatedShare: full.length / readings.length,
    saturated: {
      busyCores: mean(full.map((reading) => reading.busyCores)) ?? 0,
      probeCores: mean(full.map((reading) => reading.probeCores)) ?? 0,
      ...(otherCores === undefined ? {} : { otherCores }),
    },
    cores: first.cores,
    stolenShare: mean(readings.map((reading) => reading.stealCores / reading.cores)) ?? 0,
    ...(throttledShare === undefined ? {} : { throttledShare }),
    memoryAvailableMbMin: Math.min(...readings.map((reading) => reading.memoryAvailableMb)),
    ...(sameHost ? {} : linkLoad(readings)),
  };
}

function linkLoad(readings: readonly ProbeHostReading[]): Pick<HostLoad, 'linkFullShare' | 'linkSpeedKbps'> {
  const used = readings.flatMap(({ linkKbps, linkSpeedKbps }) =>
    linkKbps === undefined || linkSpeedKbps === undefined ? [] : { share: linkKbps / linkSpeedKbps, linkSpeedKbps },
  );
  const [first] = used;
  if (!first) return {};
  const full = used.filter(({ share }) => share >= linkFullShare);
  return { linkFullShare: full.length / used.length, linkSpeedKbps: first.linkSpeedKbps };
}

function isSaturated(reading: ProbeHostReading & { readonly serverCores: number | undefined }): boolean {
  const { cores, machineCores, busyCores, stealCores, probeCores, serverCores } = reading;
  if (busyCores + stealCores >= fullShare * cores) return true;
  if (machineCores !== undefined) return probeCores >= probesFullShare * cores;
  return serverCores !== undefined && probeCores >= probesFullShare * (cores - serverCores);
}

/** What the media server and the relay use of this host; a relay elsewhere has no readings. */
function servingCoresAt({ server, turn }: Evidence, atMs: number, sameHost: boolean): number | undefined {
  const serverCores = sameHost ? coresAt(server, atMs) : 0;
  const turnCores = turn && turn.length > 0 ? coresAt(turn, atMs) : 0;
  return serverCores === undefined || turnCores === undefined ? undefined : serverCores + turnCores;
}

function coresAt(readings: readonly (ServerReading | TurnReading)[], atMs: number): number | undefined {
  const near = readings.filter((reading) => Math.abs(reading.atMs - atMs) <= serverReadingAgeMs);
  near.sort((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs));
  return near.find((reading) => reading.cpuCores !== undefined)?.cpuCores;
}
