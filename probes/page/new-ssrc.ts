import { difference, numberAt, type StatsEntry, type StatsReport } from './stats-report.js';

/** One stream in two readings, between which its SSRC changed. */
interface SsrcChange {
  readonly previous: StatsReport;
  readonly before: StatsEntry;
  readonly current: StatsReport;
  readonly now: StatsEntry;
}

/**
 * Counts the frames of a second in which a video's SSRC changed, with those of the SSRC before. Where these are not
 * known, it tells for how long the new one was shown.
 */
export function putFramesAcross(
  into: { framesDecoded?: number; interFrameMs?: number },
  { previous, before, current, now }: SsrcChange,
): void {
  const since = (entry: StatsEntry | undefined, field: string) => {
    const value = numberAt(entry, field);
    return value === undefined ? undefined : value - (numberAt(previous.get(entry?.id ?? ''), field) ?? 0);
  };
  const [own, old] = [since(now, 'framesDecoded'), since(current.get(before.id), 'framesDecoded')];
  const ofBoth = own === undefined || old === undefined ? undefined : own + old;
  const frames = difference(before, now, 'framesShown') ?? ofBoth;
  const shownSeconds = since(now, 'totalInterFrameDelay');
  if (frames !== undefined && frames >= 0) into.framesDecoded = frames;
  else if (shownSeconds !== undefined) into.interFrameMs = 1000 * shownSeconds;
}
