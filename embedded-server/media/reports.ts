import type { MediaKind } from '../../model/scenario.js';
import {
  type ReportBlock,
  writeReceiverReport,
  writeRemb,
  writeSenderReport,
  writeSourceDescription,
} from '../../rtp/rtcp.js';
import type { Imitation } from '../imitation.js';
import type { IncomingTrack } from './incoming-track.js';
import type { SendStream } from './send-stream.js';

/** How often caps are told (REMB), and the step in which reports can be apart. */
export const tickMs = 1000;

export interface ReportsOptions {
  readonly cname: string;
  /** Of what the endpoint sends. */
  readonly ssrcs: Readonly<Record<MediaKind, number>>;
  readonly imitation: Pick<Imitation, 'reportIntervalMs' | 'wrappedReport'>;
  readonly tracks: () => readonly IncomingTrack[];
  readonly sends: () => readonly SendStream[];
  /** What the sender of the video may send, bit/s. */
  readonly videoCapBps: () => number;
}

/** RTCP of an endpoint each second: its sender's cap and, when due, the reports of its streams. */
export class Reports {
  readonly #options: ReportsOptions;
  #ticks = 0;
  #told = 0;

  constructor(options: ReportsOptions) {
    this.#options = options;
  }

  /** To be called each second. A compound packet to send; `undefined` when there is nothing to say. */
  tick(nowMs: number): Buffer | undefined {
    const { cname, ssrcs, imitation, sends } = this.#options;
    this.#ticks += 1;
    const due = this.#ticks % Math.max(1, Math.round(imitation.reportIntervalMs / tickMs)) === 0;
    const blocks = due ? this.#blocks(nowMs) : [];
    const senderReports = due ? sends().flatMap((send) => send.senderReport(nowMs) ?? []) : [];
    const cap = this.#cap();
    if (blocks.length === 0 && senderReports.length === 0 && cap.length === 0) return undefined;
    const [first, ...others] = senderReports;
    const own = first?.ssrc ?? ssrcs.video;
    return Buffer.concat([
      first === undefined ? writeReceiverReport(own, blocks) : writeSenderReport(first, blocks),
      ...others.map((report) => writeSenderReport(report, [])),
      writeSourceDescription([own, ...others.map((report) => report.ssrc)], cname),
      ...cap,
    ]);
  }

  #cap(): readonly Buffer[] {
    const { ssrcs, tracks, videoCapBps } = this.#options;
    const video = tracks().find(({ kind, stream }) => kind === 'video' && stream)?.stream;
    return video === undefined ? [] : [writeRemb(ssrcs.video, videoCapBps(), video.ssrc)];
  }

  #blocks(nowMs: number): readonly ReportBlock[] {
    const blocks = this.#options.tracks().flatMap(({ stream }) => stream?.report(nowMs) ?? []);
    // Before the first sender report there is no delay to tell.
    if (blocks.every(({ lastSenderReport }) => lastSenderReport === 0)) return blocks;
    this.#told += 1;
    const { wrappedReport } = this.#options.imitation;
    return wrappedReport !== undefined && this.#told % wrappedReport === 0 ? blocks.map(withUnderflow) : blocks;
  }
}

/** Feedback travels behind a report: compound packets are what was negotiated (RFC 3550 6.1). */
export function withReceiverReport(ssrc: number, feedback: Buffer): Buffer {
  return Buffer.concat([writeReceiverReport(ssrc, []), feedback]);
}

/**
 * GStreamer takes the time of a report, then looks up when the last sender report came. One that came in between makes
 * the difference negative; it is kept in 64 bits without sign, in nanoseconds, and told in 1/65536 s. What is added by
 * that to the delay since the last sender report (DLSR, RFC 3550, 6.4.1) is 2^64 ns in these units, of which 32 bits go
 * out: 4194940325.
 */
const underflow = Number(BigInt.asUintN(32, ((1n << 64n) * 65_536n) / 1_000_000_000n));

/**
 * The block with a delay that has underflowed. The sender takes it off the time that has passed, in 32 bits again, so
 * its round trip is longer by 2^32 − 4194940325 of these units: 1526.29 s, which libwebrtc believes (it takes only what
 * is above 2^31 for negative).
 */
function withUnderflow(block: ReportBlock): ReportBlock {
  if (block.lastSenderReport === 0) return block;
  return { ...block, delaySinceLastSenderReport: (block.delaySinceLastSenderReport + underflow) % 2 ** 32 };
}
