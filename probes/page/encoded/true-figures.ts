import { withSync } from '../../../model/clock-times.js';
import type { SendStreamSample, StreamSample } from '../../../model/sample.js';
import { withFigures } from '../mark-counts.js';
import { type StreamCounts, streamId } from './worker-wire.js';

/**
 * The samples of an encoded probe with what getStats cannot know put right: it saw the small frames. The true size
 * comes from the worker, encoding times are left out (nothing of this size was encoded), and `framesReplaced` tells
 * that the load was there. What the worker did not tell is left out, never taken from getStats.
 */
export function trueFigures(
  streams: readonly StreamSample[],
  before: StreamCounts | undefined,
  now: StreamCounts | undefined,
): readonly StreamSample[] {
  const figures = streams.map((stream) => {
    if (stream.kind === 'data') return stream;
    if (stream.kind === 'audio' && stream.direction === 'send') return withoutTarget(stream);
    const id = streamId(stream.leg, stream.direction, stream.kind, stream.stream);
    const [earlier, count] = [before?.get(id), now?.get(id)];
    // Of one that getStats does not have, the worker knows only what was.
    if (Object.keys(stream.metrics).length === 0) return stream;
    if (stream.kind === 'audio') return withFigures(stream, count?.marks);
    const size = count && count.width > 0 ? { frameWidth: count.width, frameHeight: count.height } : {};
    if (stream.direction === 'receive') {
      const { frameWidth: _, frameHeight: __, qpSum: ___, ...metrics } = stream.metrics;
      return withFigures({ ...stream, metrics: { ...metrics, ...size } }, count?.marks);
    }
    const { frameWidth: _, frameHeight: __, encodeMs: ___, ...metrics } = withoutTarget(stream).metrics;
    const replaced = earlier && count ? { framesReplaced: count.replaced - earlier.replaced } : {};
    const { qualityLimitation: ____, ...sent } = stream;
    return { ...sent, metrics: { ...metrics, ...size, ...replaced, ...(count ? { targetKbps: count.kbps } : {}) } };
  });
  return figures.map((stream) => withSync(stream, figures));
}

/** What the browser allows the encoders whose frames are replaced: a tiny camera's, and a microphone's of 6 kbit/s. */
function withoutTarget(stream: SendStreamSample): SendStreamSample {
  const { targetKbps: _, ...metrics } = stream.metrics;
  return { ...stream, metrics };
}
