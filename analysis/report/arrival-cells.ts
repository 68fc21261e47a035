import type { TrialRecord } from '../../model/trial.js';
import { percentileOf } from '../arrivals/time-histogram.js';

/** From when participants were due, of a trial by arrivals. */
export function answerMs({ arrivals }: TrialRecord, percent: number): number | undefined {
  return arrivals && percentileOf(arrivals.answer, percent);
}

/** In place of figures of streams: the share that was answered, and percentiles of the time to the answer. */
export const arrivalHeads: Readonly<Record<string, string>> = {
  size: 'rate',
  fps: 'up',
  frozen: 'p50',
  loss: 'p95',
  rtt: 'p99',
};

/** The figures under those heads; undefined of a trial of another load. */
export function answerCells(record: TrialRecord) {
  const { arrivals } = record;
  if (!arrivals) return undefined;
  const answered = arrivals.due === 0 ? undefined : (100 * arrivals.answered) / arrivals.due;
  const times = [50, 95, 99].map((percent) => ({ value: answerMs(record, percent), unit: ' ms' }));
  return [{ value: answered, unit: '%' }, ...times];
}
