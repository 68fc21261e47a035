import { type AggregateName, type Aggregates, aggregates, isAggregateName } from '../../model/aggregate.js';
import { type ExpectedStream, isMix, isMuted } from '../../model/expected-streams.js';
import { isMeasured, measures } from '../../model/measures.js';
import type { ThresholdRule, Thresholds } from '../../model/plan.js';
import { type Direction, layerAsked, type StreamKind } from '../../model/scenario.js';
import { numberNear, streamPhrase, unitAfter } from '../wording/wording.js';
import { builtInRules } from './built-in-rules.js';
import { howeverClocksAre } from './clock-bounds.js';
import { aboveTheLink } from './link-share.js';
import { codeByMarks } from './mark-rules.js';
import type { NamedLimit } from './named-limit.js';
import { namedLimits } from './named-limits.js';
import { type StreamLimit, type StreamMeasure, type StreamRule, shareOfBaseline } from './stream-rules.js';
import { onlyOne, pathOf } from './threshold-label.js';
import { sameSubject } from './thresholds/apply.js';

type OwnRule = Extract<ThresholdRule, { of: 'stream' }>;

/**
 * Named limits (a stored run's own), what marks show, and the plan's rules; of rules on one value the last that names a
 * stream holds.
 */
export function rulesOf(thresholds: Thresholds): readonly StreamRule[] {
  const { also = [] } = thresholds;
  const own = also.filter((rule) => rule.of === 'stream');
  const rules = [
    ...namedRules.filter(({ limit }) => limit(thresholds) !== undefined).map((rule) => yielding(rule, own)),
    ...builtInRules.map((rule) => yielding(rule, own)),
    ...own.map((rule, index) => yielding(streamRuleOf(rule), own.slice(index + 1))),
  ];
  return rules.map((rule) => aboveTheLink(howeverClocksAre(rule)));
}

const namedRules: readonly StreamRule[] = namedLimits.map(ruleOfNamed);

/** The rule without the streams that a later one on the same value names. */
function yielding(rule: StreamRule, later: readonly OwnRule[]): StreamRule {
  const above = later.filter((other) => sameSubject(other, rule.subject));
  if (above.length === 0) return rule;
  return {
    ...rule,
    concerns: (stream, measure) => rule.concerns(stream, measure) && !above.some((other) => names(other, stream)),
  };
}

function ruleOfNamed({
  code,
  field,
  kinds,
  directions,
  words: _,
  phrase,
  mayBeUnknown,
  ...limited
}: NamedLimit): StreamRule {
  const { aggregate, ofBaseline, comparison } = limited;
  const subject = { aggregate, kind: onlyOne(kinds), direction: onlyOne(directions), ofBaseline, comparison };
  return {
    code,
    subject,
    comparison,
    unit: ofBaseline ? '%' : aggregates[aggregate].unit,
    concerns: (stream, measure) =>
      existsFor({ aggregate, kinds, directions }, stream) &&
      (isKnown(subject, measure) || aggregate === 'frameWidth') &&
      !changesByTurns(subject, stream, measure),
    mustBeMeasured: (stream) => mayBeUnknown !== true && isOurs(subject, stream) && !isByLayer(subject, stream),
    limit: (thresholds) => thresholds[field],
    value: limited.value ?? measuredAs(subject),
    phrase: (found, value, measure) => phrase(found, value, measure.thresholds[field], measure),
  };
}

/** Whether a limit of a plan's own is on this stream. */
export function names(
  { aggregate, kind, direction }: Pick<OwnRule, 'aggregate' | 'kind' | 'direction'>,
  stream: ExpectedStream,
): boolean {
  const exists = isAggregateName(aggregate) && existsFor({ aggregate, ...measures[aggregate] }, stream);
  const isOfKind = kind === undefined ? measures[aggregate].kinds.includes(stream.kind) : kind === stream.kind;
  return exists && isOfKind && (direction ?? stream.direction) === stream.direction;
}

interface Subject {
  readonly aggregate: AggregateName;
  readonly kinds: readonly StreamKind[];
  readonly directions: readonly Direction[];
  readonly ofData?: true;
}

function existsFor({ aggregate, ...measure }: Subject, stream: ExpectedStream): boolean {
  if (isMuted(stream) && ofSpeech.has(aggregate)) return false;
  return isMeasured(measure, stream);
}

/**
 * What silence says nothing of. It has a few packets a second, so a lost one is some percent, and nobody hears it.
 * Jitter is of times between packets that are like each other (RFC 3550, 6.4.1).
 */
const ofSpeech: ReadonlySet<AggregateName> = new Set([
  'lossPercent',
  'worstLossPercent5s',
  'jitterMs',
  'jitterP95Ms',
  'jitterBufferMs',
  'mos',
  'audioLevel',
]);

function streamRuleOf(rule: OwnRule): StreamRule {
  const { aggregate, kind, ofBaseline, comparison, limit, unit, direction } = rule;
  const subject = { aggregate, kind, direction, ofBaseline, comparison };
  return {
    code: codeByMarks(aggregate, kind) ?? 'threshold',
    subject,
    unit,
    comparison,
    concerns: (stream, measure) => names(rule, stream) && isKnown(subject, measure),
    // Who asks by name for what the server reports wants it judged.
    mustBeMeasured: (stream) => direction === 'send' || isOurs(subject, stream),
    limit: () => limit,
    value: measuredAs(subject),
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} with ${pathOf(subject)} at ${numberNear(value, limit)}${unitAfter(unit)}${ofBaseline ? ' of the baseline' : ''}`,
  };
}

function measuredAs({ aggregate, ofBaseline }: StreamLimit): StreamRule['value'] {
  if (ofBaseline) return (subject, measure) => shareOfBaseline(aggregate, subject, measure);
  if (aggregate === 'delayBoundMs') return ({ values }) => boundOf(values);
  return ({ values }) => values[aggregate] ?? values[sameUnlessHidden[aggregate] ?? aggregate];
}

/** A delay that is known without a bound is by one clock, which leaves nothing open. */
function boundOf({ delayBoundMs, delayMs, shownMs }: Aggregates): number | undefined {
  return delayBoundMs ?? ((delayMs ?? shownMs) === undefined ? undefined : 0);
}

/** What is absent where nothing is hidden, because it is then the same. */
const sameUnlessHidden: Readonly<Partial<Record<AggregateName, AggregateName>>> = {
  lossPercentAtMost: 'lossPercent',
  worstLossPercent5sAtMost: 'worstLossPercent5s',
};

/** Of frame rates something is expected before there is a baseline; of widths what is sent may be known. */
function isKnown({ aggregate, ofBaseline }: StreamLimit, { baseline }: StreamMeasure): boolean {
  return !(ofBaseline && aggregate !== 'fps' && baseline === null);
}

/** How much somebody sends who speaks in turns is as it happens, and so is how much is in a mix of who pauses. */
const changesByTurns = ({ aggregate }: StreamLimit, stream: ExpectedStream, { media }: StreamMeasure): boolean =>
  aggregate === 'bitrateKbps' &&
  (stream.participant.turns !== undefined || (stream.kind === 'audio' && isMix(stream) && media.speech !== undefined));

/** A picture that is shown for a moment has no bit rate to hold against that of its layer. */
const isByLayer = ({ aggregate, ofBaseline }: StreamLimit, stream: ExpectedStream): boolean =>
  aggregate === 'bitrateKbps' && ofBaseline && layerAsked(stream)?.turns !== undefined;

/** Whether the probe itself measures it; else it is the server's to report. */
function isOurs({ aggregate }: StreamLimit, stream: ExpectedStream): boolean {
  return stream.direction === 'receive' || measures[aggregate].reported === undefined;
}
