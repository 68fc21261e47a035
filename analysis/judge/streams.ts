import { needsPlayer } from '../../model/aggregate.js';
import { unaskedLayers } from '../../model/expected-streams.js';
import { groupedBy } from '../../model/grouped.js';
import { type InSteps, mostInStep } from '../../model/in-steps.js';
import { isReadBySome, measures } from '../../model/measures.js';
import { hasBrowser } from '../../model/probe-kinds.js';
import { senderOf } from '../../model/sender-mark.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { ProbeRecord } from '../../model/trial.js';
import type { Reason, ThresholdResult } from '../../model/verdict.js';
import { placesIn } from '../measure/baseline-places.js';
import type { MeasuredWindow } from '../measure/window.js';
import { refOf, unitAfter } from '../wording/wording.js';
import { askedRates } from './asked-rates.js';
import { togetherFrozen } from './frozen-together.js';
import type { Judgement } from './joining.js';
import { type JudgeInput, measureOf } from './judge-input.js';
import { type LegRule, legRulesOf } from './leg-rules.js';
import { fromLinkPhrase, isCountedFromLinks } from './link-share.js';
import { rulesOf } from './own-rules.js';
import { sentWidths } from './sent-widths.js';
import { hasArrived, haveReportsEnded, hiddenBeyond, noMedia, unknownStreams, unmeasured } from './stream-doubts.js';
import type { StreamMeasure, StreamRule, StreamSubject } from './stream-rules.js';
import { type Finding, thresholdOf } from './threshold-row.js';

/** One rule is quickly asked of a stream. */
const streamsInStep = 4 * mostInStep;

interface RuleJudgement {
  readonly threshold: ThresholdResult | undefined;
  readonly reasons: readonly Reason[];
  readonly unmeasured: readonly Reason[];
}

/**
 * Every expected stream of every probe that came up and stayed, against every threshold that concerns it. A stream that
 * did not arrive has failed by that name and is not judged further; it fails the thresholds, too, by having no value.
 */
export function* judgingStreams(input: JudgeInput, measured: MeasuredWindow | undefined): InSteps<Judgement> {
  const subjects = subjectsOf(input, measured);
  const arrived: StreamSubject[] = [];
  const dead: StreamSubject[] = [];
  for (const subject of subjects) (hasArrived(subject) ? arrived : dead).push(subject);
  if (subjects.length > streamsInStep) yield;
  const measure = {
    ...measureOf(input),
    places: placesIn(arrived, input.baseline),
    asked: askedRates(arrived),
    sentWidths: sentWidths(arrived),
  };
  const judgements: RuleJudgement[] = [];
  for (const rule of rulesOf(input.thresholds)) judgements.push(yield* judgingRule(rule, arrived, dead, measure));
  for (const rule of legRulesOf(input.thresholds)) judgements.push(yield* judgingLegs(rule, arrived, measure));
  return {
    reasons: [...dead.map((subject) => noMedia(subject, input)), ...judgements.flatMap(({ reasons }) => reasons)],
    thresholds: judgements.flatMap(({ threshold }) => threshold ?? []),
    unmeasured: [...unknownStreams(measured, subjects), ...judgements.flatMap((judgement) => judgement.unmeasured)],
  };
}

/** A probe that came up and stayed: what it measured is the server's doing. */
export function stayed(probe: ProbeRecord): boolean {
  return probe.up && probe.failures.length === 0;
}

/**
 * Streams of probes with samples in the window; a probe without any is the probe side's fault and found there. A sent
 * layer that no receiver asks for is left out: nobody notices how it is.
 */
export function subjectsOf({ probes }: JudgeInput, measured: MeasuredWindow | undefined): StreamSubject[] {
  if (!measured) return [];
  const there = new Set(probes.filter(stayed).map((probe) => probe.participant.id));
  const leaving = new Set(probes.flatMap((probe) => (probe.there ? [probe.participant.id] : [])));
  const isUnasked = unaskedLayers(measured.streams.map(({ expected }) => expected));
  const decoding = new Set(probes.flatMap((probe) => (hasBrowser(probe) ? probe.participant.id : [])));
  return measured.streams
    .filter(({ expected: { participant } }) => there.has(participant.id) && measured.probes.has(participant.id))
    .filter(({ expected }) => !isUnasked(expected))
    .map(({ expected, summary, count, readMs, unreportedMs, foreignSender, missing, unread }) => {
      const isPart = count < (measured.probes.get(expected.participant.id)?.samples ?? 0);
      return {
        stream: expected,
        values: summary.values,
        ...(decoding.has(expected.participant.id) ? {} : { undecoded: true as const }),
        readMs,
        ...(foreignSender === undefined ? {} : { seen: nameOf(foreignSender, probes) }),
        ...(missing === undefined ? {} : { missing }),
        ...(unread ? { unread } : {}),
        ...(expected.direction === 'send' ? { unreportedMs } : {}),
        ...(isPart || leaving.has(expected.participant.id) ? { thereMs: readMs } : {}),
      };
    });
}

/** Of whoever marks pictures so. */
function nameOf(sender: number, probes: readonly ProbeRecord[]): string {
  return probes.find(({ participant }) => senderOf(participant.id) === sender)?.participant.id ?? 'somebody unknown';
}

function* judgingRule(
  rule: StreamRule,
  arrived: readonly StreamSubject[],
  dead: readonly StreamSubject[],
  measure: StreamMeasure,
): InSteps<RuleJudgement> {
  const limit = rule.limit(measure.thresholds);
  const findings: Finding[] = [];
  const unvalued: StreamSubject[] = [];
  for (const [nth, subject] of arrived.entries()) {
    if (nth % streamsInStep === streamsInStep - 1) yield;
    if (!rule.concerns(subject.stream, measure)) continue;
    const value = rule.value(subject, measure);
    const fellSilent = haveReportsEnded(rule, subject, measure);
    if (value === undefined) {
      if (subject.undecoded && needsPlayer(rule.subject.aggregate)) continue;
      if (fellSilent || rule.mustBeMeasured(subject.stream)) unvalued.push(subject);
      continue;
    }
    const ofLink = rule.ofLink?.(subject, measure);
    const reason = reasonOf(rule, subject, { value, ofLink }, measure);
    const upTo = reason ? undefined : hiddenBeyond(rule, subject, measure, limit);
    findings.push({ subject, value, reason, ofLink, upTo });
    // What was reported before has failed by itself, or says nothing of the rest.
    if (fellSilent && !reason) unvalued.push(subject);
  }
  // What only marks say is unknown of full probes, which the others of a kind answer for. A mix that was looked at
  // has no other.
  const isByMarks = isReadBySome(measures[rule.subject.aggregate]) && findings.length > 0;
  const isUnread = ({ unread }: StreamSubject) => rule.subject.aggregate === 'missingPercent' && unread;
  const silent = isByMarks ? unvalued.filter(isUnread) : unvalued;
  const lost = dead.filter(({ stream }) => rule.concerns(stream, measure) && rule.mustBeMeasured(stream));
  if (findings.length + silent.length + lost.length === 0) return { threshold: undefined, reasons: [], unmeasured: [] };
  const { code, unit, comparison } = rule;
  const id = idOf(rule, measure);
  // Where one fails by itself, it says more.
  const isKept = findings.every(({ reason }) => !reason);
  const together = isKept ? togetherFrozen(rule, arrived, limit, measure) : undefined;
  const threshold = thresholdOf({ id, code, unit, comparison, limit }, findings, [...silent, ...lost]);
  return {
    threshold: together ? failedTogether(threshold, together) : threshold,
    reasons: [...findings.flatMap(({ reason }) => reason ?? []), ...(together ? [together] : [])],
    unmeasured: silent.map((subject) => unmeasured(subject, id, haveReportsEnded(rule, subject, measure))),
  };
}

function failedTogether({ worstProbe: _, ...row }: ThresholdResult, { measured }: Reason): ThresholdResult {
  return { ...row, worst: measured ?? null, passed: false };
}

/** The rule as this trial applies it: a share of the baseline or of what was asked, or beyond what links explain. */
export function idOf(rule: StreamRule, measure: StreamMeasure): ThresholdId {
  const { aggregate, kind, direction, comparison, ofBaseline } = rule.subject;
  return {
    of: 'stream',
    aggregate,
    ...(kind ? { kind } : {}),
    ...(direction ? { direction } : {}),
    comparison,
    ...(ofBaseline ? { shareOf: measure.baseline ? 'baseline' : 'expected' } : {}),
    ...(isCountedFromLinks(rule, measure) ? { beyondLink: true } : {}),
  };
}

function reasonOf(
  rule: StreamRule,
  subject: StreamSubject,
  { value, ofLink }: Pick<Finding, 'value' | 'ofLink'>,
  measure: StreamMeasure,
): Reason | undefined {
  const limit = rule.limit(measure.thresholds);
  if (rule.comparison === 'at-most' ? value <= limit : value >= limit) return undefined;
  const { participant, direction } = subject.stream;
  const starvedPresenter = participant.presents === true && direction === 'send';
  const unit = unitAfter(rule.unit);
  return {
    code: starvedPresenter ? 'presenter-starved' : rule.code,
    probe: participant.id,
    session: participant.session,
    stream: refOf(subject.stream),
    text: `${participant.id} ${rule.phrase(subject, value, measure)}${fromLinkPhrase(rule, ofLink)} (limit ${limit}${unit}).`,
    measured: value,
    limit,
    unit: rule.unit,
  };
}

function* judgingLegs(
  rule: LegRule,
  arrived: readonly StreamSubject[],
  measure: StreamMeasure,
): InSteps<RuleJudgement> {
  const { code, unit, comparison } = rule;
  const limit = rule.limit(measure.thresholds);
  const legs = [...groupedBy(arrived, ({ stream }) => stream.leg.id).values()];
  const silent: StreamSubject[] = [];
  const findings: Finding[] = [];
  for (const [nth, ofLeg] of legs.entries()) {
    if (nth % streamsInStep === streamsInStep - 1) yield;
    const subject = ofLeg.at(-1) as StreamSubject;
    const found = rule.value(ofLeg, measure);
    if (!found) {
      if (rule.mustBeMeasured) silent.push(subject);
    } else {
      const reason = found.value > limit ? legReason(rule, subject, found, limit) : undefined;
      findings.push({ subject, ...found, reason });
    }
  }
  if (findings.length + silent.length === 0) return { threshold: undefined, reasons: [], unmeasured: [] };
  const id = rule.id(measure);
  return {
    threshold: thresholdOf({ id, code, unit, comparison, limit }, findings, silent),
    reasons: findings.flatMap(({ reason }) => reason ?? []),
    unmeasured: silent.map((subject) => unmeasured(subject, id)),
  };
}

function legReason(
  rule: LegRule,
  { stream }: StreamSubject,
  found: Pick<Finding, 'value' | 'ofLink'>,
  limit: number,
): Reason {
  const { id, session } = stream.participant;
  const where = stream.leg.id === id ? '' : ` on ${stream.leg.id}`;
  return {
    code: rule.code,
    probe: id,
    session,
    text: `${id} ${rule.phrase(found, limit, where)} (limit ${limit}${unitAfter(rule.unit)}).`,
    measured: found.value,
    limit,
    unit: rule.unit,
  };
}
