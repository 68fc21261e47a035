import type { Media } from '../../model/plan.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import { mean, sum } from '../statistics/statistics.js';
import { metricOf } from './stream-reading.js';
import { byProbe, type ExpectedStream, expectedStreams, readingsOf } from './window.js';

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

/**
 * Whether the rates have stopped growing, so that measuring may begin: the streams of each direction together grow
 * less than 3 % from one 4 s span to the next and less than 5 % over two spans, and hardly any stream grows on its own.
 * Kurento's senders ramp from 300 to 500 kbit/s for 15 to 30 s: about 10 % per span.
 *
 * `samples` are all readings since the first participant joined, in any order. Each probe that gives samples must have
 * given 8 s of them, 16 s while its kind of stream is below the rate asked. Streams that get nothing, and probes
 * without samples, are settled at zero: they never block, the caller's bound is for what grows without end.
 * Audio is looked at only when nothing sends video: its rate does not ramp.
 */
export function isSettled(samples: readonly Sample[], participants: readonly Participant[], media: Media): boolean {
  const probes = byProbe([...samples].sort((a, b) => a.atMs - b.atMs));
  if (probes.size === 0 || [...probes.values()].some((own) => own.length < shortestSeconds)) return false;
  const streams = expectedStreams(participants.filter((participant) => probes.has(participant.id)));
  const kind = streams.some((stream) => stream.kind === 'video') ? 'video' : 'audio';
  const ratesOf = (direction: ExpectedStream['direction']) =>
    streams
      .filter((stream) => stream.direction === direction && stream.kind === kind)
      .map((stream) => recentRates(probes.get(stream.participant.id) ?? [], stream));
  const askedKbps = kind === 'video' ? media.videoKbps : 0;
  return [ratesOf('send'), ratesOf('receive')].every((rates) => haveStoppedGrowing(rates, askedKbps));
}

/** kbit/s of each of the last seconds, the newest last. */
function recentRates(samples: readonly Sample[], stream: ExpectedStream): number[] {
  const metric = stream.direction === 'send' ? 'bytesSent' : 'bytesReceived';
  const readings = readingsOf(samples.slice(-patientSeconds), stream);
  // Its source is away now: there is no rate to wait for.
  if (readings.at(-1)?.atMs !== samples.at(-1)?.atMs) return [];
  return readings.map((reading) => ((metricOf(reading, metric) ?? 0) * 8) / Math.max(1, reading.intervalMs));
}

function haveStoppedGrowing(streams: readonly (readonly number[])[], askedKbps: number): boolean {
  const live = streams.filter((rates) => sum(rates.slice(-shortestSeconds)) > 0);
  if (live.length === 0) return true;
  const seconds = Math.min(...live.map((rates) => rates.length));
  const together = Array.from({ length: seconds }, (_, index) =>
    sum(live.map((rates) => rates.at(index - seconds) ?? 0)),
  );
  const now = mean(together.slice(-spanSeconds)) ?? 0;
  const low = now < (live.length * askedKbps * belowAskedPercent) / 100;
  if (low && seconds < patientSeconds) return false;
  if (growthSince(together, spanSeconds) >= growthPercent) return false;
  if (seconds >= 3 * spanSeconds && growthSince(together, 2 * spanSeconds) >= longGrowthPercent) return false;
  return live.filter(growsOnItsOwn).length <= live.length * strayShare;
}

/** Growth in percent of the last span's mean over that of the span so many seconds before it. */
function growthSince(rates: readonly number[], seconds: number): number {
  const now = mean(rates.slice(-spanSeconds)) ?? 0;
  const before = mean(rates.slice(-spanSeconds - seconds, -seconds)) ?? 0;
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
