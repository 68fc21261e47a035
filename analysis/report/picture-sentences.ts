import type { FinishedRun } from '../../model/finished-run.js';
import type { StreamSummary } from '../../model/trial.js';
import { trialsAt } from '../measure/trials-at.js';
import { median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { freezeSentences } from './freeze-sentences.js';
import { countOf } from './headline.js';

/** How received pictures moved, and how late they came. */
export function pictureSentences(run: FinishedRun): string[] {
  return [...freezeSentences(run), ...delaySentences(run)];
}

/** How late pictures were one way, of those that say when they were taken, alone and at the limit; else nothing. */
function delaySentences(run: FinishedRun): string[] {
  const { answer, records } = run;
  const baseline = records.flatMap(({ why, size }) => (why === 'baseline' ? size : []));
  const sizes = new Set([...baseline, answer.stable]);
  const parts = [...sizes].flatMap((size) => {
    const text = delayText(trialsAt(records, size).flatMap(({ streams }) => streams));
    return text === undefined ? [] : [`at ${countOf(run, size)} ${text}`];
  });
  if (parts.length === 0) return [];
  return [`From when a picture was taken until it had arrived whole, one way: ${parts.join('; ')}.`];
}

function delayText(streams: readonly StreamSummary[]): string | undefined {
  const means = streams.flatMap(({ values }) => values.delayMs ?? []);
  const middle = median(means);
  const worst = streams.reduce<StreamSummary | undefined>(
    (most, one) => ((one.values.delayP95Ms ?? -1) > (most?.values.delayP95Ms ?? -1) ? one : most),
    undefined,
  );
  if (middle === undefined || worst?.values.delayP95Ms === undefined) return undefined;
  return `${numberNear(middle)} ms in the median, and p95 ${numberNear(worst.values.delayP95Ms)} ms at ${worst.probe}, the slowest of ${means.length}`;
}
