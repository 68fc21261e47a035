import type { StreamSample } from '../../model/sample.js';
import type { Writable } from '../../model/writable.js';
import { type OpenSpan, OpenSpans } from './open-spans.js';
import type { StreamReading } from './stream-reading.js';

/** Between two moments at which the receiver's count of lost packets was read: what that count is a part of. */
export interface LossSpan {
  readonly fromMs: number;
  readonly toMs: number;
  /** Packets that did not come, less resent ones. Negative where more came late than were lost (RFC 3550 A.3). */
  readonly lost: number;
  /** Packets of their own sequence number that should have come: what was sent again is in it once. */
  readonly expected: number;
  /** Resending was counted apart (RFC 4588), so that `lost` may fall while `repairMs` are not over. */
  readonly resentApart: boolean;
  /** Of what was taken off `lost` as repaired: packets of which padding may have taken the place. */
  readonly hidden?: number;
}

/** What came on the SSRC for resending, or was sent there. */
interface Resent {
  readonly packets: number;
  /** Their payload; absent where it is not known, and of what is sent: there it holds no padding. */
  readonly bytes?: number | undefined;
  readonly mayBePadding: boolean;
}

/** A packet is asked for again at once and for some round trips; later its frame is given up. */
const repairMs = 2000;

/** A picture's packet holds more, with the two bytes of its old number; padding holds nothing that counts. Chosen. */
const leastPayloadBytes = 10;

/** A repair that is late is asked for again, and comes twice; what is asked for more often does not come. Chosen. */
const mostAskedAgain = 3;

/** A count of lost packets falls by what is repaired, and by what the network doubles: by so much at most. Chosen. */
const mostDoubledShare = 0.05;

/** What was sent since the last report of the server. */
interface SentSpan {
  readonly fromMs: number;
  readonly reportMs: number;
  /** What reports counted as lost of late, each with its end; the first counts all from before. */
  readonly lately: readonly { readonly toMs: number; readonly lost: number }[];
  packets: number;
  resent: number;
}

const none: readonly LossSpan[] = [];

/** Readings follow each other without a gap, but for the digits of a clock. */
const gapMs = 100;

/**
 * Takes the readings of one stream in order of time, and gives the spans of its loss.
 *
 * Received: the probe counts for itself, so each second is a span. Sent: a receiver report of the server counts all
 * that it missed since its report before, so the span of a report is all seconds from that one on, however many.
 * Seconds after the last report are in no span: nothing is known of them yet. What is missing inside a span makes it
 * unknown, and it is left out whole.
 *
 * With RTX (RFC 4588) what is sent again has an SSRC of its own, and the receiver's count of lost packets never falls;
 * without it, it falls when they come. So that both say what was lost after resending, packets that came on the other
 * SSRC are taken off what was lost in the `repairMs` before. Padding travels there, too, and cannot be told apart: what
 * is left is what was lost at least. Where some of it is seen to be padding, what was taken off is told beside it
 * (`hidden`).
 */
export class LossTracker {
  private readonly open = new OpenSpans();
  private lastMs = Number.NaN;
  /** Since the last report, whose second began at `reportMs`; absent before one and after an unknown second. */
  private sent: SentSpan | undefined;

  /** Returns spans that nothing repairs any more, oldest first. */
  add(reading: StreamReading): readonly LossSpan[] {
    const { stream, atMs, intervalMs } = reading;
    if (!(Math.abs(atMs - intervalMs - this.lastMs) <= gapMs)) this.sent = undefined;
    this.lastMs = atMs;
    if (stream?.direction === 'receive') this.addReceived(reading, stream.metrics);
    else if (stream?.direction === 'send') this.addSent(reading, stream.metrics, stream.rtx === true);
    else this.sent = undefined;
    const over = this.open.overBy(atMs - repairMs);
    return over === 0 ? none : this.open.take(over);
  }

  /** The rest, when no more readings come. */
  end(): LossSpan[] {
    return this.open.take(this.open.length);
  }

  /** What `end` would give now. */
  rest(): readonly LossSpan[] {
    return this.open.all();
  }

  /** The end of the last of them; `undefined` of none. */
  get restMs(): number | undefined {
    return this.open.toMs(this.open.length - 1);
  }

  /**
   * From here on spans are counted. Those before only say what a first report counts, when it does not reach back
   * before
   * `earliestMs`: what comes again is not spent on losses of before, so that what is left is at least what is lost now.
   */
  begin(earliestMs: number): void {
    this.open.put([]);
    if (this.sent && this.sent.reportMs < earliestMs) this.sent = undefined;
  }

  private addReceived({ atMs, intervalMs }: StreamReading, metrics: Metrics<'receive'>): void {
    const { packetsLost: lost, packetsReceived: got, resentPacketsReceived: resent = 0 } = metrics;
    if (lost === undefined || got === undefined) return;
    const resentApart = metrics.resentPacketsReceived !== undefined;
    const expected = got - resent + lost;
    const asked = metrics.nacksSent;
    // A whole literal, as below: spreading one into another was a tenth of the time of a conductor.
    this.open.push({
      fromMs: atMs - intervalMs,
      toMs: atMs,
      lost,
      expected,
      resentApart,
      asked,
      hidden: 0,
      repaired: 0,
      resent,
    });
    if (resent !== 0) this.repair({ packets: resent, bytes: metrics.resentBytesReceived, mayBePadding: true });
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
    const counted = { toMs: atMs, lost: sent && lost !== undefined ? Math.max(0, lost) : Number.POSITIVE_INFINITY };
    const lately = (sent?.lately ?? []).filter(({ toMs }) => toMs > (sent?.fromMs ?? 0) - repairMs);
    const next = { fromMs: atMs, reportMs: atMs - intervalMs, lately: [...lately, counted], packets: 0, resent: 0 };
    this.sent = packetsSent === undefined ? undefined : next;
    if (!sent || lost === undefined || beganAnew(sent, lately, lost)) return;
    const [{ fromMs, packets: expected }, resent] = [sent, rtx ? sent.resent : 0];
    this.open.push({
      fromMs,
      toMs: atMs,
      lost,
      expected,
      resentApart: rtx,
      asked: undefined,
      hidden: 0,
      repaired: 0,
      resent,
    });
    if (resent !== 0) this.repair({ packets: resent, mayBePadding: false });
  }

  /** What came again in the last span belongs to the oldest losses that it can. */
  private repair(resent: Resent): void {
    const open: Writable<OpenSpan>[] = this.open.all();
    const fromMs = open.at(-1)?.fromMs ?? 0;
    const reach = open.filter((one) => one.resentApart && fromMs - one.toMs < repairMs);
    let left = resent.packets;
    for (const earlier of reach) {
      const repaired = Math.min(Math.max(0, earlier.lost), left);
      earlier.lost -= repaired;
      earlier.repaired += repaired;
      left -= repaired;
    }
    if (resent.mayBePadding && isPadding(resent, left, reach)) for (const one of reach) one.hidden = one.repaired;
    this.open.put(open);
  }
}

/** A count that falls by more than can have been repaired: the server began anew, and says nothing of this span. */
function beganAnew({ packets, resent }: SentSpan, lately: SentSpan['lately'], lost: number): boolean {
  const mayBeRepaired = lately.reduce((sum, one) => sum + one.lost, resent);
  return -lost > mayBeRepaired + mostDoubledShare * packets;
}

/**
 * Whether some of what came on the SSRC for resending is seen to be no repair: it carries nothing, or nothing was asked
 * for in the `repairMs` before, or more came than was lost in them and than asking again explains. Seconds of which not
 * all is known say nothing.
 */
function isPadding({ packets, bytes }: Resent, left: number, reach: readonly OpenSpan[]): boolean {
  if (bytes !== undefined && bytes < packets * leastPayloadBytes) return true;
  const [own, ...before] = [...reach].reverse();
  const knownMs = before.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  if (!own || knownMs < repairMs - 2 * gapMs) return false;
  const asked = reach.reduce<number | undefined>((sum, one) => plus(sum, one.asked), 0);
  if (asked === 0) return true;
  const lost = reach.reduce((sum, one) => sum + one.lost + one.repaired, 0);
  const resent = reach.reduce((sum, one) => sum + one.resent, 0);
  const askedAgain = asked !== undefined && resent <= asked && asked <= mostAskedAgain * lost;
  return left >= 1 && !askedAgain;
}

const plus = (one: number | undefined, other: number | undefined) =>
  one === undefined || other === undefined ? undefined : one + other;

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
