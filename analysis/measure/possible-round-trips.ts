import { isPossibleRoundTrip } from '../../model/round-trip.js';
import type { LegSample, Sample, StreamSample } from '../../model/sample.js';

/**
 * A stored sample without round trips that cannot be, which are counted as dropped. Pages do the same since they know
 * how old a leg is; samples of before then may have them still. The sample itself when there is nothing to drop.
 */
export function withPossibleRoundTrips(sample: Sample): Sample {
  if (!sample.legs.some(isWrongLeg) && !sample.streams.some(isWrongStream)) return sample;
  return { ...sample, legs: sample.legs.map(legOf), streams: sample.streams.map(streamOf) };
}

const isWrong = (rttMs: number | undefined) => rttMs !== undefined && !isPossibleRoundTrip(rttMs);
const isWrongLeg = ({ rttMs }: LegSample) => isWrong(rttMs);
const isWrongStream = (stream: StreamSample) => stream.direction === 'send' && isWrong(stream.metrics.rttMs);

function legOf(leg: LegSample): LegSample {
  if (!isWrongLeg(leg)) return leg;
  const { rttMs: _, roundTripsDropped = 0, ...rest } = leg;
  return { ...rest, roundTripsDropped: roundTripsDropped + 1 };
}

function streamOf(stream: StreamSample): StreamSample {
  if (stream.direction === 'receive' || !isWrongStream(stream)) return stream;
  const { rttMs: _, roundTripsDropped = 0, ...metrics } = stream.metrics;
  return { ...stream, metrics: { ...metrics, roundTripsDropped: roundTripsDropped + 1 } };
}
