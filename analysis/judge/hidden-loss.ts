import type { AggregateName } from '../../model/aggregate.js';
import type { StreamMeasure, StreamRule, StreamSubject } from './stream-rules.js';

/** What a value may be at most, where padding may hide some of it. */
const atMostOf: Readonly<Partial<Record<AggregateName, AggregateName>>> = {
  lossPercent: 'lossPercentAtMost',
  worstLossPercent5s: 'worstLossPercent5sAtMost',
};

/**
 * Up to what the value of a stream may be that keeps its limit, where that is beyond the limit: then whether it keeps
 * it is not known, and frame rate and freezes decide. `undefined` where it is known.
 */
export function hiddenBeyond(
  rule: StreamRule,
  subject: StreamSubject,
  measure: StreamMeasure,
  value: number,
  limit: number,
): number | undefined {
  const { aggregate, ofBaseline } = rule.subject;
  const most = ofBaseline ? undefined : subject.values[atMostOf[aggregate] ?? aggregate];
  if (rule.comparison !== 'at-most' || most === undefined || value > limit) return undefined;
  const upTo = rule.value({ ...subject, values: { ...subject.values, [aggregate]: most } }, measure);
  return upTo !== undefined && upTo > limit ? upTo : undefined;
}
