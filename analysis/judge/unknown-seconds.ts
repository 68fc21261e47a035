import type { Reason } from '../../model/verdict.js';
import type { MeasuredWindow } from '../measure/window.js';
import { numberNear, refOf, streamPhrase } from '../wording/wording.js';
import type { StreamSubject } from './stream-rules.js';

/** Share of the time in which a stream may begin anew; once it may in any window. */
const mostPercent = 5;

/** Streams that begin anew so often that what is known of them is a sample of their better seconds. */
export function unknownStreams(
  measured: MeasuredWindow | undefined,
  subjects: readonly StreamSubject[],
): readonly Reason[] {
  const judged = new Set(subjects.map(({ stream }) => stream));
  const streams = (measured?.streams ?? []).filter((one) => one.unknown.count > 1 && judged.has(one.expected));
  return streams.flatMap(({ expected, readMs, unknown }) => {
    const percent = (100 * unknown.ms) / Math.max(1, readMs);
    if (percent <= mostPercent) return [];
    const { id, session } = expected.participant;
    const text = `${id} ${streamPhrase(expected)} that began anew in ${unknown.count} seconds, ${numberNear(percent, mostPercent)} % of the time (limit ${mostPercent} %): too little is known of it.`;
    const figures = { measured: percent, limit: mostPercent, unit: '%' };
    return { code: 'samples-missing' as const, probe: id, session, stream: refOf(expected), text, ...figures };
  });
}
