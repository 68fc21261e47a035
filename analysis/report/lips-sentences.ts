import type { FinishedRun } from '../../model/finished-run.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { numberNear, plural } from '../wording/wording.js';

/** ITU-R BT.1359: sound that is earlier than its picture by more than 90 ms is not accepted. */
const boundMs = 90;

/**
 * Lips against sound is known in two ways. Players tell it by the times of the server's sender reports. Marks of
 * senders, with the time in the jitter buffer, tell it without the server. Where marks say more, those times are wrong.
 */
export function lipsSentences({ records }: FinishedRun): string[] {
  const [worst, ...others] = records.flatMap(contradicted).sort((a, b) => b.markedMs - a.markedMs);
  if (!worst) return [];
  const { index, probe, markedMs, playedMs } = worst;
  return [
    `Warning: sender reports of the media server put sound and pictures at wrong times. By the marks of senders, ${probe} played them ${numberNear(markedMs)} ms apart in trial ${index}, mean; by the reports ${numberNear(playedMs)} ms, p95. ${plural(1 + others.length, 'received picture')} differed by more than ${boundMs} ms.`,
  ];
}

/** Of probes that play what comes and read marks. */
function contradicted({ index, streams, verdict }: TrialRecord) {
  if (verdict.kind === 'void') return [];
  const received = streams.filter(({ direction }) => direction === 'receive');
  return received.flatMap((picture) => {
    const sound = received.find((one) => isOfSource(one, picture) && one.kind === 'audio');
    const playedMs = picture.values.playedApartP95Ms;
    const [shownMs, heardMs] = [waited(picture), sound && waited(sound)];
    if (picture.kind !== 'video' || playedMs === undefined || shownMs === undefined || heardMs === undefined) return [];
    const markedMs = Math.abs(heardMs - shownMs);
    return markedMs > playedMs + boundMs ? [{ index, probe: picture.probe, markedMs, playedMs }] : [];
  });
}

const isOfSource = (one: StreamSummary, other: StreamSummary) =>
  one.probe === other.probe && one.leg === other.leg && one.stream === other.stream;

/** From when it was taken until it left the jitter buffer. */
function waited({ values: { delayMs, jitterBufferMs } }: StreamSummary): number | undefined {
  return delayMs === undefined || jitterBufferMs === undefined ? undefined : delayMs + jitterBufferMs;
}
