import type { Aggregates } from '../../model/aggregate.js';
import { isShared } from '../../model/expected-streams.js';
import { screenFps } from '../../model/screen.js';
import type { Reason } from '../../model/verdict.js';
import { lateFromMs, noTally, type ProbeTally } from '../measure/probe-tally.js';
import { measuredSpan } from '../measure/stays.js';
import { type MeasuredWindow, measurableMs } from '../measure/window.js';
import { numberNear, plural } from '../wording/wording.js';
import { byHost } from './by-host.js';
import { calibratedFault } from './calibrated-host.js';
import { hostReasons } from './host-reasons.js';
import { type JudgeInput, joiningSpan } from './judge-input.js';
import { changedMedia } from './media-changes.js';
import { type ProbeFault, spoilsLoad } from './probe-fault.js';
import { processFaults } from './sentinels.js';
import { turnFaults } from './server-drops.js';
import { cameraFps } from './stream-rules.js';
import { stayed } from './streams.js';

/** Percent of its frames that a camera must deliver. Chosen: a fake camera that is not held up gives all. */
const cameraPercent = 90;
/** getStats counts 4 of 5 frames a second (media-source.framesPerSecond): one more may be missing. */
const uncountedFps = 2;

/** A camera that gives fewer of so many is held up by the probe host, and so is a screen. */
export const leastFps = (wholeFps: number): number =>
  Math.min((wholeFps * cameraPercent) / 100, wholeFps - uncountedFps);

const limits = {
  /** Share of the time in which the encoder says that the CPU limits it. */
  encoderPercent: 10,
  latePercent: 5,
  lateSamples: 3,
  lateExhaustedPercent: 20,
  /** Of the sound that a probe host played; on hosts that are not full it makes up none. */
  synthesizedPercent: 2,
  synthesizedExhaustedPercent: 20,
  /** What must be measured of the window. */
  measuredPercent: 95,
} as const;

export function probeFaults(input: JudgeInput, measured: MeasuredWindow | undefined): ProbeFault[] {
  const never = neverStarted(input);
  if (!measured) return [...never, ...hostReasons(input)];
  const tallies = measured.probes;
  const seated = seatedWentWrong(input, measured) ? joiningSpan(input) : undefined;
  const faults = [
    ...never,
    ...hostReasons(input, seated !== undefined),
    ...(seated ? processFaults({ ...input, window: seated }) : []),
    ...byHost(input).flatMap(calibratedFault),
    ...missingSamples(input, tallies),
    ...shortWindow(input),
    ...lateTimers(input, tallies),
    ...latePlayout(input, measured),
    ...turnFaults(input),
    ...processFaults(input),
    ...weakSenders(input, measured),
  ];
  // A receiver without CPU plays less than came to it, and a sender sends other than it should: then nothing is the
  // server's doing.
  return faults.some(({ spoils }) => spoils === 'load') ? faults : [...faults, ...changedMedia(input, measured)];
}

/** Whether a seated participant missed much while others joined: then the probe side is checked for that time. */
function seatedWentWrong({ thresholds: { seatedGapPercentMax } }: JudgeInput, { streams }: MeasuredWindow): boolean {
  return streams.some(({ summary: { values } }) => (values.seatedGapPercent ?? 0) > seatedGapPercentMax);
}

function neverStarted({ probes, probesAsked }: JudgeInput): ProbeFault[] {
  if (probes.length >= probesAsked) return [];
  const text = `${plural(probesAsked - probes.length, 'probe')} of ${probesAsked} were never started.`;
  return [spoilsLoad({ code: 'samples-missing', text, measured: probes.length, limit: probesAsked, unit: 'probes' })];
}

/** A stream whose probe was not read for a while may have failed unseen. */
function missingSamples({ probes, window }: JudgeInput, tallies: ReadonlyMap<string, ProbeTally>): ProbeFault[] {
  if (!window) return [];
  return probes.filter(stayed).flatMap((probe) => {
    const { id, session } = probe.participant;
    const span = measuredSpan(probe, window);
    if (!span) return [];
    const neededMs = (measurableMs(span) * limits.measuredPercent) / 100;
    const { measuredMs: gotMs } = tallies.get(id) ?? noTally;
    if (gotMs >= neededMs) return [];
    const asked = (span.endMs - span.startMs) / 1000;
    const text = `${id} gave samples for ${numberNear(gotMs / 1000)} s of the ${numberNear(asked)} s measured.`;
    return spoilsLoad({
      code: 'samples-missing',
      probe: id,
      session,
      text,
      measured: gotMs,
      limit: neededMs,
      unit: 'ms',
    });
  });
}

function shortWindow({ window, timing }: JudgeInput): ProbeFault[] {
  if (!window) return [];
  const gotMs = window.endMs - window.startMs;
  if (gotMs >= (timing.measureMs * limits.measuredPercent) / 100) return [];
  const text = `Only ${numberNear(gotMs / 1000)} s of ${timing.measureMs / 1000} s were measured.`;
  const reason: Reason = { code: 'samples-missing', text, measured: gotMs, limit: timing.measureMs, unit: 'ms' };
  return [spoilsLoad(reason)];
}

function lateTimers({ probes }: JudgeInput, tallies: ReadonlyMap<string, ProbeTally>): ProbeFault[] {
  return probes.filter(stayed).flatMap(({ participant: { id, session } }) => {
    const { samples, late, worstLateMs } = tallies.get(id) ?? noTally;
    const percent = (100 * late) / Math.max(1, samples);
    if (late < limits.lateSamples || percent <= limits.latePercent) return [];
    const text = `The page of ${id} was over ${lateFromMs} ms late in ${late} of ${samples} seconds, at worst ${numberNear(worstLateMs)} ms.`;
    const reason: Reason = {
      code: 'page-timer-late',
      probe: id,
      session,
      text,
      measured: percent,
      limit: limits.latePercent,
      unit: '%',
    };
    return { reason, spoils: 'blame', exhausted: percent >= limits.lateExhaustedPercent } as const;
  });
}

/**
 * Probes whose own host played sound late, and made up what was missing (media-playout). Sound that they say waited,
 * was made up or came apart from its pictures may be their host's doing. One device plays all streams of a page.
 */
function latePlayout({ probes }: JudgeInput, { streams }: MeasuredWindow): ProbeFault[] {
  const limit = limits.synthesizedPercent;
  const worst = new Map<string, number>();
  for (const { summary } of streams) {
    const { probe, values } = summary;
    worst.set(probe, Math.max(worst.get(probe) ?? 0, values.synthesizedPercent ?? 0));
  }
  return probes.filter(stayed).flatMap(({ participant: { id, session } }) => {
    const measured = worst.get(id) ?? 0;
    if (measured <= limit) return [];
    const text = `The probe host of ${id} made up ${numberNear(measured, limit)} % of the sound that it played, because the page did not give it in time (limit ${limit} %).`;
    const reason: Reason = { code: 'playout-late', probe: id, session, text, measured, limit, unit: '%' };
    return { reason, spoils: 'blame', exhausted: measured >= limits.synthesizedExhaustedPercent } as const;
  });
}

/** Senders that did not send what they were asked to, for want of CPU or camera. */
function weakSenders({ probes, media }: JudgeInput, { streams }: MeasuredWindow): ProbeFault[] {
  const there = new Set(probes.filter(stayed).map((probe) => probe.participant.id));
  const encoded = new Set(probes.filter((one) => one.encoded).map(({ participant: { id } }) => id));
  const sent = streams.filter(({ summary }) => summary.direction === 'send' && there.has(summary.probe));
  return sent.flatMap(({ expected, summary: { probe, leg, direction, kind, values } }) => {
    const place = { probe, session: expected.participant.session, stream: { leg, direction, kind } };
    const faults: Reason[] = [];
    const { cpuLimitedPercent, sourceFps, askedFps } = values;
    if (cpuLimitedPercent !== undefined && cpuLimitedPercent > limits.encoderPercent) {
      const text = `The encoder of ${probe} was limited by CPU ${numberNear(cpuLimitedPercent, limits.encoderPercent)} % of the time (limit ${limits.encoderPercent} %).`;
      const figures = { measured: cpuLimitedPercent, limit: limits.encoderPercent, unit: '%' };
      faults.push({ code: 'encoder-cpu-limited', ...place, text, ...figures });
    }
    const isOfScreen = isShared(expected);
    const wholeFps = isOfScreen ? screenFps : cameraFps(media, askedFps);
    const neededFps = leastFps(wholeFps);
    if (sourceFps !== undefined && sourceFps < neededFps) {
      const text = `The ${isOfScreen ? 'screen' : 'camera'} of ${probe} gave ${numberNear(sourceFps, neededFps)} of ${numberNear(wholeFps)} fps (limit ${numberNear(neededFps)}).`;
      faults.push({ code: 'camera-short', ...place, text, measured: sourceFps, limit: neededFps, unit: 'fps' });
    }
    const unsent = encoded.has(probe) ? notReplaced(place, values) : undefined;
    if (unsent) faults.push(unsent);
    return faults.map((reason) => ({ reason, spoils: 'load', exhausted: true }) as const);
  });
}

/** Share of the small camera's frames that must be replaced; a few may be under way at the edges of a second. */
const replacedPercentMin = 95;

/**
 * Whether an encoded probe sent what it was asked to: each frame of its small camera must have gone out as one of the
 * clip, in order. Its encoder says nothing about a shortage of CPU, so this stands in its place; what the page's worker
 * did not tell counts as not replaced.
 */
function notReplaced(
  place: Required<Pick<Reason, 'probe' | 'session' | 'stream'>>,
  { replacedPercent }: Aggregates,
): Reason | undefined {
  if (place.stream.kind !== 'video') return undefined;
  const limit = replacedPercentMin;
  const code = 'frames-not-replaced';
  if (replacedPercent === undefined) {
    const text = `Nothing is known of the encoded frames that ${place.probe} sent: the worker of its page did not tell.`;
    return { code, ...place, text };
  }
  if (replacedPercent >= limit) return undefined;
  const text = `Only ${numberNear(replacedPercent, limit)} % of the frames that ${place.probe} sent were replaced by the encoded clip's in order (limit ${limit} %).`;
  return { code, ...place, text, measured: replacedPercent, limit, unit: '%' };
}
