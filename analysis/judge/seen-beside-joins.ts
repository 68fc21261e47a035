import type { InSteps } from '../../model/in-steps.js';
import type { ThresholdRule } from '../../model/plan.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult, Verdict } from '../../model/verdict.js';
import { measuredSpan } from '../measure/stays.js';
import type { MeasuredWindow } from '../measure/window.js';
import { worstFirst } from '../wording/wording.js';
import { disturbedBoth } from './disturbed.js';
import { isCrash } from './joining.js';
import { judgeArrivals } from './judge-arrivals.js';
import { type JudgeInput, measuring, mediaOfComers } from './judge-input.js';
import { probeFaults } from './probe-side.js';
import { stayed } from './streams.js';

/** Who came by how they joined, and where probes with media were there beside them, what those saw. */
export function* judgingArrivals(
  input: JudgeInput,
  known: MeasuredWindow | undefined,
  judgingMedia: (seen: JudgeInput, measured: MeasuredWindow | undefined) => InSteps<Verdict>,
): InSteps<Verdict> {
  if (input.load.mediaOf === 'nobody') return judgeArrivals(input);
  const measured = known ?? (yield* measuring(input));
  const seen = asProbesSawIt(input);
  // Sentinels join nothing of what is counted here.
  const joins = judgeArrivals(input, mediaOfComers(input) ? probeFaults(seen, measured) : []);
  return combinedVerdict(joins, yield* judgingMedia(seen, measured), unseenMedia(seen));
}

/**
 * The trial as its probes with media saw it. Limits on how those who come join are judged over all of them, from when
 * each was due, and are not asked a second time of probes.
 */
function asProbesSawIt({ tooMany: _, ...input }: JudgeInput): JudgeInput {
  const { also, ...limits } = input.thresholds;
  const comers = mediaOfComers(input);
  const own = also?.filter((rule) => !(comers ? isOfJoining(rule) : isOfArrivals(rule)));
  const probes = comers ? input.probes.filter((probe) => tellsOfMedia(probe, input.window)) : input.probes;
  const onJoining = comers ? { joinMsMax: Number.MAX_VALUE, firstFrameP95MsMax: Number.MAX_VALUE } : {};
  return {
    ...input,
    thresholds: { ...limits, ...onJoining, ...(own && own.length > 0 ? { also: own } : {}) },
    probes,
    probesAsked: probes.length,
  };
}

/** Whoever did not join is among those who came. What befell a probe's browser took load away, whenever that was. */
function tellsOfMedia({ up, failures, ...probe }: ProbeRecord, window: JudgeInput['window']): boolean {
  if (failures.some(isCrash)) return true;
  if (!up) return false;
  return failures.length > 0 || (window !== undefined && measuredSpan(probe, window) !== undefined);
}

/** Where the probes are those who come and no whole stay was measured, media are unknown: absent is not well. */
function unseenMedia(input: JudgeInput): Reason[] {
  if (!mediaOfComers(input) || input.probes.some((probe) => probe.there !== undefined && stayed(probe))) return [];
  const text = 'Nobody who came had a whole stay in the window, so that nothing is known of their media.';
  return [{ code: 'samples-missing', text }];
}

const isOfJoining = ({ of }: ThresholdRule): boolean => of === 'join' || of === 'join-success';

/** Judged over all who are due. */
function isOfArrivals(rule: ThresholdRule): boolean {
  return rule.of === 'join-success' || (rule.of === 'join' && rule.time === 'answer');
}

/**
 * One verdict of how those who came joined and of what the probes beside them saw. Where the load was not what the size
 * says, nothing else counts. What failed in one of them failed, for each has its own evidence that it was the server;
 * and only both make a trial stable.
 */
function combinedVerdict(joins: Verdict, seen: Verdict, unseen: readonly Reason[]): Verdict {
  const judged = new Set(joins.thresholds.map(({ id }) => thresholdKey(id)));
  const thresholds = [
    ...joins.thresholds,
    ...seen.thresholds.filter(isJudged).filter(({ id }) => !judged.has(thresholdKey(id))),
  ];
  if (joins.kind === 'void') return { ...joins, thresholds };
  if (joins.kind === 'stable' && seen.kind === 'stable' && unseen.length > 0) {
    return { kind: 'void', reasons: unseen, thresholds, probesExhausted: false };
  }
  if (joins.kind === 'stable' && seen.kind === 'stable') return { ...seen, ...disturbedBoth(joins, seen), thresholds };
  if (joins.kind === 'stable') return { ...seen, thresholds };
  const reasons = seen.kind === 'unstable' ? newIn(joins, seen) : [];
  return { ...joins, reasons: worstFirst([...joins.reasons, ...reasons]), thresholds };
}

/** Not one that was put out of force. */
const isJudged = ({ limit }: ThresholdResult): boolean => limit < Number.MAX_VALUE;

/** What the server itself said is in both. */
function newIn(joins: Verdict, seen: Verdict): Verdict['reasons'] {
  const known = new Set(joins.reasons.map(({ text }) => text));
  return seen.reasons.filter(({ text }) => !known.has(text));
}
