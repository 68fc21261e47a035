import { aggregates } from '../../model/aggregate.js';
import type { Thresholds } from '../../model/plan.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { OfLink, UnstableCode } from '../../model/verdict.js';
import { numberNear } from '../wording/wording.js';
import { isJudgedByLinks } from './link-path.js';
import { roundTripBeyondLink } from './link-share.js';
import { roundTripLimit } from './named-limits.js';
import type { StreamMeasure, StreamSubject } from './stream-rules.js';

/** What a rule says of a leg: its value as it is judged, and what of it is its link's. */
interface LegValue {
  readonly value: number;
  readonly ofLink: OfLink | undefined;
}

/**
 * One threshold on each connection of a participant, whatever streams it carries. It must be measured, on every leg with a
 * stream that arrived, and is always an upper bound.
 */
export interface LegRule {
  readonly code: UnstableCode;
  readonly unit: string;
  readonly comparison: 'at-most';
  readonly id: (measure: StreamMeasure) => Extract<ThresholdId, { of: 'leg' }>;
  readonly limit: (thresholds: Thresholds) => number;
  /** By the streams of one leg; `undefined` where none of them says it. */
  readonly value: (leg: readonly StreamSubject[], measure: StreamMeasure) => LegValue | undefined;
  /** The sentence after the probe's name, without its limit; `where` names the leg of a probe that has several. */
  readonly phrase: (found: LegValue, limit: number, where: string) => string;
}

const { code, field, aggregate } = roundTripLimit;

export const legRules: readonly LegRule[] = [
  {
    code,
    unit: aggregates[aggregate].unit,
    comparison: 'at-most',
    id: (measure) => ({ of: 'leg', aggregate, ...(isJudgedByLinks(measure) ? { beyondLink: true } : {}) }),
    limit: (thresholds) => thresholds[field],
    value: roundTripBeyondLink,
    phrase: ({ value, ofLink }, limit, where) => {
      const beyond = ofLink ? ` beyond the ${numberNear(ofLink.share)} ms of its link` : '';
      return `had a round trip of ${numberNear(value, limit)} ms${where}${beyond}`;
    },
  },
];
