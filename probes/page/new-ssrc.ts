import { numberAt, type StatsEntry } from './stats-report.js';

/** Of a second in which a video got another SSRC its frames are known: the counter of the new one began at zero, or was read before. */
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
