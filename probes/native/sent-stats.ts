import type { StatsEntry } from '../page/stats-report.js';
import type { LegSending } from './leg-sending.js';
import type { RemoteReport } from './remote-report.js';
import type { SentStream } from './sent-stream.js';
import type { SentVideo } from './sent-video.js';

const camera = 'camera';

/**
 * What a leg sends, in the names of webrtc-stats. Frames were encoded before the trial: encoding times and why quality
 * is limited are not in it, as of encoded probes. The camera is the clip, and its rate is that of the frames that this
 * process took of it.
 */
export function sentEntries({ streams, videos }: LegSending, atMs: number): readonly StatsEntry[] {
  const entries: StatsEntry[] = [];
  for (const stream of streams) {
    const pictures = videos.find((video) => video.stream === stream);
    entries.push(outbound(stream, pictures, atMs));
    if (stream.remote) entries.push(remoteInbound(stream, stream.remote));
  }
  const framesPerSecond = videos[0]?.sourceFps;
  if (framesPerSecond !== undefined)
    entries.push({ id: camera, type: 'media-source', timestamp: atMs, kind: 'video', framesPerSecond });
  return entries;
}

/** In one literal, as what is received. */
function outbound(stream: SentStream, pictures: SentVideo | undefined, atMs: number): StatsEntry {
  const clip = pictures && pictures.framesSent > 0 ? pictures.clip : undefined;
  return {
    id: stream.entryId,
    type: 'outbound-rtp',
    timestamp: atMs,
    kind: stream.kind,
    rid: stream.rid,
    packetsSent: stream.packets,
    bytesSent: stream.payloadBytes,
    remoteId: stream.remote && stream.remoteEntryId,
    mediaSourceId: pictures && camera,
    retransmittedPacketsSent: pictures && stream.resentPackets,
    targetBitrate: pictures && pictures.kbps * 1000,
    framesEncoded: pictures?.framesSent,
    framesSent: pictures?.framesSent,
    keyFramesEncoded: pictures?.keyFrames,
    frameWidth: clip?.width,
    frameHeight: clip?.height,
    nackCount: pictures && stream.nacks,
    pliCount: pictures && stream.plis,
  };
}

/** Timed by when the report came: a second without one then has no such metrics. */
function remoteInbound({ kind, remoteEntryId }: SentStream, report: RemoteReport): StatsEntry {
  const { atMs, packetsLost, jitterSeconds, roundTripMs, roundTrips } = report;
  return {
    id: remoteEntryId,
    type: 'remote-inbound-rtp',
    timestamp: atMs,
    kind,
    packetsLost,
    jitter: jitterSeconds,
    roundTripTimeMeasurements: roundTrips,
    roundTripTime: roundTripMs === undefined ? undefined : roundTripMs / 1000,
  };
}
