import { type Aggregates, onlyMeasured } from '../../model/aggregate.js';
import type { InSteps } from '../../model/in-steps.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { catchUpShare } from '../measure/catching-up.js';
import type { MeasuredStream } from '../measure/measured-stream.js';
import { mosOf } from '../measure/mos.js';
import type { MeasuredWindow } from '../measure/window.js';
import { tolerate } from './bad-probes.js';
import { brieflyFull } from './host-reasons.js';
import type { JudgeInput } from './judge-input.js';
import type { ProbeFault } from './probe-fault.js';
import { clearPercent, marginsOf } from './screening.js';
import { judgingStreams } from './streams.js';

/** A burst that fills a second reaches into those beside it, half a second on either side in the mean. */
const reach = 2;
/** RFC 3550 6.4.1: the first packet held for a second adds a sixteenth of it, and a second later the jitter is gone. */
const jitterOfHold = (2 * 1000) / 16;
/** Longer gaps between frames are freezes, which have a limit of their own (webrtc-stats, `freezeCount`). */
const unevenMs = 150;

/** What was seen of a trial with whose probe hosts nothing else was wrong. */
interface Seen {
  readonly noticed: readonly Reason[];
  /** What of that no stream says. */
  readonly beside: readonly Reason[];
  readonly thresholds: readonly ThresholdResult[];
}

/**
 * Probe hosts that were full for a few seconds only, where that decides. A failing trial says nothing where what a
 * receiver without CPU misses in those seconds explains all that was noticed; what the server did in the rest of the
 * window stays its own. A passing one confirms nothing where a value is near its limit: were such passes kept, and such
 * failures discarded, a size would pass more often than the server does.
 */
export function* findingBrieflyFull(input: JudgeInput, measured: MeasuredWindow, seen: Seen): InSteps<ProbeFault[]> {
  const full = brieflyFull(input);
  const fullMs = Math.max(0, ...full.map((host) => host.fullMs));
  if (fullMs === 0) return [];
  const decides =
    seen.noticed.length > 0 ? yield* explaining(input, measured, seen.beside, fullMs) : isNear(seen.thresholds);
  return decides ? full.map(({ reason }) => ({ reason, spoils: 'blame', exhausted: false })) : [];
}

function* explaining(
  input: JudgeInput,
  measured: MeasuredWindow,
  beside: readonly Reason[],
  fullMs: number,
): InSteps<boolean> {
  if (beside.length > 0 && tolerate(beside, input).noticed.length > 0) return false;
  const streams = measured.streams.map((stream) => withoutStarving(stream, fullMs));
  const { reasons } = yield* judgingStreams(input, { ...measured, streams });
  return tolerate([...beside, ...reasons], input).noticed.length === 0;
}

/** Whether over half of the way to a limit is used, or that is unknown: screening would not call it clear, either. */
function isNear(thresholds: readonly ThresholdResult[]): boolean {
  const margins = marginsOf(thresholds);
  return margins === undefined || margins.some(({ usedPercent }) => usedPercent > clearPercent);
}

/** A stream with its values as they would be at best, had nobody been without CPU for so long. */
function withoutStarving(stream: MeasuredStream, fullMs: number): MeasuredStream {
  const { summary, readMs } = stream;
  const values = valuesWithoutStarving(summary.values, summary.direction === 'receive', fullMs, readMs);
  return { ...stream, summary: { ...summary, values } };
}

/** The best values possible: each is moved by all that so many full seconds can do to it in such a window. */
function valuesWithoutStarving(values: Aggregates, isReceived: boolean, fullMs: number, windowMs: number): Aggregates {
  const starvedMs = Math.min(reach * fullMs, windowMs);
  const share = starvedMs / windowMs;
  const more = (value: number | undefined) => (share < 1 ? value && value / (1 - share) : value);
  const { legRttMs, rttMs, legRttP95Ms, bitrateKbps, fps } = values;
  const moved = onlyMeasured({
    ...values,
    bitrateKbps: more(bitrateKbps),
    fps: more(fps),
    // A check or a report that waits until the host has CPU again.
    rttMs: less(rttMs, starvedMs * share),
    legRttMs: less(legRttMs, starvedMs * share),
    legRttP95Ms: less(legRttP95Ms, starvedMs),
  });
  return isReceived ? receivedWithout(moved, { fullMs, starvedMs, share, windowMs }) : moved;
}

const less = (value: number | undefined, most: number) => value && Math.max(0, value - most);

function receivedWithout(
  values: Aggregates,
  { fullMs, starvedMs, share, windowMs }: Readonly<Record<'fullMs' | 'starvedMs' | 'share' | 'windowMs', number>>,
): Aggregates {
  const { concealedPercent, meanGapMs, frozenPercent, frozenMs, longestFreezeMs, stutterMs } = values;
  const still = less(frozenMs, starvedMs);
  const percents = { mean: 100 * share, worst5s: Math.min(100, starvedMs / 50) };
  const concealed = less(concealedPercent, percents.mean);
  const moved = onlyMeasured({
    ...values,
    lossPercent: less(values.lossPercent, percents.mean),
    lossPercentAtMost: less(values.lossPercentAtMost, percents.mean),
    worstLossPercent5s: less(values.worstLossPercent5s, percents.worst5s),
    worstLossPercent5sAtMost: less(values.worstLossPercent5sAtMost, percents.worst5s),
    switchP95Ms: less(values.switchP95Ms, starvedMs),
    jitterMs: less(values.jitterMs, (jitterOfHold * fullMs) / windowMs),
    jitterBufferMs: less(values.jitterBufferMs, meanOfDraining(fullMs, windowMs)),
    frozenMs: still,
    longestFreezeMs: still === undefined ? longestFreezeMs : longestFreezeMs && Math.min(longestFreezeMs, still),
    frozenPercent:
      frozenMs && still !== undefined ? frozenPercent && (frozenPercent * still) / frozenMs : frozenPercent,
    stutterMs: stutterMs && Math.sqrt(Math.max(0, stutterMs ** 2 - share * unevenMs ** 2)),
    concealedPercent: concealed,
    longestGapMs: less(values.longestGapMs, starvedMs),
    // The stretches that are left are no longer in the mean than all of them were.
    meanGapMs: concealed === 0 ? undefined : meanGapMs,
  });
  const mos = values.mos === undefined ? undefined : mosOf(moved, moved.legRttMs);
  return mos === undefined ? moved : { ...moved, mos };
}

/** Sound that waited for CPU and is played faster until it has caught up: mean length of the buffer. */
function meanOfDraining(heldMs: number, windowMs: number): number {
  const drainedMs = Math.min(windowMs, heldMs / catchUpShare);
  return ((heldMs - (drainedMs * catchUpShare) / 2) * drainedMs) / windowMs;
}
