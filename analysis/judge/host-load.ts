import type { Evidence, ProbeHostReading, ServerReading, TurnReading } from '../../model/evidence.js';
import { given } from '../../model/given.js';
import { meanOver, type Spanning, spanning } from '../measure/over-time.js';
import type { TimeWindow } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import type { JudgeInput } from './judge-input.js';

/** The probe host over a span of time. Shares are of the time that was read, 0 to 1: no host is read at an even pace. */
export interface HostLoad {
  readonly seconds: number;
  /** In which next to nothing was left for the probes. */
  readonly saturatedShare: number;
  /**
   * Means over the saturated time, in cores. `otherCores` is neither probes, media server nor relay; absent if
   * unknown. `isLeast`: they may be more.
   */
  readonly saturated: {
    readonly busyCores: number;
    readonly probeCores: number;
    readonly otherCores?: number;
    readonly isLeast?: true;
  };
  readonly cores: number;
  /** Mean share of the host that a hypervisor took away. */
  readonly stolenShare: number;
  /** Mean share of the time slices in which a CPU quota held the browsers back; absent if unknown. */
  readonly throttledShare?: number;
  readonly memoryAvailableMbMin: number;
  /**
   * Share of the time in which its own link was full; absent where none is known, or none lies between it and the
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
  { evidence, sameHost, serverApart }: Pick<JudgeInput, 'evidence' | 'sameHost' | 'serverApart'>,
  span: TimeWindow,
): HostLoad | undefined {
  const serves = sameHost && serverApart !== true;
  const readings = spanning(evidence.probeHost, span).map((reading) => ({
    ...reading,
    serverCores: servingCoresAt(evidence, reading.atMs, serves),
  }));
  const [first] = readings;
  if (!first) return undefined;
  const full = readings.filter(isSaturated);
  const otherCores = meanOver(full, ({ busyCores, probeCores, serverCores }) =>
    serverCores === undefined ? undefined : Math.max(0, busyCores - probeCores - serverCores),
  );
  // Of probes on some cores alone nobody knows how much of the server runs on these: all of it at most.
  const isLeast = full.some(({ serverCores = 0, machineCores }) => machineCores !== undefined && serverCores > 0);
  const throttledShare = meanOver(readings, (reading) => reading.throttledShare);
  return {
    seconds: sum(readings.map(({ spanMs }) => spanMs)) / 1000,
    saturatedShare: meanOver(readings, (reading) => Number(isSaturated(reading))) ?? 0,
    saturated: {
      busyCores: meanOver(full, (reading) => reading.busyCores) ?? 0,
      probeCores: meanOver(full, (reading) => reading.probeCores) ?? 0,
      ...(otherCores === undefined ? {} : { otherCores }),
      ...(isLeast ? { isLeast } : {}),
    },
    cores: first.cores,
    stolenShare: meanOver(readings, (reading) => reading.stealCores / reading.cores) ?? 0,
    ...(throttledShare === undefined ? {} : { throttledShare }),
    memoryAvailableMbMin: Math.min(...readings.map((reading) => reading.memoryAvailableMb)),
    ...(sameHost ? {} : linkLoad(readings)),
  };
}

function linkLoad(readings: readonly Spanning<ProbeHostReading>[]): Pick<HostLoad, 'linkFullShare' | 'linkSpeedKbps'> {
  const isFull = ({ linkKbps, linkSpeedKbps }: ProbeHostReading) =>
    linkKbps === undefined || linkSpeedKbps === undefined
      ? undefined
      : Number(linkKbps / linkSpeedKbps >= linkFullShare);
  const linkSpeedKbps = readings.find((one) => isFull(one) !== undefined)?.linkSpeedKbps;
  return given({ linkFullShare: meanOver(readings, isFull), linkSpeedKbps });
}

function isSaturated(reading: ProbeHostReading & { readonly serverCores: number | undefined }): boolean {
  const { cores, machineCores, busyCores, stealCores, probeCores, serverCores } = reading;
  if (busyCores + stealCores >= fullShare * cores) return true;
  if (machineCores !== undefined) return probeCores >= probesFullShare * cores;
  return serverCores !== undefined && probeCores >= probesFullShare * (cores - serverCores);
}

/** What the media server and the relay use of the probes' cores; a relay elsewhere has no readings. */
function servingCoresAt({ server, turn }: Evidence, atMs: number, serves: boolean): number | undefined {
  const serverCores = serves ? coresAt(server, atMs) : 0;
  const turnCores = turn && turn.length > 0 ? coresAt(turn, atMs) : 0;
  return serverCores === undefined || turnCores === undefined ? undefined : serverCores + turnCores;
}

function coresAt(readings: readonly (ServerReading | TurnReading)[], atMs: number): number | undefined {
  const near = readings.filter((reading) => Math.abs(reading.atMs - atMs) <= serverReadingAgeMs);
  near.sort((a, b) => Math.abs(a.atMs - atMs) - Math.abs(b.atMs - atMs));
  return near.find((reading) => reading.cpuCores !== undefined)?.cpuCores;
}
