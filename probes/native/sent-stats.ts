import type { StatsEntry } from '../page/stats-report.js';
import type { LegSending } from './leg-sending.js';
import type { SentStream } from './sent-stream.js';
import type { SentVideo } from './sent-video.js';

/**
 * What a leg sends, in the names of webrtc-stats. Frames were encoded before the trial: encoding times and why quality is limited are not in it, as of
 * encoded probes. The camera is the clip, and its rate is that of the frames that this process took of it.
 */
export function sentEntries({ streams, video }: LegSending, atMs: number): readonly StatsEntry[] {
  return streams.flatMap((stream) => {
    const of = `${stream.kind}-${stream.ssrc}`;
    return [
      {
        id: `outbound-${of}`,
        type: 'outbound-rtp',
        timestamp: atMs,
        kind: stream.kind,
        packetsSent: stream.packets,
        bytesSent: stream.payloadBytes,
        ...(stream.remote ? { remoteId: `remote-${of}` } : {}),
        ...(stream.kind === 'video' && video ? pictures(stream, video) : {}),
      },
      ...remote(stream, `remote-${of}`),
      ...(stream.kind === 'video' && video?.sourceFps !== undefined
        ? [{ id: 'camera', type: 'media-source', timestamp: atMs, kind: 'video', framesPerSecond: video.sourceFps }]
        : []),
    ];
  });
}

function pictures(stream: SentStream, video: SentVideo) {
  const { width, height } = video.size;
  return {
    mediaSourceId: 'camera',
    retransmittedPacketsSent: stream.resentPackets,
    targetBitrate: video.kbps * 1000,
    framesEncoded: video.framesSent,
    framesSent: video.framesSent,
    keyFramesEncoded: video.keyFrames,
    frameWidth: width,
    frameHeight: height,
    nackCount: stream.nacks,
    pliCount: stream.plis,
  };
}

/** Timed by when the report came: a second without one then has no such metrics. */
function remote({ kind, remote: report }: SentStream, id: string): readonly StatsEntry[] {
  if (!report) return [];
  const { atMs, packetsLost, jitterSeconds, roundTripMs, roundTrips } = report;
  const trip = roundTripMs === undefined ? {} : { roundTripTime: roundTripMs / 1000 };
  return [
    {
      id,
      type: 'remote-inbound-rtp',
      timestamp: atMs,
      kind,
      packetsLost,
      jitter: jitterSeconds,
      roundTripTimeMeasurements: roundTrips,
      ...trip,
    },
  ];
}
