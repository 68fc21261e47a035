import { type ExpectedStream, isMuted, videoKbpsOf } from '../../model/expected-streams.js';
import { type InSteps, mostInStep } from '../../model/in-steps.js';
import type { Media } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { mean, sum } from '../statistics/statistics.js';
import { CatchingUp } from './catching-up.js';
import { LastRates, type Rates } from './last-rates.js';
import { NumberBlocks } from './number-blocks.js';

// These numbers are chosen, no standard has them, and held by tests: on ramps from 300 to 500 kbit/s in up to 30 s, as
// senders make them under a cap that the server tells by REMB, and on noise around a flat rate.

/** The last span is compared with the one before. */
const spanSeconds = 4;
const shortestSeconds = 2 * spanSeconds;
/** A sender that is below what it was asked to send may be waiting for the server's next allowance: be patient. */
const patientSeconds = 16;
const belowAskedPercent = 85;
/**
 * Nobody sends more than was asked, so who sends that has nothing to grow to: a Kurento's senders come to rest at 96 %
 * of it, headers and probing aside.
 */
const askedPercent = 94;
/** Each of them, but for strays; together they must have come nearer. */
const eachAskedPercent = 90;
const secondsAtAsked = 6;
const halfGrowthPercent = 2;
const growthPercent = 3;
const longGrowthPercent = 5;
const ownGrowthPercent = 8;
const ownTrendSigmas = 2;
const strayShare = 0.05;
/** A probe that has told nothing for so long is none that gives samples. */
const memoryMs = 30_000;

/**
 * Whether the rates have stopped growing, so that measuring may begin: the streams of each direction together grow less
 * than 3 % from one 4 s span to the next and less than 5 % over two spans, and hardly any stream grows on its own.
 * Kurento's senders ramp from 300 to 500 kbit/s for 15 to 30 s: about 10 % per span.
 *
 * It is told all readings since the first participant joined, and keeps the last 16 s of each probe. Each probe that
 * gives samples must have given 8 s of them, 16 s while its kind of stream is below the rate asked. Video that has come
 * to the rate asked, in all streams of a direction, has stopped growing by that, however it came there: 6 s of readings
 * are enough, of which the last 4 count, and the last 2 are at most 2 % above the 2 before. Streams that get nothing,
 * and probes without samples, are settled at zero: they never block, the caller's bound is for what grows without end.
 * The rate of audio is looked at only when nothing sends video: it does not ramp. That of silence never is: its few
 * packets are four in one second and six in the next. But sound that was held up while
 * others joined, and is played faster until it has caught up, has not settled (`CatchingUp`).
 */
export class Settling {
  /** In the order of the participants, so that sums are the same however samples come. */
  private readonly probes: ReadonlyMap<string, LastRates>;
  private readonly catchingUp = new CatchingUp();
  /** One list for all: each second each stream is read into it. */
  private readonly read: Rates = { kbps: new Float64Array(patientSeconds), length: 0 };

  constructor(
    participants: readonly Participant[],
    private readonly media: Media,
  ) {
    const numbers = new NumberBlocks();
    this.probes = new Map(participants.map((one) => [one.id, new LastRates(one, patientSeconds, numbers)]));
  }

  add(sample: Sample): void {
    this.catchingUp.add(sample);
    this.probes.get(sample.probe)?.add(sample);
  }

  /** In steps, since it is asked each second. Between two steps only probes that were not looked at yet count. */
  *settling(nowMs: number): InSteps<boolean> {
    let most = 0;
    let least = patientSeconds;
    let hasVideo = false;
    for (const probe of this.probes.values()) {
      probe.dropBefore(nowMs - memoryMs);
      if (probe.count > 0 && probe.count < secondsAtAsked) return false;
      most = Math.max(most, probe.count);
      if (probe.count > 0) least = Math.min(least, probe.count);
      hasVideo ||= probe.count > 0 && probe.streams.some(({ kind }) => kind === 'video');
    }
    if (most === 0 || this.catchingUp.isAny(nowMs)) return false;
    const kind = hasVideo ? 'video' : 'audio';
    const isShort = least < shortestSeconds;
    return (
      (yield* this.haveStoppedGrowing(kind, 'send', isShort)) &&
      (yield* this.haveStoppedGrowing(kind, 'receive', isShort))
    );
  }

  /** @param isShort some probe has given so little that only the rate asked is believed */
  private *haveStoppedGrowing(
    kind: ExpectedStream['kind'],
    direction: ExpectedStream['direction'],
    isShort: boolean,
  ): InSteps<boolean> {
    const { live, askedKbps, together } = yield* this.together(kind, direction);
    if (live === 0) return !isShort || !this.hasStreams(kind, direction);
    const now = meanOfLast(together, spanSeconds);
    const isAtAsked = together.length >= secondsAtAsked && now >= (askedKbps * askedPercent) / 100;
    const hasCome = isAtAsked && growthSince(together, spanSeconds / 2, spanSeconds / 2) < halfGrowthPercent;
    if (kind === 'video' && hasCome && (yield* this.allNearAsked(direction, live))) return true;
    if (isShort) return false;
    const low = now < (askedKbps * belowAskedPercent) / 100;
    if (low && together.length < patientSeconds) return false;
    if (growthSince(together, spanSeconds) >= growthPercent) return false;
    if (together.length >= 3 * spanSeconds && growthSince(together, 2 * spanSeconds) >= longGrowthPercent) return false;
    let growing = 0;
    yield* this.eachLive(kind, direction, (rates) => {
      if (growsOnItsOwn(rates)) growing += 1;
    });
    return growing <= live * strayShare;
  }

  private hasStreams(kind: ExpectedStream['kind'], direction: ExpectedStream['direction']): boolean {
    for (const { count, streams } of this.probes.values())
      if (count > 0 && streams.some((one) => one.kind === kind && one.direction === direction)) return true;
    return false;
  }

  /** Whether hardly any stream of video is still below what was asked. */
  private *allNearAsked(direction: ExpectedStream['direction'], live: number): InSteps<boolean> {
    let below = 0;
    yield* this.eachLive('video', direction, (rates, askedKbps) => {
      if (meanOfLast(rates, spanSeconds) < (askedKbps * eachAskedPercent) / 100) below += 1;
    });
    return below <= live * strayShare;
  }

  /**
   * Number of live streams, the sum of what was asked of them, and that of their rates, second by second, from the
   * newest back as far as all go.
   */
  private *together(
    kind: ExpectedStream['kind'],
    direction: ExpectedStream['direction'],
  ): InSteps<{ readonly live: number; readonly askedKbps: number; readonly together: Rates }> {
    const kbps = new Float64Array(patientSeconds);
    let length = patientSeconds;
    let live = 0;
    let allKbps = 0;
    yield* this.eachLive(kind, direction, (rates, askedKbps) => {
      live += 1;
      allKbps += askedKbps;
      length = Math.min(length, rates.length);
      const shift = patientSeconds - rates.length;
      for (let second = 0; second < rates.length; second += 1) {
        kbps[shift + second] = (kbps[shift + second] ?? 0) + (rates.kbps[second] ?? 0);
      }
    });
    return { live, askedKbps: allKbps, together: { kbps: kbps.subarray(patientSeconds - length), length } };
  }

  /** Each stream that gets something. */
  private *eachLive(
    kind: ExpectedStream['kind'],
    direction: ExpectedStream['direction'],
    look: (rates: Rates, askedKbps: number) => void,
  ): InSteps<void> {
    let looked = 0;
    for (const probe of this.probes.values()) {
      looked += 1;
      if (looked % mostInStep === 0) yield;
      if (probe.count === 0) continue;
      for (const [nth, stream] of probe.streams.entries()) {
        if (stream.kind !== kind || stream.direction !== direction || isMuted(stream)) continue;
        probe.read(nth, this.read);
        if (meanOfLast(this.read, shortestSeconds) > 0)
          look(this.read, kind === 'video' ? videoKbpsOf(stream, this.media.videoKbps) : 0);
      }
    }
  }
}

/** Growth in percent of the last span's mean over that of the span `seconds` before it. */
function growthSince(rates: Rates, seconds: number, span = spanSeconds): number {
  const now = meanOfLast(rates, span);
  const before = meanOfLast(rates, span, seconds);
  if (before > 0) return (100 * (now - before)) / before;
  return now > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** Growth beyond noise: over 8 %, and a straight line through the two spans rises by over two sigma. */
function growsOnItsOwn(rates: Rates): boolean {
  if (growthSince(rates, spanSeconds) < ownGrowthPercent) return false;
  const recent = [...rates.kbps.subarray(Math.max(0, rates.length - shortestSeconds), rates.length)];
  const middle = (recent.length - 1) / 2;
  const level = mean(recent) ?? 0;
  const spread = sum(recent.map((_, index) => (index - middle) ** 2));
  const slope = sum(recent.map((rate, index) => (index - middle) * (rate - level))) / spread;
  const residual = sum(recent.map((rate, index) => (rate - level - slope * (index - middle)) ** 2));
  const sigma = Math.sqrt(residual / (recent.length - 2) / spread);
  return slope > ownTrendSigmas * sigma;
}

/** Of up to `count` seconds before the last `but`; 0 if none. Makes no lists, since it runs each second. */
function meanOfLast({ kbps, length }: Rates, count: number, but = 0): number {
  const to = length - but;
  const from = Math.max(0, to - count);
  let total = 0;
  for (let index = from; index < to; index += 1) total += kbps[index] ?? 0;
  return to > from ? total / (to - from) : 0;
}
