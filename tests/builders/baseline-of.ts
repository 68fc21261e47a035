import { baselineOfStreams } from '../../analysis/measure/baseline.js';
import { summariseStreams, type TimeWindow } from '../../analysis/measure/window.js';
import type { Sample } from '../../model/sample.js';
import type { Participant } from '../../model/scenario.js';
import type { Baseline } from '../../model/trial.js';

/** A baseline from the samples of its trial. */
export function baselineOf(
  samples: readonly Sample[],
  participants: readonly Participant[],
  window: TimeWindow,
): Baseline {
  return baselineOfStreams(summariseStreams(samples, participants, window), participants);
}
