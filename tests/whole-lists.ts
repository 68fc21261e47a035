import { lossOf } from '../analysis/measure/loss.js';
import { type LossSpan, LossTracker } from '../analysis/measure/loss-spans.js';
import { Settling } from '../analysis/measure/settled.js';
import type { StreamReading } from '../analysis/measure/stream-reading.js';
import { type TimeWindow, talliesIn } from '../analysis/measure/window.js';
import { atOnce } from '../model/in-steps.js';
import type { Media } from '../model/plan.js';
import type { Sample } from '../model/sample.js';
import type { Participant } from '../model/scenario.js';

// What the product folds second by second, asked of whole lists.

export function lossSpans(readings: readonly StreamReading[]): LossSpan[] {
  const tracker = new LossTracker();
  const spans = readings.flatMap((reading) => tracker.add(reading));
  return [...spans, ...tracker.end()];
}

export const lossPercent = (spans: readonly LossSpan[]) => lossOf(spans).percent;
export const worstLossPercent5s = (spans: readonly LossSpan[]) => lossOf(spans).worstPercent5s;

/** When the last of these samples had come. */
export function isSettled(samples: readonly Sample[], participants: readonly Participant[], media: Media): boolean {
  const settling = new Settling(participants, media);
  const inOrder = [...samples].sort((a, b) => a.atMs - b.atMs);
  for (const sample of inOrder) settling.add(sample);
  return atOnce(settling.settling(inOrder.at(-1)?.atMs ?? 0));
}

export function samplesInWindow(samples: readonly Sample[], window: TimeWindow): Sample[] {
  const isInside = (sample: Sample) => talliesIn([sample], window).get(sample.probe)?.samples === 1;
  return samples.filter(isInside).sort((a, b) => a.atMs - b.atMs);
}
