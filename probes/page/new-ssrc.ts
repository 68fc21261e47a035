import { numberAt, type StatsEntry } from './stats-report.js';

/** In a second in which a video's SSRC changed, frames are known: the new counter began at zero, or was read. */
export function putFramesSinceChange(
  into: { framesDecoded?: number },
  earlier: StatsEntry | undefined,
  now: StatsEntry,
): void {
  const decoded = numberAt(now, 'framesDecoded');
  if (decoded === undefined) return;
  const frames = decoded - (numberAt(earlier, 'framesDecoded') ?? 0);
  if (frames >= 0) into.framesDecoded = frames;
}
