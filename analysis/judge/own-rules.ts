import { isAggregateName } from '../../model/aggregate.js';
import { measures } from '../../model/measures.js';
import type { ThresholdRule, Thresholds } from '../../model/plan.js';
import type { Direction, MediaKind } from '../../model/scenario.js';
import type { ExpectedStream } from '../measure/window.js';
import { numberNear, streamPhrase, unitAfter } from '../wording/wording.js';
import { aboveTheLink } from './link-share.js';
import { type StreamRule, shareOfBaseline, streamRules } from './stream-rules.js';
import { type RuleSubject, sameSubject } from './thresholds/apply.js';

type OwnRule = Extract<ThresholdRule, { of: 'stream' }>;

/** The named limits and the plan's own rules; of rules on the same value the last one that names a stream holds. */
export function rulesOf(thresholds: Thresholds): readonly StreamRule[] {
  return plainRulesOf(thresholds).map(aboveTheLink);
}

function plainRulesOf({ also = [] }: Thresholds): readonly StreamRule[] {
  const own = also.filter((rule) => rule.of === 'stream');
  if (own.length === 0) return streamRules;
  return [
    ...streamRules.map((rule) => yielding(rule, { ...rule.subject, comparison: rule.comparison }, own)),
    ...own.map((rule, index) => yielding(streamRuleOf(rule), rule, own.slice(index + 1))),
  ];
}

/** The rule without the streams that a later one on the same value names. */
function yielding(rule: StreamRule, subject: RuleSubject, later: readonly OwnRule[]): StreamRule {
  const above = later.filter((other) => sameSubject(other, subject));
  if (above.length === 0) return rule;
  return {
    ...rule,
    concerns: (stream, measure) => rule.concerns(stream, measure) && !above.some((other) => names(other, stream)),
  };
}

function names({ aggregate, kind, direction }: OwnRule, stream: ExpectedStream): boolean {
  const exists = isAggregateName(aggregate) && existsFor(measures[aggregate], stream);
  return exists && (kind ?? stream.kind) === stream.kind && (direction ?? stream.direction) === stream.direction;
}

function existsFor(
  { kinds, directions }: { readonly kinds: readonly MediaKind[]; readonly directions: readonly Direction[] },
  stream: ExpectedStream,
): boolean {
  return kinds.includes(stream.kind) && directions.includes(stream.direction);
}

function streamRuleOf(rule: OwnRule): StreamRule {
  const { aggregate, ofBaseline, comparison, limit, unit, direction, text } = rule;
  const name = isAggregateName(aggregate) ? aggregate : undefined;
  const label = text.split(/ [<>]= /)[0] ?? text;
  return {
    code: 'threshold',
    subject: { aggregate, ofBaseline },
    label: ofBaseline ? `${label}, of the baseline` : label,
    unit,
    comparison,
    concerns: (stream, measure) =>
      names(rule, stream) && !(ofBaseline && aggregate === 'bitrateKbps' && measure.baseline === null),
    // Of what goes out, some values are the server's to report. Who asks for them by name wants them judged.
    mustBeMeasured: (stream) =>
      stream.direction === 'receive' || direction === 'send' || !reportedByServer.has(aggregate),
    limit: () => limit,
    value: (subject, measure) =>
      ofBaseline ? shareOfBaseline(aggregate, subject, measure) : name && subject.values[name],
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} with ${label} at ${numberNear(value, limit)}${unitAfter(unit)}${ofBaseline ? ' of the baseline' : ''}`,
  };
}

const reportedByServer: ReadonlySet<string> = new Set([
  'lossPercent',
  'worstLossPercent5s',
  'jitterMs',
  'rttMs',
  'rttP95Ms',
]);
