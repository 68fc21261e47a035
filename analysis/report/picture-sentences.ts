import type { FinishedRun } from '../../model/finished-run.js';
import type { MediaKind } from '../../model/scenario.js';
import type { StreamSummary } from '../../model/trial.js';
import { trialsAt } from '../measure/trials-at.js';
import { median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { freezeSentences } from './freeze-sentences.js';
import { countOf } from './headline.js';

/** How received pictures moved, and how late they came. */
export function pictureSentences(run: FinishedRun): string[] {
  return [...freezeSentences(run), ...delaySentences(run, 'video'), ...delaySentences(run, 'audio')];
}

/** How late pictures or sound were one way, of those that say when they were taken, alone and at the limit; else nothing. */
function delaySentences(run: FinishedRun, kind: MediaKind): string[] {
  const { answer, records } = run;
  const baseline = records.flatMap(({ why, size }) => (why === 'baseline' ? size : []));
  const sizes = new Set([...baseline, answer.stable]);
  const parts = [...sizes].flatMap((size) => {
    const text = delayText(
      trialsAt(records, size).flatMap(({ streams }) => streams),
      kind,
    );
    return text === undefined ? [] : [`at ${countOf(run, size)} ${text}`];
  });
  if (parts.length === 0) return [];
  const what = kind === 'video' ? 'a picture was taken until it had arrived whole' : 'sound was taken until it arrived';
  return [`From when ${what}, one way: ${parts.join('; ')}.`];
}

function delayText(all: readonly StreamSummary[], of: MediaKind): string | undefined {
  const streams = all.filter(({ kind, direction }) => kind === of && direction === 'receive');
  const means = streams.flatMap(({ values }) => values.delayMs ?? []);
  const middle = median(means);
  const worst = streams.reduce<StreamSummary | undefined>(
    (most, one) => ((one.values.delayP95Ms ?? -1) > (most?.values.delayP95Ms ?? -1) ? one : most),
    undefined,
  );
  if (middle === undefined || worst?.values.delayP95Ms === undefined) return undefined;
  return `${numberNear(middle)} ms in the median, and p95 ${numberNear(worst.values.delayP95Ms)} ms at ${worst.probe}, the slowest of ${means.length}`;
}
