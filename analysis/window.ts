import type { Sample, StreamSample } from '../model/sample.js';
import type { Leg, Participant } from '../model/scenario.js';
import type { StreamSummary } from '../model/trial.js';
import { mosOf } from './mos.js';
import { mean } from './statistics.js';
import type { Aggregates } from './window/aggregate.js';
import { receiveAggregates } from './window/receive-stream.js';
import { sendAggregates } from './window/send-stream.js';
import { legRoundTrips, type StreamReading } from './window/stream-reading.js';

/** The measured part of a trial, epoch milliseconds. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** One stream that the scenario expects of a participant. */
export interface ExpectedStream {
  readonly participant: Participant;
  readonly leg: Leg;
  readonly direction: 'send' | 'receive';
  readonly kind: 'audio' | 'video';
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
    .sort((a, b) => a.atMs - b.atMs);
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
      ...leg.receives.map((kind) => ({ participant, leg, direction: 'receive', kind }) as const),
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

/** One stream's readings, one for each sample of its probe; `stream` is absent where getStats did not have it. */
export function readingsOf(samples: readonly Sample[], expected: ExpectedStream): StreamReading[] {
  const matches = (stream: StreamSample) =>
    stream.leg === expected.leg.id && stream.direction === expected.direction && stream.kind === expected.kind;
  return samples.map(({ atMs, intervalMs, legs, streams }) => {
    const rttMs = legs.find((leg) => leg.leg === expected.leg.id)?.rttMs;
    const stream = streams.find(matches);
    return rttMs === undefined ? { atMs, intervalMs, stream } : { atMs, intervalMs, stream, legRttMs: rttMs };
  });
}

/**
 * Aggregates of one expected stream over a window, by the names of `aggregate.ts`.
 * `samples` are those of its probe inside the window. What could not be measured is absent, never zero.
 */
export function summariseStream(
  samples: readonly Sample[],
  expected: ExpectedStream,
  window: TimeWindow,
): StreamSummary & { readonly values: Aggregates } {
  const readings = readingsOf(samples, expected);
  const legRttMs = mean(legRoundTrips(readings));
  const values =
    expected.direction === 'receive'
      ? receiveAggregates(readings, expected.kind, window.startMs)
      : sendAggregates(readings, expected.kind);
  const mos = expected.direction === 'receive' && expected.kind === 'audio' ? mosOf(values, legRttMs) : undefined;
  return {
    probe: expected.participant.id,
    leg: expected.leg.id,
    direction: expected.direction,
    kind: expected.kind,
    values: {
      ...values,
      ...(legRttMs === undefined ? {} : { legRttMs }),
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

/** What a window says of a trial. Summing it up is most of the work of judging: it is done once and handed on. */
export interface MeasuredWindow {
  /** The samples of each probe inside the window, by its id, in order of time. */
  readonly samples: ReadonlyMap<string, readonly Sample[]>;
  readonly streams: readonly MeasuredStream[];
}

export interface MeasuredStream {
  readonly expected: ExpectedStream;
  readonly summary: StreamSummary & { readonly values: Aggregates };
}

export function measureWindow(
  samples: readonly Sample[],
  participants: readonly Participant[],
  window: TimeWindow,
): MeasuredWindow {
  const inWindow = byProbe(samplesInWindow(samples, window));
  const streams = expectedStreams(participants).map((expected) => {
    const own = inWindow.get(expected.participant.id) ?? [];
    return { expected, summary: summariseStream(own, expected, window) };
  });
  return { samples: inWindow, streams };
}
