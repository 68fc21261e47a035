import { fewShare } from '../../model/answer-parts.js';
import { type InSteps, mostInStep } from '../../model/in-steps.js';
import type { Sample, SendStreamSample } from '../../model/sample.js';
import { screenFps } from '../../model/screen.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import type { FoldedWindow } from '../measure/folded-window.js';
import { isLate } from '../measure/probe-tally.js';
import { foldOf, isKnownAt, talliesIn } from '../measure/window.js';
import { ofOneProbe } from './bad-probes.js';
import { byHost } from './by-host.js';
import { type HostLoad, hostLoadIn } from './host-load.js';
import { crashFaults, failureReasonsOf, isNoticed, judgeJoinTimes, wasRefused } from './joining.js';
import { type JudgeInput, joinedMs, joiningSpan, measuredOf } from './judge-input.js';
import { lostBy } from './lost-probe.js';
import { leastFps, probeFaults } from './probe-side.js';
import { cameraFps } from './stream-rules.js';
import { stayed } from './streams.js';

/** No trial is decided earlier, because encoders take seconds to say that they lack CPU. */
const firstMomentMs = 10_000;
const momentsApart = 1.2;
/** A trial is not ended early to save less than this. */
const leastSavedMs = 3000;
/** What a participant noticed must be this old: so long the probe side has to show that it was its own doing. */
const graceMs = 2000;
/**
 * Somebody else's share of seconds, a full link's or a quota's, up to which the joining of a dead trial counts as
 * undisturbed.
 */
const undisturbedJoining = 0.1;
const undisturbedByQuota = 0.02;

/** When the judge looks, counted from the start of the window: each moment a fifth later than the one before. */
export function decisionMoments(measureMs: number): readonly number[] {
  const moments: number[] = [];
  for (let ms = firstMomentMs; ms <= measureMs - leastSavedMs; ms = 1000 * Math.ceil((ms * momentsApart) / 1000)) {
    moments.push(ms);
  }
  return moments;
}

/**
 * The part of a trial after which nothing can make it stable any more, and in which nothing of the probe side was
 * amiss: its verdict is that of the whole, because what befalls the probes later cannot have caused it. `undefined`
 * where there is no such part. See docs/reference/judging.md, "Ending early".
 */
export function* findingDecisivePart(input: JudgeInput): InSteps<JudgeInput | undefined> {
  const joining = decisiveJoining(input);
  if (joining) return joining;
  for (const momentMs of decisionMoments(input.timing.measureMs)) {
    if (input.probes.length > mostInStep) yield;
    const part = decisivePartUntil(input, momentMs);
    if (part) return part;
  }
  return undefined;
}

/** The same for one moment of the window. */
export function decisivePartUntil(input: JudgeInput, momentMs: number): JudgeInput | undefined {
  const { window, thresholds, timing } = input;
  if (!window || thresholds.badProbes || window.startMs + momentMs > window.endMs) return undefined;
  const atMs = window.startMs + momentMs;
  const part = untilMs(input, atMs, { startMs: window.startMs, endMs: atMs });
  const before = untilMs(input, atMs - graceMs, { startMs: window.startMs, endMs: atMs - graceMs });
  if (!isBeyondRepair(before, window.startMs + timing.measureMs) || !isKnownAt(input.samples, atMs)) return undefined;
  return isUndisturbed(part) ? part : undefined;
}

/** Nothing to measure: participants were refused, or half never came up while the probe host had CPU to spare. */
export function decisiveJoining(input: JudgeInput): JudgeInput | undefined {
  const span = joiningSpan({ ...input, window: undefined });
  if (!span || input.thresholds.badProbes) return undefined;
  const part = untilMs(input, span.endMs, undefined);
  if (wasRefused(part)) return part;
  const failures = failureReasonsOf(part.probes);
  const absent = part.probes.filter(({ up, failures: own }) => !up && own.length > 0);
  const faults = [...crashFaults(failures), ...probeFaults(part, undefined)];
  if (faults.length > 0 || 2 * absent.length < part.probesAsked || !failures.some(isNoticed)) return undefined;
  const spared = byHost(part).every((own) => {
    const load = hostLoadIn(own.input, span);
    if (!load || Math.max(load.saturatedShare, load.linkFullShare ?? 0) > undisturbedJoining) return false;
    return (load.throttledShare ?? 0) <= undisturbedByQuota;
  });
  return spared ? part : undefined;
}

/** The trial as it was known at this time. Who did not come up while joining never will. */
function untilMs(input: JudgeInput, atMs: number, window: JudgeInput['window']): JudgeInput {
  const soFar = (at: { readonly atMs: number }) => at.atMs <= atMs;
  const { evidence } = input;
  // Of ten thousand probes nearly all have nothing to leave out.
  const isWhole = ({ up, failures }: ProbeRecord) => !up || failures.length === 0;
  const record = (probe: ProbeRecord) =>
    isWhole(probe) ? probe : { ...probe, failures: probe.failures.filter(soFar) };
  return {
    ...input,
    window,
    timing: window ? { ...input.timing, measureMs: window.endMs - window.startMs } : input.timing,
    probes: input.probes.map(record),
    events: input.events.filter(soFar),
    evidence: {
      probeHost: evidence.probeHost.filter(soFar),
      server: evidence.server.filter(soFar),
      ...(evidence.turn ? { turn: evidence.turn.filter(soFar) } : {}),
    },
  };
}

/**
 * Whether no rest of the window can undo what more than a few noticed: a failure stays, a late join stays, a stream is
 * past its bounds.
 */
function isBeyondRepair(part: JudgeInput, fullEndMs: number): boolean {
  const { window, probes } = part;
  if (!window) return false;
  const reasons = [...fallenIn(part), ...lateIn(part)];
  if (!reasons.every(ofOneProbe)) return true;
  const noticed = new Set(reasons.map(({ probe }) => probe));
  const isMany = () => noticed.size > fewShare * part.probesAsked;
  if (isMany()) return true;
  const there = probes.filter(stayed).map(({ participant }) => participant);
  const fold = foldOf(part.samples, there, {
    ...window,
    joinedMs: joinedMs(part),
    isLost: lostBy(part, window.startMs, fullEndMs),
  });
  return there.some((participant) => {
    if (fold.isLost(participant, window.endMs)) noticed.add(participant.id);
    return isMany();
  });
}

const fallenIn = ({ probes }: JudgeInput): readonly Reason[] => failureReasonsOf(probes).filter(isNoticed);

function lateIn(part: JudgeInput): readonly Reason[] {
  const joins = judgeJoinTimes(part);
  return joins.unmeasured.length === 0 ? joins.reasons : [];
}

/** Whether the probe side was not only without fault but without any sign of one, in every second. */
function isUndisturbed(part: JudgeInput): boolean {
  const { window, probes } = part;
  if (!window) return false;
  const loads = byHost(part).map((own) => hostLoadIn(own.input, window));
  const isShort = (load: HostLoad) =>
    load.saturatedShare > 0 || (load.linkFullShare ?? 0) > 0 || (load.throttledShare ?? 0) > undisturbedByQuota;
  if (loads.some((load) => load && isShort(load))) return false;
  const tallies = talliesIn(part.samples, window, disturbedIn(part));
  for (const { wasDisturbed } of tallies.values()) if (wasDisturbed) return false;
  // Last, because all streams are summed up for it.
  return [...crashFaults(failureReasonsOf(probes)), ...probeFaults(part, measuredOf(part))].length === 0;
}

/** Whether a second shows that a page, an encoder or a camera was short of something. */
function disturbedIn({ media, probes }: Pick<JudgeInput, 'media' | 'probes'>): (sample: Sample) => boolean {
  const screens = new Set(
    probes.flatMap(({ participant }) => participant.legs.flatMap((leg) => (leg.screen ? [leg.id] : []))),
  );
  const isShort = ({ leg, metrics: { sourceFps, askedFps } }: SendStreamSample) =>
    sourceFps !== undefined && sourceFps < leastFps(screens.has(leg) ? screenFps : cameraFps(media, askedFps));
  return (sample) =>
    isLate(sample) ||
    sample.streams.some(
      (stream) => stream.direction === 'send' && (stream.qualityLimitation === 'cpu' || isShort(stream)),
    );
}

/**
 * How samples are folded that are to be judged by this, as they come, in a window that begins then.
 *
 * @param now the same as it is known when a probe is the first to come past a moment; absent: it is known whole
 */
export function judgedWindow(
  input: Omit<JudgeInput, 'samples' | 'window'>,
  startMs: number,
  now: () => Omit<JudgeInput, 'samples' | 'window'> = () => input,
): FoldedWindow {
  const { measureMs } = input.timing;
  const endMs = startMs + measureMs;
  const ends = decisionMoments(measureMs).map((momentMs) => startMs + momentMs);
  let isAnyLate: boolean | undefined;
  const before = (haltMs: number) => untilMs({ ...now(), samples: [] }, haltMs, { startMs, endMs: haltMs });
  return {
    startMs,
    endMs,
    ends,
    halts: ends.map((atMs) => atMs - graceMs),
    wasNoticed: (haltMs) => {
      const part = before(haltMs);
      // Nobody joins in the window.
      isAnyLate ??= lateIn(part).length > 0;
      return isAnyLate || fallenIn(part).length > 0;
    },
    isLost: lostBy(input, startMs, endMs),
    isDisturbed: disturbedIn(input),
  };
}
