import type { StreamSample } from './sample.js';

/**
 * A stream's bytes in one second. Of a received one these are the bytes that came under the media's own numbers. On the
 * SSRC for resending (RFC 4588) padding and copies come as well as repairs, and nobody can tell them apart: none of it
 * counts as media.
 */
export function mediaBytesOf(stream: StreamSample): number | undefined {
  if (stream.direction === 'send') return stream.metrics.bytesSent;
  const { bytesReceived, resentBytesReceived = 0 } = stream.metrics;
  return bytesReceived === undefined ? undefined : bytesReceived - resentBytesReceived;
}
