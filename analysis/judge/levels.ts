import type { Aggregates } from '../../model/aggregate.js';
import type { ExpectedStream } from '../../model/expected-streams.js';
import { groupedBy } from '../../model/grouped.js';
import type { HeadroomLevel } from '../../model/headroom.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { ThresholdResult } from '../../model/verdict.js';
import { placesIn } from '../measure/baseline-places.js';
import type { MeasuredStream } from '../measure/measured-stream.js';
import { aggregatesOfPart } from '../measure/stream-fold.js';
import type { MeasuredWindow } from '../measure/window.js';
import { headroomOf, worstHeadroom } from './headroom.js';
import type { JudgeInput } from './judge-input.js';
import { type LegRule, legRulesOf } from './leg-rules.js';
import { rulesOf } from './own-rules.js';
import { sentWidths } from './sent-widths.js';
import type { StreamMeasure, StreamRule } from './stream-rules.js';
import { idOf, subjectsOf } from './streams.js';
import { usedPercentOf } from './summary.js';

/** Each second is read with the four before it: a limit on a mean ignores one packet lost in a single second. */
const readingsInSpan = 5;

interface StreamSeconds {
  readonly stream: ExpectedStream;
  /** What each second of the window says, with those before it. */
  readonly seconds: readonly Aggregates[];
}

/**
 * The thresholds of a trial with the level that each metric reached second by second: of its worst stream, and there
 * the worst level that a tenth of the seconds reach. Times to join have no seconds, and no level here.
 */
export function withLevels(
  thresholds: readonly ThresholdResult[],
  input: JudgeInput,
  measured: MeasuredWindow,
): readonly ThresholdResult[] {
  const subjects = subjectsOf(input, measured);
  const judged = new Set(subjects.map(({ stream }) => stream));
  const streams = measured.streams
    .filter(({ expected }) => judged.has(expected))
    .map((stream) => ({ stream: stream.expected, seconds: secondsOf(stream) }));
  // Over so few seconds chance does more on a lossy link than over the window.
  const places = placesIn(subjects, input.baseline);
  const timing = { ...input.timing, measureMs: readingsInSpan * 1000 };
  const inSpan = { ...input, places, sentWidths: sentWidths(subjects), timing };
  const levels = new Map<string, HeadroomLevel>([
    ...rulesOf(input.thresholds).map(
      (rule) => [thresholdKey(idOf(rule, input)), levelOf(rule, streams, inSpan)] as const,
    ),
    ...legRulesOf(input.thresholds).map(
      (rule) => [thresholdKey(rule.id(input)), legLevel(rule, streams, input)] as const,
    ),
  ]);
  return thresholds.map((result) => {
    const level = levels.get(thresholdKey(result.id));
    return level === undefined ? result : { ...result, level };
  });
}

/** What only reports say is known in seconds of which one has come, and of all that it covers. */
function secondsOf({ expected, seconds }: MeasuredStream): Aggregates[] {
  // Of a first part of the window they are not kept: nothing steers by that.
  if (!seconds) return [];
  const width = Math.min(readingsInSpan, seconds.readings.length);
  return seconds.readings.slice(width - 1).map((_, index) => aggregatesOfPart(seconds, expected, index, index + width));
}

function levelOf(rule: StreamRule, streams: readonly StreamSeconds[], measure: StreamMeasure): HeadroomLevel {
  const { unit, comparison } = rule;
  const limit = { unit, comparison, limit: rule.limit(measure.thresholds) };
  const levels = streams.flatMap(({ stream, seconds }) => {
    if (!rule.concerns(stream, measure)) return [];
    const values = seconds.flatMap((values) => rule.value({ stream, values }, measure) ?? []);
    // What only some servers report is no metric where it is never said.
    return values.length === 0 && !rule.mustBeMeasured(stream) ? [] : levelOfValues(values, limit);
  });
  return worstHeadroom(levels);
}

function legLevel(rule: LegRule, streams: readonly StreamSeconds[], measure: StreamMeasure): HeadroomLevel {
  const { unit, comparison } = rule;
  const limit = { unit, comparison, limit: rule.limit(measure.thresholds) };
  return worstHeadroom(
    [...groupedBy(streams, ({ stream }) => stream.leg.id).values()].map((ofLeg) =>
      levelOfValues(legValues(rule, ofLeg, measure), limit),
    ),
  );
}

function legValues(rule: LegRule, leg: readonly StreamSeconds[], measure: StreamMeasure): number[] {
  const [first] = leg;
  return (first?.seconds ?? []).flatMap((_, index) => {
    const subjects = leg.flatMap(({ stream, seconds }) => {
      const values = seconds[index];
      return values ? [{ stream, values }] : [];
    });
    return rule.value(subjects, measure)?.value ?? [];
  });
}

/** The worst level that a tenth of the values reach: 0 is the best there is, 1 the limit. */
export function levelOfValues(
  values: readonly number[],
  threshold: Pick<ThresholdResult, 'limit' | 'comparison' | 'unit'>,
): HeadroomLevel {
  return headroomOf(values.map((worst) => usedPercent({ ...threshold, worst })));
}

function usedPercent(
  value: Pick<ThresholdResult, 'limit' | 'comparison' | 'unit'> & { readonly worst: number },
): number {
  const { worst, limit, comparison } = value;
  const crossed = comparison === 'at-most' ? worst > limit : worst < limit;
  if (crossed) return beyond;
  // A limit of zero is met by zero alone, which has used nothing of it.
  if (limit === 0) return 0;
  return usedPercentOf(value) ?? nothingToSpare;
}

const beyond = 101;
/** Against a limit that nothing can be better than: cautious. */
const nothingToSpare = 95;
