import { type ExpectedStream, isOfCamera } from '../../model/expected-streams.js';
import { layerAsked, senderOfSource } from '../../model/scenario.js';
import type { StreamSubject } from './stream-rules.js';

/**
 * How wide the pictures are that go in for each received stream. It is not known of a mix, or of whoever sends several.
 * Nor is it where an encoder may have changed the size: sender and receiver have the new one at other times. Another
 * rule judges of which layer a stream should be.
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
