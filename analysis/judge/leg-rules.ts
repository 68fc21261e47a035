import { aggregates } from '../../model/aggregate.js';
import type { Thresholds } from '../../model/plan.js';
import type { ThresholdId } from '../../model/threshold-id.js';
import type { OfLink, UnstableCode } from '../../model/verdict.js';
import { numberNear } from '../wording/wording.js';
import { isJudgedByLinks } from './link-path.js';
import { peaksBeyondLink, roundTripBeyondLink } from './link-share.js';
import type { NamedLegLimit } from './named-limit.js';
import { roundTripLimit, roundTripPeaksLimit } from './named-limits.js';
import type { StreamMeasure, StreamSubject } from './stream-rules.js';

/** What a rule says of a leg: its value as it is judged, and what of it is its link's. */
interface LegValue {
  readonly value: number;
  readonly ofLink: OfLink | undefined;
}

/** One threshold on each connection that a stream arrived on, whatever it carries. Always an upper bound. */
export interface LegRule {
  readonly code: UnstableCode;
  readonly unit: string;
  readonly comparison: 'at-most';
  /** Whether a leg of which it is not known makes the trial void. */
  readonly mustBeMeasured: boolean;
  readonly id: (measure: StreamMeasure) => Extract<ThresholdId, { of: 'leg' }>;
  readonly limit: (thresholds: Thresholds) => number;
  /** By the streams of one leg; `undefined` where none of them says it. */
  readonly value: (leg: readonly StreamSubject[], measure: StreamMeasure) => LegValue | undefined;
  /** The sentence after the probe's name, without its limit; `where` names the leg of a probe that has several. */
  readonly phrase: (found: LegValue, limit: number, where: string) => string;
}

function roundTripRule(
  { code, field, aggregate }: NamedLegLimit,
  how: Pick<LegRule, 'value' | 'mustBeMeasured'> & { readonly said: string },
): LegRule {
  const { value, mustBeMeasured, said } = how;
  return {
    code,
    unit: aggregates[aggregate].unit,
    comparison: 'at-most',
    mustBeMeasured,
    id: (measure) => ({ of: 'leg', aggregate, ...(isJudgedByLinks(measure) ? { beyondLink: true } : {}) }),
    limit: (thresholds) => thresholds[field],
    value,
    phrase: (found, limit, where) => {
      const beyond = found.ofLink ? ` beyond the ${numberNear(found.ofLink.share)} ms of its link` : '';
      return `had a round trip of ${numberNear(found.value, limit)} ms${said}${where}${beyond}`;
    },
  };
}

/** A stored run has the limits of its day: one that came later is not asked. */
export function legRulesOf(thresholds: Thresholds): readonly LegRule[] {
  return legRules.filter(({ limit }) => limit(thresholds) !== undefined);
}

const legRules: readonly LegRule[] = [
  roundTripRule(roundTripLimit, { value: roundTripBeyondLink, mustBeMeasured: true, said: '' }),
  roundTripRule(roundTripPeaksLimit, {
    value: peaksBeyondLink,
    mustBeMeasured: false,
    said: ' in a twentieth of the time',
  }),
];
