import type { Aggregates } from '../../model/aggregate.js';
import type { Reason } from '../../model/verdict.js';
import { numberNear } from '../wording/wording.js';

/** Share of the small camera's frames that must be replaced; a few may be under way at the edges of a second. */
const replacedPercentMin = 95;

/**
 * Whether an encoded probe sent what it was asked to: each frame of its small camera must have gone out as one of the
 * clip, in order. Its encoder says nothing about a shortage of CPU, so this stands in its place; what the page's worker
 * did not tell counts as not replaced.
 */
export function notReplaced(
  place: Required<Pick<Reason, 'probe' | 'session' | 'stream'>>,
  { replacedPercent }: Aggregates,
): Reason | undefined {
  if (place.stream.kind !== 'video') return undefined;
  const limit = replacedPercentMin;
  const code = 'frames-not-replaced';
  if (replacedPercent === undefined) {
    const text = `Nothing is known of the encoded frames that ${place.probe} sent: the worker of its page did not tell.`;
    return { code, ...place, text };
  }
  if (replacedPercent >= limit) return undefined;
  const text = `Only ${numberNear(replacedPercent, limit)} % of the frames that ${place.probe} sent were replaced by the encoded clip's in order (limit ${limit} %).`;
  return { code, ...place, text, measured: replacedPercent, limit, unit: '%' };
}
