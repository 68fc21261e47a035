import { createHash } from 'node:crypto';
import type { ReceiveStream } from '../media/receive-stream.js';
import type { SendStream } from '../media/send-stream.js';
import type { Parameters } from '../rpc/parameters.js';
import { mediaKinds } from './media-object.js';
import type { WebRtcPeer } from './webrtc-peer.js';

/** Kurento's getStats: one entry for each RTP stream, `null` before negotiation. `mediaType` narrows it. */
export function endpointStats(endpoint: WebRtcPeer, mediaType: unknown): Parameters | null {
  if (!endpoint.negotiated) return null;
  const entries: [string, Parameters][] = [];
  const timestampMillis = Math.floor(endpoint.context.clock.nowMs());
  for (const kind of mediaKinds) {
    if (mediaType !== undefined && mediaType !== kind.toUpperCase()) continue;
    const track = endpoint.media.track(kind);
    const send = endpoint.media.send(kind);
    if (track.stream !== undefined) {
      const id = statsId(endpoint.id, 'in', track.stream.ssrc);
      const remb = kind === 'video' ? endpoint.media.videoCapBps() : 0;
      const counts = { nackCount: track.nacksSent, pliCount: track.keyFramesAsked, remb };
      entries.push([id, { ...inbound(track.stream), ...counts, id, timestampMillis }]);
    }
    if (send !== undefined && send.packets > 0) {
      const id = statsId(endpoint.id, 'out', send.ssrc);
      entries.push([id, { ...outbound(send), id, timestampMillis }]);
    }
  }
  return Object.fromEntries(entries);
}

/** Stable for a stream's life, and shaped like the UUIDs of a Kurento. */
function statsId(endpoint: string, direction: string, ssrc: number): string {
  const hex = createHash('sha256').update(`${endpoint} ${direction} ${ssrc}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

const common = {
  __module__: 'kurento',
  associateStatsId: '',
  codecId: '',
  firCount: 0,
  isRemote: false,
  mediaTrackId: '',
  sliCount: 0,
  transportId: '',
};

function inbound(stream: ReceiveStream): Parameters {
  return {
    ...common,
    __type__: 'RTCInboundRTPStreamStats',
    bytesReceived: stream.bytes,
    fractionLost: stream.fractionLost / 256,
    jitter: stream.jitterSeconds,
    packetsLost: stream.lost,
    packetsReceived: stream.packets,
    ssrc: String(stream.ssrc),
    type: 'inboundrtp',
  };
}

function outbound(send: SendStream): Parameters {
  return {
    ...common,
    __type__: 'RTCOutboundRTPStreamStats',
    bytesSent: send.octets,
    fractionLost: send.fractionLost / 256,
    nackCount: send.nacksReceived,
    packetsLost: send.packetsLost,
    packetsSent: send.packets,
    pliCount: send.keyFrameRequests,
    remb: send.estimateBps,
    roundTripTime: send.roundTripMs / 1000,
    ssrc: String(send.ssrc),
    targetBitrate: 0,
    type: 'outboundrtp',
  };
}
