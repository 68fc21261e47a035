import type { Aggregates } from '../../model/aggregate.js';
import type { Sample, StreamSample } from '../../model/sample.js';
import { type Leg, type Participant, type ReceivedStream, receivedStreams } from '../../model/scenario.js';
import type { StreamSummary } from '../../model/trial.js';
import { mean } from '../statistics/statistics.js';
import { type LossSpan, lossSpans, spansIn } from './loss-spans.js';
import { mosOf } from './mos.js';
import { withPossibleRoundTrips } from './possible-round-trips.js';
import { receiveAggregates } from './receive-stream.js';
import { sendAggregates } from './send-stream.js';
import { legRoundTrips, legRoundTripsDropped, type StreamReading } from './stream-reading.js';

/** The measured part of a trial, epoch milliseconds. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** One stream that the scenario expects of a participant. */
export interface ExpectedStream extends ReceivedStream {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly direction: 'send' | 'receive';
}

/** A reading longer than this hides what happened inside it: no more of it counts as measured time. */
const longestReadingMs = 1500;

/**
 * The readings whose whole width lies inside the window, in order of time: neither the ramp before it nor the
 * hang-up after it leaks in. So up to a second at either edge is given up.
 */
export function samplesInWindow(samples: readonly Sample[], window: TimeWindow): Sample[] {
  return samples
    .filter((sample) => sample.atMs - sample.intervalMs >= window.startMs && sample.atMs <= window.endMs)
    .sort(byTime);
}

const byTime = (a: Sample, b: Sample) => a.atMs - b.atMs;

/**
 * How far before the window readings are looked at. A receiver report in the window counts what was lost since the
 * report before, so what was sent since then is part of it; they come every 7.5 s at least (RFC 3550 6.2), and 30 s let
 * some of them be lost. A trial keeps as much while it is measured, so that it is judged as it is judged again.
 */
export const leadMs = 30_000;

/** The readings that began before the window, and not too long before, in order of time. */
function samplesBefore(samples: readonly Sample[], { startMs, endMs }: TimeWindow): Sample[] {
  return samples
    .filter(({ atMs, intervalMs }) => {
      const fromMs = atMs - intervalMs;
      return fromMs >= startMs - leadMs && fromMs < startMs && atMs <= endMs;
    })
    .sort(byTime);
}

/** How much of the window these samples of one probe measured, milliseconds. */
export function measuredMs(samples: readonly Sample[]): number {
  return samples.reduce((total, sample) => total + Math.min(sample.intervalMs, longestReadingMs), 0);
}

/** How much of a window can be measured at worst: a second at either edge may be given up. */
export function measurableMs(window: TimeWindow): number {
  const width = window.endMs - window.startMs;
  return Math.max(Math.min(1000, width), width - 2000);
}

export function expectedStreams(participants: readonly Participant[]): ExpectedStream[] {
  return participants.flatMap((participant) =>
    participant.legs.flatMap((leg) => [
      ...leg.sends.map((kind) => ({ participant, leg, direction: 'send', kind }) as const),
      ...receivedStreams(leg).map((stream) => ({ participant, leg, direction: 'receive', ...stream }) as const),
    ]),
  );
}

/** The samples of each probe, by its id. */
export function byProbe(samples: readonly Sample[]): ReadonlyMap<string, readonly Sample[]> {
  const groups = new Map<string, Sample[]>();
  for (const sample of samples) {
    const group = groups.get(sample.probe);
    if (group) group.push(sample);
    else groups.set(sample.probe, [sample]);
  }
  return groups;
}

/**
 * One stream's readings, one for each sample of its probe but those in which its source was away; `stream` is absent where
 * getStats did not have it.
 */
export function readingsOf(samples: readonly Sample[], expected: ExpectedStream): StreamReading[] {
  const matches = (stream: StreamSample) =>
    stream.leg === expected.leg.id &&
    stream.direction === expected.direction &&
    stream.kind === expected.kind &&
    stream.stream === expected.stream;
  let thereSinceMs: number | undefined;
  return samples.flatMap((sample) => {
    const { atMs, intervalMs, legs, streams } = withPossibleRoundTrips(sample);
    const stream = streams.find(matches);
    if (stream && isAway(stream)) {
      thereSinceMs = atMs;
      return [];
    }
    const leg = legs.find((one) => one.leg === expected.leg.id);
    const { rttMs, roundTripsDropped: dropped, availableOutgoingKbps: estimate } = leg ?? {};
    return {
      atMs,
      intervalMs,
      stream: stream && isKnown(stream) ? stream : undefined,
      ...(thereSinceMs === undefined ? {} : { thereSinceMs }),
      ...(rttMs === undefined ? {} : { legRttMs: rttMs }),
      ...(dropped === undefined ? {} : { legRoundTripsDropped: dropped }),
      ...(estimate === undefined ? {} : { legEstimateKbps: estimate }),
    };
  });
}

const isAway = (stream: StreamSample): boolean => stream.direction === 'receive' && stream.away === true;

/** The page gives a stream that getStats does not have, or not any more, without one metric: in that second nothing came. */
function isKnown({ direction, metrics }: StreamSample): boolean {
  if (direction === 'send') return true;
  for (const _ in metrics) return true;
  return false;
}

/** One stream in a window: its readings, and the spans of its loss that ended in them. */
export interface StreamWindow {
  readonly readings: readonly StreamReading[];
  readonly losses: readonly LossSpan[];
}

/** The same in a part of the window, the readings from one index to before another. */
export function partOf({ readings, losses }: StreamWindow, from: number, to: number): StreamWindow {
  const part = readings.slice(from, to);
  return { readings: part, losses: spansIn(losses, part) };
}

export function streamWindow({ before, within }: ProbeWindow, expected: ExpectedStream): StreamWindow {
  const readings = readingsOf(within, expected);
  return { readings, losses: lossSpans(readings, readingsOf(before, expected)) };
}

/**
 * Aggregates of one expected stream over a window, by the names of `aggregate.ts`. What could not be measured is absent,
 * never zero.
 */
export function summariseStream(
  { readings, losses }: StreamWindow,
  expected: ExpectedStream,
  windowStartMs: number,
): StreamSummary & { readonly values: Aggregates } {
  const legRttMs = mean(legRoundTrips(readings));
  const dropped = legRoundTripsDropped(readings);
  const values =
    expected.direction === 'receive'
      ? receiveAggregates(readings, expected.kind, windowStartMs, losses)
      : sendAggregates(readings, expected.kind, losses);
  const mos = expected.direction === 'receive' && expected.kind === 'audio' ? mosOf(values, legRttMs) : undefined;
  return {
    probe: expected.participant.id,
    leg: expected.leg.id,
    direction: expected.direction,
    kind: expected.kind,
    ...(expected.stream === undefined ? {} : { stream: expected.stream }),
    values: {
      ...values,
      ...(legRttMs === undefined ? {} : { legRttMs }),
      ...(dropped === undefined ? {} : { legRoundTripsDropped: dropped }),
      ...(mos === undefined ? {} : { mos }),
    },
  };
}

/** Window aggregates of every expected stream of these participants, for the record and for reports. */
export function summariseStreams(
  samples: readonly Sample[],
  participants: readonly Participant[],
  window: TimeWindow,
): (StreamSummary & { readonly values: Aggregates })[] {
  return measureWindow(samples, participants, window).streams.map(({ summary }) => summary);
}

/** The samples of one probe, in order of time. */
export interface ProbeWindow {
  readonly within: readonly Sample[];
  /** Those just before, which only receiver reports of the window speak of. */
  readonly before: readonly Sample[];
}

/** The windows of the probes that have samples inside, by id. */
export function probeWindows(samples: readonly Sample[], window: TimeWindow): ReadonlyMap<string, ProbeWindow> {
  const before = byProbe(samplesBefore(samples, window));
  const within = byProbe(samplesInWindow(samples, window));
  return new Map([...within].map(([probe, own]) => [probe, { within: own, before: before.get(probe) ?? [] }]));
}

/** Whether its source was away in all that was read of it: then there is nothing to expect of it. */
export function wasAway({ readings }: StreamWindow, { within }: ProbeWindow): boolean {
  return readings.length === 0 && within.length > 0;
}

/** What a window says of a trial. Summing it up is most of the work of judging: it is done once and handed on. */
export interface MeasuredWindow {
  /** The samples of each probe inside the window, by its id, in order of time. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly streams: readonly MeasuredStream[];
}

export interface MeasuredStream {
  readonly expected: ExpectedStream;
  readonly window: StreamWindow;
  readonly summary: StreamSummary & { readonly values: Aggregates };
}

const nothing: ProbeWindow = { within: [], before: [] };

export function measureWindow(
  samples: readonly Sample[],
  participants: readonly Participant[],
  window: TimeWindow,
): MeasuredWindow {
  const probes = probeWindows(samples, window);
  const streams = expectedStreams(participants).flatMap((expected): readonly MeasuredStream[] => {
    const probe = probes.get(expected.participant.id) ?? nothing;
    const own = streamWindow(probe, expected);
    if (wasAway(own, probe)) return [];
    return [{ expected, window: own, summary: summariseStream(own, expected, window.startMs) }];
  });
  return { samples: new Map([...probes].map(([probe, { within }]) => [probe, within])), streams };
}
