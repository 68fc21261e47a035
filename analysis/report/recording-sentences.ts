import type { FinishedRun } from '../../model/finished-run.js';
import { sum } from '../statistics/statistics.js';
import { plural } from '../wording/wording.js';

/** What became of the files that the media server recorded, in all trials that count. */
export function recordingSentences({ records }: FinishedRun): string[] {
  const known = records.flatMap(({ recordings, verdict }) => (verdict.kind === 'void' ? [] : (recordings ?? [])));
  const files = sum(known.map((one) => one.files));
  if (files === 0) return [];
  const reasons = [...new Set(known.flatMap(({ notChecked }) => notChecked ?? []))];
  if (reasons.length > 0) {
    const unchecked = sum(known.filter(({ notChecked }) => notChecked !== undefined).map((one) => one.files));
    return [`Recordings: ${unchecked} of ${plural(files, 'file')} were not checked: ${reasons.join('; ')}.`];
  }
  const broken = sum(known.map(({ faults }) => faults.length));
  return broken === 0
    ? [`Recordings: each of ${plural(files, 'file')} lasts as long as was recorded, has its tracks, and decodes.`]
    : [`Recordings: ${broken} of ${plural(files, 'file')} are broken.`];
}
