import type { AggregateName, Aggregates } from '../../model/aggregate.js';
import { numberNear, unitAfter } from '../wording/wording.js';
import type { StreamRule } from './stream-rules.js';

/** How many times the bound of the clocks a value may be off by: what rises may be at both ends of the window. */
const boundsIn: Readonly<Partial<Record<AggregateName, number>>> = {
  ...{ delayMs: 1, delayP95Ms: 1, delayMaxMs: 1, delayRiseMs: 2, shownMs: 1, shownP95Ms: 1 },
};

/** By how much the clocks of two hosts leave a value open: 0 on one clock. */
const openMs = (aggregate: AggregateName, { delayBoundMs = 0 }: Aggregates): number =>
  (boundsIn[aggregate] ?? 0) * delayBoundMs;

/** The rule for delays between hosts: a limit is broken only where it is however the clocks may be. */
export function howeverClocksAre(rule: StreamRule): StreamRule {
  const { aggregate } = rule.subject;
  if (boundsIn[aggregate] === undefined) return rule;
  const sign = rule.comparison === 'at-most' ? -1 : 1;
  return {
    ...rule,
    value: (subject, measure) => {
      const value = rule.value(subject, measure);
      const ms = openMs(aggregate, subject.values);
      return value === undefined || ms === 0 ? value : Math.max(0, value + sign * ms);
    },
    phrase: (subject, value, measure) => {
      const ms = openMs(aggregate, subject.values);
      const told = rule.phrase(subject, value, measure);
      const unit = unitAfter(rule.unit);
      if (ms === 0) return told;
      const edge = sign < 0 ? 'at least' : 'at most';
      return `${told}, ${edge}: it is ${numberNear(subject.values[aggregate] ?? value)} ± ${numberNear(ms)}${unit} by the clocks of two hosts`;
    },
  };
}
