import type { Media } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { mean, sum } from '../statistics/statistics.js';
import { type ExpectedStream, expectedStreams } from './expected-streams.js';
import { isAway, streamIn } from './stream-fold.js';

// These numbers are chosen, no standard has them, and held by tests: on ramps from 300 to 500 kbit/s in up to 30 s, as senders
// make them under a cap that the server tells by REMB, and on noise around a flat rate.

/** The last span is compared with the one before. */
const spanSeconds = 4;
const shortestSeconds = 2 * spanSeconds;
/** A sender that is below what it was asked to send may be waiting for the server's next allowance: be patient. */
const patientSeconds = 16;
const belowAskedPercent = 85;
const growthPercent = 3;
const longGrowthPercent = 5;
const ownGrowthPercent = 8;
const ownTrendSigmas = 2;
const strayShare = 0.05;
/** A probe that has told nothing for so long is none that gives samples. */
const memoryMs = 30_000;

/** kbit/s of each stream of a probe in one second; absent where its source was away. */
interface ProbeSecond {
  readonly atMs: number;
  readonly kbps: readonly (number | undefined)[];
}

/**
 * Whether the rates have stopped growing, so that measuring may begin: the streams of each direction together grow
 * less than 3 % from one 4 s span to the next and less than 5 % over two spans, and hardly any stream grows on its own.
 * Kurento's senders ramp from 300 to 500 kbit/s for 15 to 30 s: about 10 % per span.
 *
 * It is told all readings since the first participant joined, and keeps the last 16 s of each probe. Each probe that gives
 * samples must have given 8 s of them, 16 s while its kind of stream is below the rate asked. Streams that get nothing, and
 * probes without samples, are settled at zero: they never block, the caller's bound is for what grows without end.
 * Audio is looked at only when nothing sends video: its rate does not ramp.
 */
export class Settling {
  private readonly streams: ReadonlyMap<string, readonly ExpectedStream[]>;
  private readonly seconds = new Map<string, ProbeSecond[]>();

  constructor(
    participants: readonly Participant[],
    private readonly media: Media,
  ) {
    this.streams = new Map(participants.map((participant) => [participant.id, expectedStreams([participant])]));
  }

  add(sample: Sample): void {
    const { probe, atMs, intervalMs } = sample;
    const known = this.streams.get(probe) ?? [];
    const kbps = known.map((expected) => {
      const found = streamIn(sample, expected);
      if (found && isAway(found)) return undefined;
      const bytes = found?.direction === 'send' ? found.metrics.bytesSent : found?.metrics.bytesReceived;
      return ((bytes ?? 0) * 8) / Math.max(1, intervalMs);
    });
    const seconds = this.seconds.get(probe) ?? [];
    let place = seconds.length;
    while (place > 0 && (seconds[place - 1]?.atMs ?? 0) > atMs) place -= 1;
    if (seconds[place - 1]?.atMs === atMs) return;
    seconds.splice(place, 0, { atMs, kbps });
    if (seconds.length > patientSeconds) seconds.shift();
    this.seconds.set(probe, seconds);
  }

  isSettled(nowMs: number): boolean {
    for (const [probe, seconds] of this.seconds) {
      const fresh = seconds.filter(({ atMs }) => atMs >= nowMs - memoryMs);
      if (fresh.length === 0) this.seconds.delete(probe);
      else if (fresh.length < seconds.length) this.seconds.set(probe, fresh);
    }
    if (this.seconds.size === 0) return false;
    for (const { length } of this.seconds.values()) if (length < shortestSeconds) return false;
    const kind = this.hasVideo() ? 'video' : 'audio';
    const askedKbps = kind === 'video' ? this.media.videoKbps : 0;
    return (['send', 'receive'] as const).every((direction) =>
      haveStoppedGrowing(this.rates(kind, direction), askedKbps),
    );
  }

  private hasVideo(): boolean {
    for (const probe of this.seconds.keys()) {
      if (this.streams.get(probe)?.some(({ kind }) => kind === 'video')) return true;
    }
    return false;
  }

  /** kbit/s of each of the last seconds, the newest last. */
  private rates(kind: ExpectedStream['kind'], direction: ExpectedStream['direction']): (readonly number[])[] {
    const rates: number[][] = [];
    // In the order of the participants, so that sums are the same however samples come.
    for (const [probe, streams] of this.streams) {
      const seconds = this.seconds.get(probe);
      if (!seconds) continue;
      for (const [index, stream] of streams.entries()) {
        if (stream.kind !== kind || stream.direction !== direction) continue;
        // Its source is away now: there is no rate to wait for.
        if (seconds.at(-1)?.kbps[index] === undefined) rates.push([]);
        else rates.push(seconds.flatMap(({ kbps }) => kbps[index] ?? []));
      }
    }
    return rates;
  }
}

function haveStoppedGrowing(streams: readonly (readonly number[])[], askedKbps: number): boolean {
  const live = streams.filter((rates) => meanOfLast(rates, shortestSeconds) > 0);
  if (live.length === 0) return true;
  const seconds = live.reduce((least, { length }) => Math.min(least, length), Number.POSITIVE_INFINITY);
  const together = new Array<number>(seconds).fill(0);
  for (const rates of live) {
    const from = rates.length - seconds;
    for (let second = 0; second < seconds; second += 1)
      together[second] = (together[second] ?? 0) + (rates[from + second] ?? 0);
  }
  const now = meanOfLast(together, spanSeconds);
  const low = now < (live.length * askedKbps * belowAskedPercent) / 100;
  if (low && seconds < patientSeconds) return false;
  if (growthSince(together, spanSeconds) >= growthPercent) return false;
  if (seconds >= 3 * spanSeconds && growthSince(together, 2 * spanSeconds) >= longGrowthPercent) return false;
  return live.filter(growsOnItsOwn).length <= live.length * strayShare;
}

/** Growth in percent of the last span's mean over that of the span so many seconds before it. */
function growthSince(rates: readonly number[], seconds: number): number {
  const now = meanOfLast(rates, spanSeconds);
  const before = meanOfLast(rates, spanSeconds, seconds);
  if (before > 0) return (100 * (now - before)) / before;
  return now > 0 ? Number.POSITIVE_INFINITY : 0;
}

/** Growth that is too large to be noise: beyond 8 %, and a straight line through the two spans rises by over two sigma. */
function growsOnItsOwn(rates: readonly number[]): boolean {
  if (growthSince(rates, spanSeconds) < ownGrowthPercent) return false;
  const recent = rates.slice(-shortestSeconds);
  const middle = (recent.length - 1) / 2;
  const level = mean(recent) ?? 0;
  const spread = sum(recent.map((_, index) => (index - middle) ** 2));
  const slope = sum(recent.map((rate, index) => (index - middle) * (rate - level))) / spread;
  const residual = sum(recent.map((rate, index) => (rate - level - slope * (index - middle)) ** 2));
  const sigma = Math.sqrt(residual / (recent.length - 2) / spread);
  return slope > ownTrendSigmas * sigma;
}

/** Of so many seconds, or as many as there are, before the last `but`; 0 of none. All streams are asked each second: no lists are made. */
function meanOfLast(rates: readonly number[], count: number, but = 0): number {
  const to = rates.length - but;
  const from = Math.max(0, to - count);
  let total = 0;
  for (let index = from; index < to; index += 1) total += rates[index] ?? 0;
  return to > from ? total / (to - from) : 0;
}
