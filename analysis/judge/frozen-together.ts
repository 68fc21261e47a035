import type { Reason } from '../../model/verdict.js';
import { excusedTogether, frozenTogether } from '../measure/frozen-together.js';
import { numberNear } from '../wording/wording.js';
import { isImpaired } from './link-path.js';
import type { StreamMeasure, StreamRule, StreamSubject } from './stream-rules.js';

/** One false alarm in a thousand trials of which the share is truly at the limit. */
const mostChance = 0.001;

/** Why streams that each keep the limit on frozen time fail it together. Streams whose link may freeze are left out. */
export function togetherFrozen(
  rule: StreamRule,
  subjects: readonly StreamSubject[],
  limit: number,
  measure: StreamMeasure,
): Reason | undefined {
  const { aggregate, comparison } = rule.subject;
  if (aggregate !== 'frozenPercent' || comparison !== 'at-most' || rule.code !== 'frozen') return undefined;
  const streams = subjects.flatMap(({ stream, values, readMs = 0 }) =>
    rule.concerns(stream, measure) && !isImpaired(stream, measure) ? { values, readMs } : [],
  );
  const found = frozenTogether(streams, limit);
  if (!found || found.chance > mostChance) return undefined;
  const { percent, frozenMs, longestMs } = found;
  const meanMs = streams.reduce((sum, { readMs }) => sum + readMs, 0) / streams.length;
  if (percent <= excusedTogether(meanMs, limit)) return undefined;
  const seconds = (ms: number) => `${numberNear(ms / 1000)} s`;
  return {
    code: 'frozen',
    text: `The ${found.streams} received videos together stood still ${numberNear(percent, limit)} % of the time, ${seconds(frozenMs)} in all and ${seconds(longestMs)} at the longest: more than chance explains, though each alone may have been unlucky (limit ${limit} %).`,
    measured: percent,
    limit,
    unit: rule.unit,
  };
}
