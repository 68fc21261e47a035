import type { Aggregates } from '../../model/aggregate.js';
import { atOnce, type InSteps, mostInStep } from '../../model/in-steps.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import type { StreamSummary } from '../../model/trial.js';
import type { FoldedWindow } from './folded-window.js';
import type { MeasuredStream } from './measured-stream.js';
import { withMembers } from './mix-members.js';
import type { StreamState } from './probe-fold.js';
import type { Packets, ProbeTally } from './probe-tally.js';
import { SampleFold } from './sample-fold.js';

/** The measured part of a trial, epoch milliseconds. */
export interface TimeWindow {
  readonly startMs: number;
  readonly endMs: number;
}

/** The samples of a trial: all of them, in any order, or what was folded of them as they came. */
export type TrialSamples = readonly Sample[] | SampleFold;

/** How much of a window can be measured at worst: a second at either edge may be given up. */
export function measurableMs(window: TimeWindow): number {
  const width = window.endMs - window.startMs;
  return Math.max(Math.min(1000, width), width - 2000);
}

/**
 * These samples folded over a window, which is what they are already when they came second by second. A reading belongs
 * to the window when its whole width lies inside: neither the ramp before it nor the hang-up after it leaks in. So up
 * to a second at either edge is given up.
 */
export function foldOf(samples: TrialSamples, participants: readonly Participant[], window: FoldedWindow): SampleFold {
  if (samples instanceof SampleFold) return samples;
  const fold = new SampleFold(participants, window.keepsSeconds, window.joinedMs ?? Number.NEGATIVE_INFINITY);
  fold.begin(window);
  for (const sample of [...samples].sort((a, b) => a.atMs - b.atMs)) fold.add(sample);
  return fold;
}

/** Whether it can be told what a window says that ends then. */
export function isKnownAt(samples: TrialSamples, endMs: number): boolean {
  return !(samples instanceof SampleFold) || samples.isKnownAt(endMs);
}

/** Window aggregates of every expected stream of these participants, for the record and for reports. */
export function summariseStreams(
  samples: TrialSamples,
  participants: readonly Participant[],
  window: TimeWindow,
): (StreamSummary & { readonly values: Aggregates })[] {
  return atOnce(measuringWindow(samples, participants, window)).streams.map(({ summary }) => summary);
}

/** What a window says of a trial. Summing it up is most of the work of judging: it is done once and handed on. */
export interface MeasuredWindow {
  /** Of every probe with samples inside the window, by its id. */
  readonly probes: ReadonlyMap<string, ProbeTally>;
  readonly streams: readonly MeasuredStream[];
}

export function* measuringWindow(
  samples: TrialSamples,
  participants: readonly Participant[],
  { startMs, endMs }: TimeWindow,
  { keepsSeconds = false, joinedMs }: Pick<FoldedWindow, 'keepsSeconds' | 'joinedMs'> = {},
): InSteps<MeasuredWindow> {
  const fold = foldOf(samples, participants, { startMs, endMs, keepsSeconds, joinedMs });
  const streams: MeasuredStream[] = [];
  for (const [nth, participant] of participants.entries()) {
    if (nth % mostInStep === mostInStep - 1) yield;
    const { tally, streams: states } = fold.probe(participant, endMs);
    // Of one whose source was away in all that was read of it there is nothing to expect.
    for (const state of states) if (state.count > 0 || tally.samples === 0) streams.push(measuredStream(state));
  }
  return {
    probes: new Map([...fold.tallies(endMs)].filter(([, { samples }]) => samples > 0)),
    streams: withMembers(streams, participants, measurableMs({ startMs, endMs })),
  };
}

function measuredStream({
  expected,
  count,
  readMs,
  unreportedMs,
  unknown,
  foreignSender,
  looks,
  values,
  sums,
  seconds,
}: StreamState): MeasuredStream {
  const { participant, leg, direction, kind, stream } = expected;
  const summary = {
    probe: participant.id,
    leg: leg.id,
    direction,
    kind,
    ...(stream === undefined ? {} : { stream }),
    values: values(),
  };
  return { expected, count, readMs, unreportedMs, unknown, foreignSender, looks, summary, sums, seconds };
}

/** Of each probe that was read, expected or not. */
export function talliesIn(
  samples: TrialSamples,
  { startMs, endMs }: TimeWindow,
  isDisturbed?: FoldedWindow['isDisturbed'],
): ReadonlyMap<string, ProbeTally> {
  const window = { startMs, endMs, ...(isDisturbed ? { isDisturbed } : {}) };
  return foldOf(samples, [], window).tallies(endMs);
}

/** Packets of all streams that came to any probe in a window, and that any sent. */
export function packetsIn(samples: TrialSamples, { startMs, endMs }: TimeWindow): Packets {
  return foldOf(samples, [], { startMs, endMs }).packetsAt(endMs);
}

/**
 * Of readings that tell what happened since the one before, the counts in which nothing is of before the window or of
 * after it. The first of all has nothing before it, and may count anything.
 */
export function countedWithin<Reading extends { readonly atMs: number }>(
  readings: readonly Reading[],
  { startMs, endMs }: TimeWindow,
  countOf: (reading: Reading) => number | undefined,
): readonly number[] {
  const told = readings.flatMap((reading) => {
    const count = countOf(reading);
    return count === undefined ? [] : { atMs: reading.atMs, count };
  });
  const inOrder = told.sort((a, b) => a.atMs - b.atMs);
  return inOrder.flatMap(({ atMs, count }, nth) => {
    const before = inOrder[nth - 1];
    return before !== undefined && before.atMs >= startMs && atMs <= endMs ? count : [];
  });
}
