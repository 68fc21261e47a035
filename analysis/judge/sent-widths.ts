import { type ExpectedStream, isOfCamera } from '../../model/expected-streams.js';
import { layerAsked, senderOfSource } from '../../model/scenario.js';
import type { StreamSubject } from './stream-rules.js';

/**
 * How wide the pictures are that go in for each received stream. Of whoever sends several, and of a mix, it is not
 * known, and neither where the encoder may have changed its size: sender and receiver have it at other times. Which of its layers a stream should be of is judged by another rule.
 */
export function sentWidths(subjects: readonly StreamSubject[]): ReadonlyMap<ExpectedStream, number> {
  const videos = subjects.filter(({ stream }) => stream.kind === 'video');
  const sent = new Map<string, number | undefined>();
  for (const { stream, values } of videos) {
    const { id } = stream.participant;
    if (stream.direction === 'send') sent.set(id, sent.has(id) || isLimited(values) ? undefined : values.frameWidth);
  }
  return new Map(
    videos.flatMap(({ stream }) => {
      if (stream.direction !== 'receive' || !isOfCamera(stream.from) || layerAsked(stream)) return [];
      const width = sent.get(senderOfSource(stream.from) ?? '');
      return width === undefined ? [] : [[stream, width] as const];
    }),
  );
}

const isLimited = ({ bandwidthLimitedPercent = 0, cpuLimitedPercent = 0 }: StreamSubject['values']): boolean =>
  bandwidthLimitedPercent + cpuLimitedPercent > 0;
