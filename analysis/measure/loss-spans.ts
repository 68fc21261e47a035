import type { StreamSample } from '../../model/sample.js';
import type { StreamReading } from './stream-reading.js';

/** Between two moments at which the receiver's count of lost packets was read: what that count is a part of. */
export interface LossSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** Packets that did not come, resent ones taken off. Below zero where more came late than were lost (RFC 3550 A.3). */
  readonly lost: number;
  /** Packets of their own sequence number that should have come: what was sent again is in it once. */
  readonly expected: number;
  /** Resending was counted apart (RFC 4588), so that `lost` may fall while `repairMs` are not over. */
  readonly resentApart: boolean;
}

interface OpenSpan extends Omit<LossSpan, 'lost'> {
  lost: number;
}

/** A packet is asked for again at once and for some round trips; later its frame is given up. */
export const repairMs = 2000;

/** Readings follow each other without a gap, but for the digits of a clock. */
const gapMs = 100;

/**
 * Takes the readings of one stream in order of time, and gives the spans of its loss.
 *
 * Received: the probe counts for itself, so each second is a span. Sent: a receiver report of the server counts all that
 * it missed since its report before, so the span of a report is all seconds from that one on, however many. Seconds after
 * the last report are in no span: nothing is known of them yet. What is missing inside a span makes it unknown, and it is
 * left out whole.
 *
 * With RTX (RFC 4588) what is sent again has an SSRC of its own, and the receiver's count of lost packets never falls;
 * without it, it falls when they come. So that both say what was lost after resending, packets that came on the other
 * SSRC are taken off what was lost in the `repairMs` before. Padding travels there, too, and cannot be told apart: what
 * is left is what was lost at least.
 */
export class LossTracker {
  private open: OpenSpan[] = [];
  private lastMs: number | undefined;
  /** Since the last report, whose second began at `reportMs`; absent before one, and after a second of which nothing is known. */
  private sent: { readonly fromMs: number; readonly reportMs: number; packets: number; resent: number } | undefined;

  /** Returns spans that nothing repairs any more, oldest first. */
  add(reading: StreamReading): LossSpan[] {
    const { stream, atMs, intervalMs } = reading;
    if (this.lastMs === undefined || Math.abs(atMs - intervalMs - this.lastMs) > gapMs) this.sent = undefined;
    this.lastMs = atMs;
    if (stream?.direction === 'receive') this.addReceived(reading, stream.metrics);
    else if (stream?.direction === 'send') this.addSent(reading, stream.metrics, stream.rtx === true);
    else this.sent = undefined;
    const settled = this.open.findIndex(({ toMs, resentApart }) => resentApart && toMs > atMs - repairMs);
    return this.open.splice(0, settled < 0 ? this.open.length : settled);
  }

  /** The rest, when no more readings come. */
  end(): LossSpan[] {
    return this.open.splice(0);
  }

  /** What `end` would give now. */
  rest(): readonly LossSpan[] {
    return this.open;
  }

  /**
   * From here on spans are counted. Those before only say what a first report counts, when it does not reach back before
   * `earliestMs`: what comes again is not spent on losses of before, so that what is left is at least what is lost now.
   */
  begin(earliestMs: number): void {
    this.open = [];
    if (this.sent && this.sent.reportMs < earliestMs) this.sent = undefined;
  }

  private addReceived({ atMs, intervalMs }: StreamReading, metrics: Metrics<'receive'>): void {
    const { packetsLost: lost, packetsReceived: got, resentPacketsReceived: resent } = metrics;
    if (lost === undefined || got === undefined) return;
    const resentApart = resent !== undefined;
    const expected = got - (resent ?? 0) + lost;
    this.push({ fromMs: atMs - intervalMs, toMs: atMs, lost, expected, resentApart }, resent ?? 0);
  }

  private addSent({ atMs, intervalMs }: StreamReading, metrics: Metrics<'send'>, rtx: boolean): void {
    const { packetsSent, packetsResent = 0, remotePacketsLost: lost } = metrics;
    if (packetsSent === undefined) this.sent = undefined;
    else if (this.sent) {
      this.sent.packets += packetsSent - packetsResent;
      this.sent.resent += packetsResent;
    }
    if (!isReport(metrics)) return;
    const { sent } = this;
    this.sent =
      packetsSent === undefined ? undefined : { fromMs: atMs, reportMs: atMs - intervalMs, packets: 0, resent: 0 };
    if (!sent || lost === undefined) return;
    const span = { fromMs: sent.fromMs, toMs: atMs, lost, expected: sent.packets, resentApart: rtx };
    this.push(span, rtx ? sent.resent : 0);
  }

  /** What came again belongs to the oldest losses that it can. */
  private push(span: OpenSpan, resent: number): void {
    this.open.push(span);
    let left = resent;
    for (const earlier of this.open) {
      if (left <= 0) return;
      if (!earlier.resentApart || earlier.lost <= 0 || span.fromMs - earlier.toMs >= repairMs) continue;
      const repaired = Math.min(earlier.lost, left);
      earlier.lost -= repaired;
      left -= repaired;
    }
  }
}

type Metrics<Direction> = Extract<StreamSample, { direction: Direction }>['metrics'];

/** In the seconds between two reports, what only reports say is absent. */
export function isReport({ remotePacketsLost, remoteJitterMs, rttMs, roundTripsDropped }: Metrics<'send'>): boolean {
  return (remotePacketsLost ?? remoteJitterMs ?? rttMs ?? roundTripsDropped) !== undefined;
}

/** The spans that ended in these readings, however long before them they began. */
export function spansIn(spans: readonly LossSpan[], readings: readonly StreamReading[]): LossSpan[] {
  const [first] = readings;
  const last = readings.at(-1);
  if (!first || !last) return [];
  return spans.filter(({ toMs }) => toMs >= first.atMs && toMs <= last.atMs);
}
