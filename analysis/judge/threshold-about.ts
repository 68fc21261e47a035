import { aggregates } from '../../model/aggregate.js';
import { loads } from '../../model/load.js';
import type { JoinTime, ThresholdId } from '../../model/threshold-id.js';

const orFrom = Object.entries(loads).flatMap(([by, { joinsFrom }]) =>
  joinsFrom ? `, or by ${by} from ${joinsFrom},` : [],
);
const joinTexts: Readonly<Record<JoinTime, string>> = {
  time: 'from the start of the join until every connection is up (DTLS connected)',
  firstFrame: `from when the sources had started${orFrom.join('')} until the first frame and sound had come`,
  answer: `from the start of the join${orFrom.join('')} until the server had answered`,
};

const shareTexts = {
  baseline: 'as a share of what the baseline had: the first trial, of the smallest size',
  expected: 'as a share of what the plan asks for, or what its source sends',
} as const;

/** What a threshold limits, as the catalogue of values has it: without a full stop; empty where nothing is known. */
export function aboutThreshold(id: ThresholdId): string {
  switch (id.of) {
    case 'join':
      return joinTexts[id.time];
    case 'stream':
      return [
        aggregates[id.aggregate].about,
        ...(id.shareOf === undefined ? [] : [shareTexts[id.shareOf]]),
        ...beyond(id.beyondLink),
      ].join('; ');
    case 'leg':
      return [
        `${aggregates[id.aggregate].about.replace(/^sent streams: /, '')}, or of the candidate pair where that is longer`,
        ...(id.aggregate === 'rttP95Ms' ? ['a single one of fewer than 20 does not count'] : []),
        ...beyond(id.beyondLink),
      ].join('; ');
    case 'bad-probes':
      return 'probes that failed a limit, did not come up or were lost';
    case 'join-success':
      return 'participants that joined, as a share of all that were due';
    case 'app':
      return `"${id.name}" as the join script told it, ${id.statistic} of all probes`;
    case 'other':
      return '';
  }
}

const beyond = (beyondLink: true | undefined) =>
  beyondLink ? ['what the impaired link itself explains is taken off'] : [];
