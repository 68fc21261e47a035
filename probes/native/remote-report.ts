import { middleOf, toNtp } from '../../rtp/ntp.js';
import type { ReportBlock } from '../../rtp/rtcp.js';

/** What the server's receiver reports said last of a stream. */
export interface RemoteReport {
  readonly atMs: number;
  readonly packetsLost: number;
  readonly jitterSeconds: number;
  readonly roundTripMs: number | undefined;
  /** How many reports gave a round trip. */
  readonly roundTrips: number;
}

/** `before`: what the report before it said. */
export function remoteReport(
  report: ReportBlock,
  clockRate: number,
  nowMs: number,
  before: RemoteReport | undefined,
): RemoteReport {
  const trip = roundTripOf(report, nowMs);
  return {
    atMs: nowMs,
    packetsLost: report.cumulativeLost,
    jitterSeconds: report.jitter / clockRate,
    roundTripMs: trip ?? before?.roundTripMs,
    roundTrips: (before?.roundTrips ?? 0) + (trip === undefined ? 0 : 1),
  };
}

/** RFC 3550, 6.4.1; as libwebrtc, above half of the circle it is negative, and none is below a millisecond. */
function roundTripOf(report: ReportBlock, nowMs: number): number | undefined {
  if (report.lastSenderReport === 0) return undefined;
  const units = (middleOf(toNtp(nowMs)) - report.lastSenderReport - report.delaySinceLastSenderReport) >>> 0;
  return units > 2 ** 31 ? 1 : Math.max(1, (units / 65_536) * 1000);
}
