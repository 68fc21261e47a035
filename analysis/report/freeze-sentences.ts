import type { FinishedRun } from '../../model/finished-run.js';
import { type FrozenStream, frozenTogether } from '../measure/frozen-together.js';
import { trialsAt } from '../measure/trials-at.js';
import { highest, mean } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import { countOf } from './headline.js';

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
