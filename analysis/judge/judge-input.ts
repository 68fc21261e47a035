import type { Evidence } from '../../model/evidence.js';
import { expectedStreams } from '../../model/expected-streams.js';
import { atOnce, type InSteps } from '../../model/in-steps.js';
import { type CountedByLoad, comeAndGo, type Load } from '../../model/load.js';
import type { Network } from '../../model/network.js';
import type { Media, Thresholds, Timing } from '../../model/plan.js';
import type { ProbeHost } from '../../model/probe-host.js';
import type { TooManyProbes } from '../../model/run.js';
import type { Voice } from '../../model/stimulus.js';
import type { Baseline, ProbeRecord, RecordingsRecord, TrialEvent } from '../../model/trial.js';
import { measuredSpan } from '../measure/stays.js';
import { type MeasuredWindow, measuringWindow, type TimeWindow, type TrialSamples } from '../measure/window.js';

/** What was seen of one trial: while it runs, when it is over, or as it was stored. */
export interface SeenTrial extends CountedByLoad {
  /** What one session alone got; null when this trial is the baseline: then frames are measured against the camera. */
  readonly baseline: Baseline | null;
  readonly probesAsked: number;
  readonly probes: readonly ProbeRecord[];
  /** Their hosts; empty or absent: one, that of the conductor. */
  readonly hosts?: readonly ProbeHost[] | undefined;
  /** All samples of the trial, in any order, or what was folded of them; those outside the window are left out here. */
  readonly samples: TrialSamples;
  /** The measured window; absent when the trial ended before it. */
  readonly window?: TimeWindow | undefined;
  readonly evidence: Evidence;
  readonly events: readonly TrialEvent[];
  /** Which sound encoded probes sent; absent: nothing was encoded before, or an earlier version did not say. */
  readonly voice?: Voice | undefined;
  /** Absent when nothing was recorded, or not looked at. */
  readonly recordings?: RecordingsRecord | undefined;
}

/** Where people come and go, media is judged of nobody, of the sentinels beside them, or of those who come. */
export interface JudgedLoad extends Pick<Load, 'by'> {
  readonly mediaOf?: 'nobody' | 'sentinels' | 'comers';
}

export const mediaOfComers = ({ load }: Pick<JudgeInput, 'load'>): boolean => load.mediaOf === 'comers';

/** Everything a verdict is made of; nothing else enters it. */
export interface JudgeInput extends SeenTrial {
  readonly thresholds: Thresholds;
  readonly media: Media;
  readonly timing: Timing;
  /** Frames per second of a picture that servers of this kind mix; absent: the cameras'. */
  readonly mixedFps?: number | undefined;
  /** Networks whose loss and delay is their own, and not the server's. */
  readonly networks?: readonly Network[] | undefined;
  /** True when the media server runs on the probe host, so that its CPU is not the probes'. */
  readonly sameHost: boolean;
  /** True when it runs there on none of the cores that the probes may run on. */
  readonly serverApart?: boolean | undefined;
  /** Probes that this host was seen not to carry, where that can be compared with this trial. */
  readonly tooMany?: TooManyProbes | undefined;
  /** True when participants joined faster than the plan asks for: then a failure to join says nothing. */
  readonly hurried?: boolean | undefined;
  readonly load: JudgedLoad;
  /** True when a person or the caller ended the trial before its time. */
  readonly interrupted: boolean;
  /** True when the search steers by how near each second came to the limits (`ramp`): then a stable verdict says it. */
  readonly steers?: boolean;
  /** Probes were relayed: true when this run had started the TURN server, false when it belongs to what is measured. */
  readonly turnIsOurs?: boolean | undefined;
}

/** What rules measure against: this trial, and how many streams it has. */
export function measureOf<Input extends Pick<JudgeInput, 'probes'>>(input: Input): Input & { readonly among: number } {
  return { ...input, among: expectedStreams(input.probes.map(({ participant }) => participant)).length };
}

/** The window of this trial summed up; `undefined` for a trial that ended before it. */
export function measuredOf(input: JudgeInput): MeasuredWindow | undefined {
  return atOnce(measuring(input));
}

export function* measuring({
  samples,
  probes,
  window,
  steers,
  events,
  load,
}: JudgeInput): InSteps<MeasuredWindow | undefined> {
  if (!window) return undefined;
  const participants = probes.flatMap((probe) => (measuredSpan(probe, window) ? probe.participant : []));
  return yield* measuringWindow(samples, participants, window, {
    keepsSeconds: steers === true,
    joinedMs: joinedMs({ events, load }),
  });
}

/** From the mark of the join phase to that of the next, or to the window, or to the last thing known. */
export function joiningSpan({
  events,
  window,
}: Pick<JudgeInput, 'events' | 'window'>): { startMs: number; endMs: number } | undefined {
  const marks = events.filter((event) => event.type === 'phase').sort((a, b) => a.atMs - b.atMs);
  const start = marks.findIndex((mark) => mark.phase === 'join');
  const join = marks[start];
  if (!join) return undefined;
  const endMs = marks[start + 1]?.atMs ?? window?.startMs ?? Number.POSITIVE_INFINITY;
  return { startMs: join.atMs, endMs };
}

/** When the last participant had joined; undefined where that is unknown, or where they join in the window. */
export function joinedMs({ events, load }: Pick<SeenTrial, 'events'> & { readonly load: JudgedLoad }) {
  return comeAndGo(load) ? undefined : joiningSpan({ events })?.endMs;
}
