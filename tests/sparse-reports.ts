import type { Sample, SendStreamSample, StreamSample } from '../model/sample.js';
import type { StartFleet } from '../probes/fleet.js';

/** What a sender knows from receiver reports alone (RFC 3550 6.4.1): absent in a second in which none came. */
const reported = new Set(['remotePacketsLost', 'remoteJitterMs', 'rttMs']);

/**
 * Probes whose receiver reports come every so many seconds, each with what was lost since the one before, as those of a
 * media server do whose reports are rare.
 */
export function withReportsEvery(seconds: number, startFleet: StartFleet): StartFleet {
  return (options, listener) => {
    const lost = new Map<string, number>();
    const thinned = (sample: Sample): Sample => ({
      ...sample,
      streams: sample.streams.map((stream) => (stream.direction === 'send' ? sent(sample, stream) : stream)),
    });
    const sent = ({ probe, atMs }: Sample, stream: SendStreamSample): StreamSample => {
      const key = `${probe} ${stream.leg} ${stream.kind}`;
      const remotePacketsLost = (lost.get(key) ?? 0) + (stream.metrics.packetsResent ?? 0);
      if (Math.floor(atMs / 1000) % seconds === 0) {
        lost.delete(key);
        return { ...stream, metrics: { ...stream.metrics, remotePacketsLost } };
      }
      lost.set(key, remotePacketsLost);
      const metrics = Object.fromEntries(Object.entries(stream.metrics).filter(([name]) => !reported.has(name)));
      return { ...stream, metrics };
    };
    return startFleet(options, {
      onSamples: (samples) => listener.onSamples(samples.map(thinned)),
      onEvent: (event) => listener.onEvent(event),
    });
  };
}
