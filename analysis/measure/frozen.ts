import type { Aggregates } from '../../model/aggregate.js';
import { metricsOf, type StreamReading } from './stream-reading.js';

/** How long the picture stood still in a window, in all and at a stretch. */
interface FrozenTime {
  readonly totalMs: number;
  /** Never too long: of freezes that ended in one second only the mean is known. Absent: their number is unknown. */
  readonly longestMs: number | undefined;
  /** Of the measured time. */
  readonly percent: number;
}

/**
 * How long the picture stood still, second by second.
 *
 * Chromium reports a freeze only when it ends (inbound-rtp.totalFreezesDuration, freezeCount), with its whole length.
 * So
 * - a freeze that ended in a second counts at most the time since the first second that is read began, or since that
 *   in which its source came back, less what frames of the first second with any show was not frozen, and
 * - seconds without a decoded frame count as frozen although nothing has been reported, and are not counted again when
 *   the freeze that they belong to is.
 * - a gap across a change of SSRC is found by the frames that are lacking around it: no decoder tells of it. No further
 *   reading lowers the total, nor the total without the longest, which is what an early verdict rests on.
 */
export class FrozenFold {
  private frozenMs = 0;
  private longestMs: number | undefined = 0;
  private stillMs = 0;
  private sinceMs: number | undefined;
  /** Of the first second that is read, or that in which its source came back. */
  private beganMs: number | undefined;
  private readMs = 0;
  private hasShown = false;
  private saysFrames = false;
  private readonly gap = new RestartGap();

  /** In order of time. */
  add(reading: StreamReading): void {
    const { thereSinceMs, intervalMs, atMs } = reading;
    this.readMs += intervalMs;
    if (this.beganMs === undefined || thereSinceMs !== this.sinceMs) {
      // It was away in between: one stretch ends, another begins.
      this.sinceMs = thereSinceMs;
      this.beganMs = atMs - intervalMs;
      this.hasShown = false;
      this.frozenMs += this.stillMs;
      this.longestMs = longer(this.longestMs, this.stillMs);
      this.stillMs = 0;
    }
    const { framesDecoded: decoded, freezeMs } = metricsOf(reading);
    if (decoded !== undefined || freezeMs !== undefined) this.saysFrames = true;
    const frames = reading.stream ? decoded : 0;
    const sinceBeganMs = atMs - this.beganMs;
    const mostMs = sinceBeganMs - (this.hasShown ? 0 : shownMs(reading, sinceBeganMs, this.gap.usualMs));
    const reportedMs = Math.max(0, Math.min(freezeMs ?? 0, mostMs));
    if (frames !== undefined && frames > 0) this.hasShown = true;
    const acrossMs = this.gap.passed(reading, frames, reportedMs);
    this.stillMs += frames === 0 ? intervalMs + acrossMs : acrossMs;
    if (reportedMs <= 0 && (frames === 0 || this.gap.isOpen)) return;
    this.frozenMs += Math.max(this.stillMs, reportedMs);
    const reported = reportedMs > 0 ? longestReported(reading, reportedMs) : 0;
    this.longestMs = longer(this.longestMs, reported, this.stillMs);
    this.stillMs = 0;
  }

  /** `undefined` when no second says anything about frames. */
  time(): FrozenTime | undefined {
    const { readMs, frozenMs, longestMs, stillMs } = this;
    if (readMs <= 0 || !this.saysFrames) return undefined;
    const allMs = frozenMs + stillMs;
    return {
      totalMs: allMs,
      longestMs: longer(longestMs, stillMs),
      percent: Math.min(100, (100 * allMs) / readMs),
    };
  }
}

/** Of a stream of which no time between frames is known. */
const usualFrameMs = 1000 / 30;

/**
 * How long frames of a second were shown otherwise than frozen, at least. What frames come at once after a freeze say
 * nothing: where the time between them is not told, only a freeze that is longer than what was read began before it.
 */
function shownMs(reading: StreamReading, sinceBeganMs: number, usualMs = usualFrameMs): number {
  const { framesDecoded: frames = 0, freezes = 1, freezeMs = 0, interFrameMs } = metricsOf(reading);
  if (interFrameMs !== undefined) return Math.max(0, interFrameMs - freezeMs);
  return freezeMs > sinceBeganMs ? Math.max(0, frames - freezes) * usualMs : 0;
}

/** Of freezes that are told together the longest is at least their mean; one is told whole. */
function longestReported(reading: StreamReading, reportedMs: number): number | undefined {
  const { freezes } = metricsOf(reading);
  return freezes === undefined ? undefined : reportedMs / Math.max(1, freezes);
}

function longer(...lengths: readonly (number | undefined)[]): number | undefined {
  let longest = 0;
  for (const length of lengths) {
    if (length === undefined) return undefined;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** `of`: what the share is of, or what it leaves out. */
interface JudgedFrozen {
  readonly percent: number;
  readonly of: 'window' | 'minute' | 'window-without-longest';
}

/** A share of frozen time is one of a minute at least: a freeze is too rare a thing to be a rate of a few seconds. */
export const leastSpanMs = 60_000;

/**
 * The share of the time frozen that is held against its limit, percent. It is the larger of
 * - all frozen time, as a share of the window, or of a minute where the window is shorter, and
 * - what is frozen without the longest freeze, as a share of the window.
 *
 * The first gives one freeze the same weight in every window up to a minute. The second lets a picture that freezes
 * again and again fail in a short window, too. In a window of a minute or more it is the plain share of time. So it is
 * also where the longest freeze is not known.
 */
export function judgedFrozen(values: Aggregates): JudgedFrozen | undefined {
  const { frozenPercent, frozenMs, longestFreezeMs } = values;
  if (frozenPercent === undefined) return undefined;
  if (!frozenMs || longestFreezeMs === undefined) return { percent: frozenPercent, of: 'window' };
  const ofMinute = (100 * frozenMs) / leastSpanMs;
  const withoutLongest = frozenPercent * (1 - longestFreezeMs / frozenMs);
  if (ofMinute >= frozenPercent) return { percent: frozenPercent, of: 'window' };
  return ofMinute >= withoutLongest
    ? { percent: ofMinute, of: 'minute' }
    : { percent: withoutLongest, of: 'window-without-longest' };
}

/** A freeze is a gap of three usual ones, or of 150 ms more than one (webrtc-stats, freezeCount). */
const freezeBeyondMs = 150;

/**
 * How long a picture stood still across a change of its SSRC: the decoder before has not seen its end, and the one
 * after not its beginning. It is what the seconds around the change lack of the usual frames, where that is as much as
 * a freeze. Where the frames of the second of the change are not known, it counts less what the new SSRC was shown for,
 * if the picture stood still right before it or right after.
 */
class RestartGap {
  private frames = 0;
  private framesMs = 0;
  /** What the second before lacks, where that is as much as a freeze and nobody counted it. */
  private lackedMs = 0;
  private stoodStill = false;
  /** Of changes that may turn out to lie in a gap. */
  private unknownMs = 0;
  private isAwaited = false;

  /** True from a change on until a frame is known to have come. */
  get isOpen(): boolean {
    return this.isAwaited;
  }

  /** Between two frames; `undefined` before any. */
  get usualMs(): number | undefined {
    return this.frames > 0 ? this.framesMs / this.frames : undefined;
  }

  /** Time without a picture that this second reveals, besides its own if it has no frame. In order of time. */
  passed(reading: StreamReading, frames: number | undefined, reportedMs: number): number {
    const lackedMs = this.lackedBy(reading, frames, reportedMs);
    const isChange = reading.stream?.restarted === true;
    const foundMs = isChange
      ? this.atChange(reading, frames, lackedMs)
      : this.isAwaited
        ? this.afterChange(frames, lackedMs)
        : 0;
    this.lackedMs = isChange || this.isAwaited ? 0 : lackedMs;
    if (!isChange && frames !== undefined && frames > 0) this.isAwaited = false;
    this.stoodStill = frames === 0 || (isChange && foundMs > 0 && this.isAwaited);
    return foundMs;
  }

  private atChange(reading: StreamReading, frames: number | undefined, lackedMs: number): number {
    this.isAwaited = frames === undefined || frames === 0;
    if (frames !== undefined) return this.lackedMs + lackedMs;
    const openMs = Math.max(0, reading.intervalMs - (metricsOf(reading).interFrameMs ?? 0));
    if (this.lackedMs > 0 || this.stoodStill) return this.lackedMs + openMs;
    this.unknownMs += openMs;
    return 0;
  }

  private afterChange(frames: number | undefined, lackedMs: number): number {
    if (frames === undefined) return 0;
    const unknownMs = frames === 0 || lackedMs > 0 ? this.unknownMs : 0;
    this.unknownMs = 0;
    return unknownMs + lackedMs;
  }

  /** Of a second with frames, by how many the stream usually has; 0 where that is no freeze, or is told as one. */
  private lackedBy({ intervalMs }: StreamReading, frames: number | undefined, reportedMs: number): number {
    if (frames === undefined || frames <= 0) return 0;
    const { usualMs } = this;
    if (reportedMs <= 0) {
      this.frames += frames;
      this.framesMs += intervalMs;
    }
    if (usualMs === undefined) return 0;
    const lackedMs = intervalMs - frames * usualMs - Math.max(0, reportedMs);
    return lackedMs >= Math.max(2 * usualMs, freezeBeyondMs) ? lackedMs : 0;
  }
}
