import type { OfLink, Reason, ThresholdResult } from '../../model/verdict.js';
import { compareText, unitAfter } from '../wording/wording.js';
import type { StreamSubject } from './stream-rules.js';
import { labelOf } from './threshold-label.js';

/** What one rule says of one stream or leg. */
export interface Finding {
  readonly subject: StreamSubject;
  readonly value: number;
  readonly reason: Reason | undefined;
  readonly ofLink: OfLink | undefined;
  /** Beyond the limit, where the value is within it and may be more. */
  readonly upTo?: number | undefined;
}

const measuredOf = ({ value, ofLink }: Finding) => ofLink?.measured ?? value;

/** How a limit fared: at the worst of its streams, or at one of which it is not known. */
export function thresholdOf(
  rule: Pick<ThresholdResult, 'id' | 'code' | 'unit' | 'limit' | 'comparison'>,
  findings: readonly Finding[],
  silent: readonly StreamSubject[],
): ThresholdResult {
  const worst = worstOf(rule, findings);
  // A stream without a value is worse than any value: it is the one to name.
  const [silentProbe] = silent.map(({ stream }) => stream.participant.id).sort(compareText);
  const worstProbe = silentProbe ?? worst?.subject.stream.participant.id;
  const unit = unitAfter(rule.unit);
  return {
    id: rule.id,
    code: rule.code,
    label: labelOf(rule.id),
    limitText: `${rule.comparison === 'at-most' ? '≤' : '≥'} ${rule.limit}${unit}`,
    unit: rule.unit,
    limit: rule.limit,
    comparison: rule.comparison,
    worst: silentProbe === undefined ? (worst?.value ?? null) : null,
    ...(worstProbe === undefined ? {} : { worstProbe }),
    ...(silentProbe === undefined && worst?.upTo !== undefined ? { upTo: worst.upTo } : {}),
    ...(silentProbe === undefined && worst?.ofLink ? { ofLink: worst.ofLink } : {}),
    passed: silentProbe === undefined && worst !== undefined && findings.every(({ reason }) => reason === undefined),
  };
}

/** One that has failed; else one of which it is not known; else the nearest to the limit. */
function worstOf(
  { comparison }: Pick<ThresholdResult, 'comparison'>,
  findings: readonly Finding[],
): Finding | undefined {
  const sign = comparison === 'at-most' ? 1 : -1;
  const unknown = findings.some(({ reason }) => reason) ? [] : findings.filter(({ upTo }) => upTo !== undefined);
  const isWorse = (a: Finding, b: Finding) =>
    ((b.upTo ?? 0) - (a.upTo ?? 0) ||
      sign * (b.value - a.value) ||
      sign * (measuredOf(b) - measuredOf(a)) ||
      compareText(a.subject.stream.participant.id, b.subject.stream.participant.id)) < 0;
  const known = (finding: Finding): Finding => (unknown.length > 0 ? finding : { ...finding, upTo: undefined });
  return (unknown.length > 0 ? unknown : findings).reduce<Finding | undefined>(
    (one, other) => (!one || isWorse(known(other), known(one)) ? known(other) : one),
    undefined,
  );
}
