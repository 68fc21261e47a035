import { measures } from '../../model/measures.js';
import type { StreamLimitId, ThresholdId } from '../../model/threshold-id.js';
import { builtInRules } from './built-in-rules.js';
import type { LimitWords } from './named-limit.js';
import { namedJoinLimits, namedLegLimits, namedLimits } from './named-limits.js';

type StreamId = Extract<ThresholdId, { of: 'stream' }>;

/** What a threshold is called in front of people. Nothing reads it back. */
export function labelOf(id: ThresholdId): string {
  switch (id.of) {
    case 'join':
      return joinLabel(id);
    case 'stream':
      return streamLabel(id);
    case 'leg': {
      const named = namedLegLimits.find(({ aggregate }) => aggregate === id.aggregate);
      return worded(named?.words ?? { what: pathOf(id) }, id.beyondLink ? ' beyond its link' : '');
    }
    case 'bad-probes':
      return 'bad probes';
    case 'join-success':
      return 'joins that succeed';
    case 'app':
      return `app.${id.name}.${id.statistic}`;
    case 'other':
      return id.name;
  }
}

function joinLabel({ time, statistic }: Extract<ThresholdId, { of: 'join' }>): string {
  const named = namedJoinLimits.find((one) => one.time === time && one.statistic === statistic);
  return named?.label ?? `join.${time}.${statistic}`;
}

/** Of a limit that is there by default its words, of a limit of the plan's own its path. */
function streamLabel(id: StreamId): string {
  const named = namedLimits.find(
    ({ aggregate, comparison, ofBaseline, kinds, directions }) =>
      aggregate === id.aggregate &&
      comparison === id.comparison &&
      ofBaseline === (id.shareOf !== undefined) &&
      onlyOne(kinds) === id.kind &&
      onlyOne(directions) === id.direction,
  );
  const builtIn = builtInRules.find(
    ({ subject }) =>
      id.shareOf === undefined &&
      subject.aggregate === id.aggregate &&
      subject.kind === id.kind &&
      subject.direction === id.direction &&
      subject.comparison === id.comparison,
  );
  const words = named?.words ?? builtIn?.words ?? { what: pathOf(id) };
  if (id.beyondLink) return worded(words, id.comparison === 'at-most' ? ' beyond its link' : ' but for its link');
  return worded(words, '', id.shareOf === undefined ? '' : ` as share of ${id.shareOf}`);
}

function worded({ what, statistic }: LimitWords, ofLink: string, share = ''): string {
  return `${what}${ofLink}${share}${statistic === undefined ? '' : `, ${statistic}`}`;
}

/** The value as expressions name it: "received.video.loss.mean". */
export function pathOf({
  aggregate,
  kind,
  direction,
}: Pick<StreamLimitId, 'aggregate' | 'kind' | 'direction'>): string {
  const { name, statistic } = measures[aggregate];
  const way = direction === undefined ? [] : [direction === 'send' ? 'sent' : 'received'];
  return [...way, ...(kind === undefined ? [] : [kind]), name, statistic].join('.');
}

/** What an identity says of kinds or directions: nothing, where a limit is on all of them alike. */
export function onlyOne<T>(values: readonly T[]): T | undefined {
  return values.length === 1 ? values[0] : undefined;
}
