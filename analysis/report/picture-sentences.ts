import type { FinishedRun } from '../../model/finished-run.js';
import type { StreamKind } from '../../model/scenario.js';
import type { StreamSummary } from '../../model/trial.js';
import { type FrozenStream, frozenTogether } from '../measure/frozen-together.js';
import { trialsAt } from '../measure/trials-at.js';
import { highest, mean, median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { countOf } from './headline.js';

const taken: Readonly<Record<StreamKind, string>> = {
  video: 'a picture was taken until it had arrived whole',
  audio: 'sound was taken until it arrived',
  data: 'a message was sent until it arrived',
};

/** How received pictures moved, and how late they, sound and messages came. */
export function pictureSentences(run: FinishedRun): string[] {
  return [
    ...freezeSentences(run),
    ...(['video', 'audio', 'data'] as const).flatMap((kind) => delaySentences(run, kind)),
  ];
}

/** How late they were one way, of those that say when they were taken, alone and at the limit; else nothing. */
function delaySentences(run: FinishedRun, kind: StreamKind): string[] {
  const { answer, records } = run;
  const baseline = records.flatMap(({ why, size }) => (why === 'baseline' ? size : []));
  const sizes = new Set([...baseline, answer.stable]);
  const parts = [...sizes].flatMap((size) => {
    const text = delayText(trialsAt(records, size), kind);
    return text === undefined ? [] : [`at ${countOf(run, size)} ${text}`];
  });
  if (parts.length === 0) return [];
  return [`From when ${taken[kind]}, one way: ${parts.join('; ')}.`];
}

function delayText(trials: FinishedRun['records'], of: StreamKind): string | undefined {
  const streams = trials.flatMap((trial) =>
    trial.streams.filter(({ kind, direction }) => kind === of && direction === 'receive'),
  );
  const means = streams.flatMap(({ values }) => values.delayMs ?? []);
  const middle = median(means);
  const worst = streams.reduce<StreamSummary | undefined>(
    (most, one) => ((one.values.delayP95Ms ?? -1) > (most?.values.delayP95Ms ?? -1) ? one : most),
    undefined,
  );
  if (middle === undefined || worst?.values.delayP95Ms === undefined) return undefined;
  return `${numberNear(middle)} ms in the median, and p95 ${numberNear(worst.values.delayP95Ms)} ms at ${worst.probe}, the slowest of ${means.length}${trials.length > 1 ? ` in ${trials.length} trials` : ''}`;
}

/** At 95 % confidence. */
const mostChance = 0.05;

/**
 * What the repeats of the limit say together of frozen time. In a short window each of them may have had one unlucky
 * freeze; all of them with one each are no accident. A trial counts as one picture, that of its mean viewer, because
 * what befalls all at once is one event.
 */
export function freezeSentences(run: FinishedRun): string[] {
  const { records, answer, manifest } = run;
  const limit = manifest.plan.thresholds.frozenPercentMax;
  const trials = trialsAt(records, answer.stable).filter(
    ({ verdict, screened }) => verdict.kind === 'stable' && !screened,
  );
  const together = frozenTogether(trials.flatMap(meanPicture), limit);
  if (!together || together.chance > mostChance || together.percent <= limit) return [];
  const { streams, percent } = together;
  return [
    `Warning: at ${countOf(run, answer.stable)} received video stood still ${numberNear(percent, limit)} % of the time over ${streams} trials, above the limit of ${limit} %. Each trial passed, because one freeze in a window under a minute may be chance; together they are more than chance explains. --measure 60s excuses none.`,
  ];
}

/** Of those whose network does nothing to it. */
function meanPicture({ probes, streams, window }: FinishedRun['records'][number]): FrozenStream[] {
  const onOwn = new Set(probes.flatMap(({ participant: { id, network } }) => (network === undefined ? id : [])));
  const pictures = streams.filter(
    ({ probe, direction, kind }) => direction === 'receive' && kind === 'video' && onOwn.has(probe),
  );
  const frozenMs = mean(pictures.flatMap(({ values }) => values.frozenMs ?? []));
  const longestFreezeMs = highest(pictures.flatMap(({ values }) => values.longestFreezeMs ?? values.frozenMs ?? []));
  if (!window || frozenMs === undefined || longestFreezeMs === undefined) return [];
  return [{ values: { frozenMs, longestFreezeMs }, readMs: window.endMs - window.startMs }];
}
