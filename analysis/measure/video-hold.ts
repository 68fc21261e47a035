import type { Aggregates } from '../../model/aggregate.js';
import { leftForVideo, type VideoRateControl } from '../../model/rate-control.js';
import type { TrialRecord } from '../../model/trial.js';
import { sum } from '../statistics/statistics.js';

/** What the rate of a sent video ended at. */
export type RateHolder =
  /** A rate that the server told. */
  | 'remb'
  /** The sender's own estimate from when packets came. */
  | 'transport-cc'
  /** One of the two: the estimate of getStats is the lower of both. */
  | 'remb-or-transport-cc'
  /** What the server's description allows. */
  | 'description'
  /** The sender's own reckoning, from loss alone. */
  | 'loss'
  /** The ceiling of the plan. */
  | 'cap'
  /** Less was sent than anything that is known allows. */
  | 'nothing'
  /** getStats had no estimate, and less was sent than the ceiling of the plan. */
  | 'unknown';

export interface HeldVideo {
  readonly holder: RateHolder;
  readonly kbps: number;
}

/** An encoded probe plays 87 % or more of what it is allowed, a full one nearly all of it. */
const reachedShare = 0.85;
/** An estimate that ends at a cap is now and then a little under it. */
const tighterShare = 0.98;

/** Each measured sent video, and what held its rate. Legs of which nothing was recorded are left out. */
export function heldVideos({ probes, streams }: TrialRecord, ceilingKbps: number): HeldVideo[] {
  const sent = streams.filter(({ direction, kind }) => direction === 'send' && kind === 'video');
  return probes.flatMap(({ participant, rates = [] }) =>
    rates.flatMap((control) => {
      const leg = participant.legs.find(({ id }) => id === control.leg);
      const layers = sent.filter((one) => one.probe === participant.id && one.leg === control.leg);
      const rates = layers.flatMap(({ values }) => values.bitrateKbps ?? []);
      const [values] = layers.map((one) => one.values);
      if (!leg || !values || rates.length === 0) return [];
      const kbps = sum(rates);
      const withSound = leg.sends.includes('audio');
      return [{ kbps, holder: holderOf(control, values, kbps, { ceilingKbps, withSound }) }];
    }),
  );
}

interface Ceiling {
  readonly ceilingKbps: number;
  /** The estimate is of both then. */
  readonly withSound: boolean;
}

function holderOf(
  control: VideoRateControl,
  { estimateKbps }: Aggregates,
  kbps: number,
  { ceilingKbps, withSound }: Ceiling,
): RateHolder {
  if (estimateKbps === undefined) return kbps >= reachedShare * ceilingKbps ? 'cap' : 'unknown';
  const allowedKbps = leftForVideo(estimateKbps, withSound, control.feedback);
  if (kbps < reachedShare * Math.min(allowedKbps, ceilingKbps)) return 'nothing';
  return allowedKbps < tighterShare * ceilingKbps ? estimator(control, estimateKbps) : 'cap';
}

/** What makes the estimate what it is. */
function estimator({ feedback, serverKbps }: VideoRateControl, estimateKbps: number): RateHolder {
  if (serverKbps !== undefined && estimateKbps >= tighterShare * serverKbps) return 'description';
  if (feedback.length === 2) return 'remb-or-transport-cc';
  return feedback[0] ?? 'loss';
}
