import type { AggregateName } from '../../model/aggregate.js';
import type { FinishedRun } from '../../model/finished-run.js';
import type { StreamKind } from '../../model/scenario.js';
import type { StreamSummary } from '../../model/trial.js';
import { type FrozenStream, frozenTogether } from '../measure/frozen-together.js';
import { streamsOf, trialsAt } from '../measure/trials-at.js';
import { highest, mean, median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { countOf } from './headline.js';
import { rightPersonText } from './right-person.js';

interface Delay {
  readonly kind: StreamKind;
  readonly mean: AggregateName;
  readonly p95: AggregateName;
  readonly text: string;
}

const arrival = { mean: 'delayMs', p95: 'delayP95Ms' } as const;
const delays: readonly Delay[] = [
  { kind: 'video', mean: 'shownMs', p95: 'shownP95Ms', text: 'a picture was taken until it was shown' },
  { kind: 'video', ...arrival, text: 'a picture was taken until it had arrived whole' },
  { kind: 'audio', ...arrival, text: 'sound was taken until it arrived' },
  { kind: 'data', ...arrival, text: 'a message was sent until it arrived' },
];

/** How received pictures moved, how late they, sound and messages came, and whose they were. */
export function pictureSentences(run: FinishedRun): string[] {
  return [
    ...freezeSentences(run),
    ...delays.flatMap((delay) => delaySentences(run, delay)),
    ...rightPersonSentences(run),
  ];
}

/** How late they were one way, of those that say when they were taken, alone and at the limit; else nothing. */
function delaySentences(run: FinishedRun, delay: Delay): string[] {
  const parts = sizesOf(run).flatMap((size) => {
    const text = delayText(trialsAt(run.records, size), delay);
    return text === undefined ? [] : [`at ${countOf(run, size)} ${text}`];
  });
  if (parts.length === 0) return [];
  return [`From when ${delay.text}, one way: ${parts.join('; ')}.`];
}

/** Alone, and at the limit. */
function sizesOf({ answer, records }: FinishedRun): readonly number[] {
  const baseline = records.flatMap(({ why, size }) => (why === 'baseline' ? size : []));
  return [...new Set([...baseline, answer.stable])];
}

function rightPersonSentences(run: FinishedRun): string[] {
  const text = rightPersonText(sizesOf(run).flatMap((size) => trialsAt(run.records, size)));
  return text === undefined ? [] : [`By the marks of senders: ${text[0]?.toLowerCase()}${text.slice(1)}`];
}

function delayText(trials: FinishedRun['records'], { kind, ...value }: Delay): string | undefined {
  const streams = streamsOf(trials, { kind, direction: 'receive' });
  const means = streams.flatMap(({ values }) => values[value.mean] ?? []);
  const middle = median(means);
  const worst = streams.reduce<StreamSummary | undefined>(
    (most, one) => ((one.values[value.p95] ?? -1) > (most?.values[value.p95] ?? -1) ? one : most),
    undefined,
  );
  const p95 = worst?.values[value.p95];
  const open = highest(streams.flatMap(({ values }) => values.delayBoundMs ?? []));
  if (middle === undefined || worst === undefined || p95 === undefined) return undefined;
  return `${numberNear(middle)} ms in the median, and p95 ${numberNear(p95)} ms at ${worst.probe}, the slowest of ${means.length}${trials.length > 1 ? ` in ${trials.length} trials` : ''}${open === undefined ? '' : `, ± ${numberNear(open)} ms between hosts`}`;
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
