import type { StatsEntry, StatsReport } from '../probes/page/stats-report.js';
import { randomFrom } from './random.js';

/** What truly happened to the packets of one sent stream, and what a getStats would have said of it at any time. */
export interface SentHistory {
  readonly packets: readonly SentPacket[];
  readonly reports: readonly ServerReport[];
  readonly rttMs: number;
  /** Round trips that reports measure lie so far from `rttMs` at most. */
  readonly rttNoiseMs: number;
  readonly longestReportMs: number;
  readonly mostPerSecond: number;
}

interface SentPacket {
  readonly atMs: number;
  readonly isLost: boolean;
  /** Without RTX: sent again under its own number at this time, and arrived. */
  readonly againMs?: number;
}

/** A receiver report (RFC 3550 6.4.2) as it arrives: cumulative, of everything that had come when it left. */
interface ServerReport {
  readonly leftMs: number;
  readonly arrivesMs: number;
  readonly lost: number;
  readonly roundTripMs: number;
  readonly isWrapped: boolean;
}

/** What the round trip of a report that underflowed is too long by. */
const wrapMs = 1_526_290;
export const historyMs = 90_000;
const firstPacketMs = 300;

export function sentHistory(seed: number): SentHistory {
  const random = randomFrom(seed * 7919);
  const between = (low: number, high: number) => low + (high - low) * random();
  const rttMs = between(2, 250);
  const [slow, fast] = [between(20, 60), between(60, 110)];
  const turnMs = between(0, historyMs);
  const [enter, leave] = [between(0, 0.03), between(0.15, 1)];
  const repaired = random() < 0.5 ? between(0.3, 1) : 0;
  const packets: SentPacket[] = [];
  let inBurst = false;
  for (let atMs = firstPacketMs; atMs < historyMs; atMs += (1000 / (atMs < turnMs ? slow : fast)) * between(0.8, 1.2)) {
    inBurst = inBurst ? random() > leave : random() < enter;
    const again = inBurst && random() < repaired ? { againMs: atMs + 1.5 * rttMs } : {};
    packets.push({ atMs, isLost: inBurst, ...again });
  }
  const usualMs = between(500, 6000);
  const rttNoiseMs = between(0, rttMs / 2);
  const wraps = random() < 0.5 ? 0.1 : 0;
  const reports: ServerReport[] = [];
  for (let leftMs = 800 + between(0, usualMs); leftMs < historyMs; leftMs += usualMs * between(0.85, 1.15)) {
    const isWrapped = random() < wraps;
    const roundTripMs = rttMs + between(-rttNoiseMs, rttNoiseMs) + (isWrapped ? wrapMs : 0);
    const lost = lostBy(packets, leftMs, rttMs);
    reports.push({ leftMs, arrivesMs: leftMs + rttMs / 2, lost, roundTripMs, isWrapped });
  }
  return { packets, reports, rttMs, rttNoiseMs, longestReportMs: usualMs * 1.15, mostPerSecond: fast / 0.8 };
}

/**
 * As the server counts: expected up to the highest number that it has, less what it has, late and resent ones included.
 */
function lostBy(packets: readonly SentPacket[], atMs: number, rttMs: number): number {
  const sentMs = atMs - rttMs / 2;
  const known = packets.filter((packet) => packet.atMs <= sentMs);
  const highest = known.findLastIndex(({ isLost }) => !isLost);
  return known
    .slice(0, highest + 1)
    .filter(({ isLost, againMs }) => isLost && (againMs === undefined || againMs > sentMs)).length;
}

/** What getStats says of it: totals up to now, and the report that came last. */
export function sentStats({ packets, reports }: SentHistory, nowMs: number): StatsReport {
  const first = packets.filter(({ atMs }) => atMs <= nowMs).length;
  const again = packets.filter(({ againMs }) => againMs !== undefined && againMs <= nowMs).length;
  const come = reports.filter(({ arrivesMs }) => arrivesMs <= nowMs);
  const last = come.at(-1);
  const outbound: StatsEntry = {
    id: 'OUT',
    type: 'outbound-rtp',
    kind: 'video',
    timestamp: nowMs,
    packetsSent: first + again,
    retransmittedPacketsSent: again,
    bytesSent: 1000 * (first + again),
    framesSent: first,
    ...(last ? { remoteId: 'REMOTE' } : {}),
  };
  if (!last) return new Map([['OUT', outbound]]);
  const remote: StatsEntry = {
    id: 'REMOTE',
    type: 'remote-inbound-rtp',
    kind: 'video',
    timestamp: last.arrivesMs,
    packetsLost: last.lost,
    jitter: 0.004,
    roundTripTime: last.roundTripMs / 1000,
    roundTripTimeMeasurements: come.length,
  };
  return new Map([
    ['OUT', outbound],
    ['REMOTE', remote],
  ]);
}

/** What truly happened to one received stream. */
export interface ReceivedHistory {
  /** When each packet came, or was noticed as missing; `againMs` when it came after all. */
  readonly packets: readonly { readonly atMs: number; readonly isLost: boolean; readonly againMs?: number }[];
  readonly framesMs: readonly number[];
  readonly freezes: readonly { readonly fromMs: number; readonly toMs: number }[];
  readonly rtx: boolean;
  readonly jitterAt: (ms: number) => number;
  /** How much jitter changes in a second at most. */
  readonly jitterPerSecond: number;
}

const frameMs = 1000 / 30;

export function receivedHistory(seed: number): ReceivedHistory {
  const random = randomFrom(seed * 104_729);
  const between = (low: number, high: number) => low + (high - low) * random();
  const [enter, leave, repaired] = [between(0, 0.04), between(0.15, 1), between(0, 1)];
  const packets: { atMs: number; isLost: boolean; againMs?: number }[] = [];
  const againAfterMs = between(5, 600);
  let inBurst = false;
  for (let atMs = firstPacketMs; atMs < historyMs; atMs += between(8, 25)) {
    inBurst = inBurst ? random() > leave : random() < enter;
    packets.push({
      atMs,
      isLost: inBurst,
      ...(inBurst && random() < repaired ? { againMs: atMs + againAfterMs } : {}),
    });
  }
  const framesMs: number[] = [];
  const freezes: { fromMs: number; toMs: number }[] = [];
  const freezing = between(0, 0.01);
  for (let atMs = firstPacketMs; atMs < historyMs; ) {
    framesMs.push(atMs);
    // Chromium: a freeze is a gap of more than three usual ones, or of one and 150 ms, whichever is more.
    const isFreeze = random() < freezing;
    const nextMs = atMs + (isFreeze ? between(200, 5000) : frameMs);
    if (isFreeze) freezes.push({ fromMs: atMs, toMs: nextMs });
    atMs = nextMs;
  }
  const [mean, swing, periodMs] = [between(5, 60), between(0, 5), between(8000, 60_000)];
  return {
    packets,
    framesMs,
    freezes,
    rtx: random() < 0.5,
    jitterAt: (ms) => mean + swing * Math.sin((2 * Math.PI * ms) / periodMs),
    jitterPerSecond: (swing * 2 * Math.PI * 1000) / periodMs,
  };
}

/** With RTX what came again is counted beside, and the count of lost packets never falls; without it, it falls. */
export function receivedStats(history: ReceivedHistory, nowMs: number): StatsReport {
  const { packets, framesMs, freezes, rtx, jitterAt } = history;
  const soFar = packets.filter(({ atMs }) => atMs <= nowMs);
  const again = soFar.filter(({ againMs }) => againMs !== undefined && againMs <= nowMs).length;
  const lost = soFar.filter(({ isLost }) => isLost).length;
  const ended = freezes.filter(({ toMs }) => toMs <= nowMs);
  const inbound: StatsEntry = {
    id: 'IN',
    type: 'inbound-rtp',
    kind: 'video',
    timestamp: nowMs,
    packetsReceived: soFar.length - lost + again,
    packetsLost: rtx ? lost : lost - again,
    ...(rtx ? { retransmittedPacketsReceived: again } : {}),
    bytesReceived: 900 * (soFar.length - lost),
    framesDecoded: framesMs.filter((ms) => ms <= nowMs).length,
    freezeCount: ended.length,
    totalFreezesDuration: ended.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / 1000,
    jitter: jitterAt(nowMs) / 1000,
  };
  return new Map([['IN', inbound]]);
}
