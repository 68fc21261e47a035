import { given } from '../../model/given.js';
import type { OfLink, Reason, ThresholdResult } from '../../model/verdict.js';
import { compareText, unitAfter } from '../wording/wording.js';
import type { StreamSubject } from './stream-rules.js';
import { labelOf } from './threshold-label.js';

export interface Finding {
  readonly subject: StreamSubject;
  readonly value: number;
  readonly reason: Reason | undefined;
  readonly ofLink: OfLink | undefined;
  /** Beyond the limit, where the value is within it and may be more. */
  readonly upTo?: number | undefined;
}

const measuredOf = ({ value, ofLink }: Finding) => ofLink?.measured ?? value;

type RowLimit = Pick<ThresholdResult, 'id' | 'code' | 'unit' | 'limit' | 'comparison'> & {
  /** The limit in words; absent: in its unit. */
  readonly limitText?: string;
};

/** Times from 1 s on in s, as the values beside them. */
export const limitInWords = (limit: number, unit: string) =>
  unit === 'ms' && limit >= 1000 ? `${limit / 1000} s` : `${limit}${unitAfter(unit)}`;

/** A row with its fields in the order in which they are stored. `passed`, where the worst value does not say it. */
export function limitRow(
  { id, code, unit, limit, comparison, limitText = limitInWords(limit, unit) }: RowLimit,
  worst: number | undefined,
  found: { readonly [Name in 'worstProbe' | 'upTo' | 'ofLink' | 'passed']?: ThresholdResult[Name] | undefined } = {},
): ThresholdResult {
  const isKept = comparison === 'at-most' ? (worst ?? Number.NaN) <= limit : (worst ?? Number.NaN) >= limit;
  const { passed = isKept, worstProbe, upTo, ofLink } = found;
  return {
    id,
    code,
    label: labelOf(id),
    limitText: `${comparison === 'at-most' ? '≤' : '≥'} ${limitText}`,
    unit,
    limit,
    comparison,
    worst: worst ?? null,
    ...given({ worstProbe, upTo, ofLink }),
    passed,
  };
}

/** How a limit fared: at the worst of its streams, or at one of which it is not known. */
export function thresholdOf(
  rule: RowLimit,
  findings: readonly Finding[],
  silent: readonly StreamSubject[],
): ThresholdResult {
  const worst = worstOf(rule, findings);
  // A stream without a value is worse than any value: it is the one to name.
  const [silentProbe] = silent.map(({ stream }) => stream.participant.id).sort(compareText);
  if (silentProbe !== undefined) return limitRow(rule, undefined, { worstProbe: silentProbe, passed: false });
  return limitRow(rule, worst?.value, {
    worstProbe: worst?.subject.stream.participant.id,
    upTo: worst?.upTo,
    ofLink: worst?.ofLink,
    passed: worst !== undefined && findings.every(({ reason }) => reason === undefined),
  });
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
  const asIs = (finding: Finding): Finding => (unknown.length > 0 ? finding : { ...finding, upTo: undefined });
  return (unknown.length > 0 ? unknown : findings).reduce<Finding | undefined>(
    (one, other) => (!one || isWorse(asIs(other), asIs(one)) ? asIs(other) : one),
    undefined,
  );
}
