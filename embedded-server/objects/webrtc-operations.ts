import { createHash } from 'node:crypto';
import { asks } from '../../model/layer.js';
import type { ReceiveStream } from '../media/receive-stream.js';
import type { SendStream } from '../media/send-stream.js';
import { integerOf, isRecord, type Parameters, stringOf } from '../rpc/parameters.js';
import { alreadyNegotiated, notImplemented, notOffered, wrongParameter } from '../rpc/rpc-error.js';
import { mediaElementOperations } from './media-element.js';
import { mediaKinds, type Operations } from './media-object.js';
import { type Bandwidths, candidatePair, type WebRtcPeer } from './webrtc-shapes.js';

function bandwidth(key: keyof Bandwidths): Operations<WebRtcPeer> {
  const parts = /^(min|max)(Audio|Video)(Recv|Send)$/.exec(key) ?? [];
  const name = `${parts[1]}${parts[2]}${parts[3]}Bandwidth`;
  const upper = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return {
    [`get${upper}`]: (endpoint) => endpoint.bandwidths[key],
    [`set${upper}`]: (endpoint, parameters) => {
      endpoint.bandwidths[key] = integerOf(parameters, name);
    },
  };
}

const stored = (name: string, initial: unknown): Operations<WebRtcPeer> => {
  const upper = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return { [`get${upper}`]: () => initial };
};

function candidateOf(parameters: Parameters): string {
  const candidate = parameters.candidate;
  if (!isRecord(candidate)) throw wrongParameter('candidate', 'object');
  return stringOf(candidate, 'candidate');
}

export const webRtcEndpointOperations: Operations<WebRtcPeer> = {
  ...mediaElementOperations,
  ...bandwidth('minVideoRecv'),
  ...bandwidth('minVideoSend'),
  ...bandwidth('maxVideoRecv'),
  ...bandwidth('maxVideoSend'),
  ...bandwidth('minAudioRecv'),
  ...bandwidth('maxAudioRecv'),
  ...stored('stunServerAddress', ''),
  ...stored('stunServerPort', 0),
  ...stored('turnUrl', ''),
  ...stored('externalIPv4', ''),
  ...stored('externalIPv6', ''),
  ...stored('mtu', 1200),
  ...stored('rembParams', { __module__: 'kurento', __type__: 'RembParams' }),
  processOffer: async (endpoint, parameters) => {
    const offer = stringOf(parameters, 'offer');
    await endpoint.context.coldStart.warm();
    await endpoint.context.answerRate.turn();
    // It may have been released meanwhile.
    endpoint.context.find(endpoint.id);
    return endpoint.processOffer(offer);
  },
  generateOffer: (endpoint) => {
    if (endpoint.negotiated) throw alreadyNegotiated();
    throw notImplemented('This server answers offers and makes none.');
  },
  processAnswer: (_endpoint, parameters) => {
    stringOf(parameters, 'answer');
    throw notOffered();
  },
  // Answered before they are found: they follow as events.
  gatherCandidates: (endpoint) => void endpoint.gatherCandidates(),
  addIceCandidate: (endpoint, parameters) => endpoint.addIceCandidate(candidateOf(parameters)),
  getLocalSessionDescriptor: (endpoint) => endpoint.localDescription(),
  getConnectionState: (endpoint) => endpoint.connectionState,
  getMediaState: (endpoint) => endpoint.mediaState,
  getNetworkInterfaces: (endpoint) => endpoint.context.host,
  getICECandidatePairs: (endpoint) =>
    endpoint.pair === undefined ? [] : [candidatePair(endpoint.pair.local, endpoint.pair.remote)],
  getIceConnectionState: (endpoint) =>
    endpoint.iceState === 'DISCONNECTED' ? [] : [iceConnection(1, endpoint.iceState), iceConnection(2, 'GATHERING')],
  // Of our own: a Kurento takes no layers.
  setVideoLayer: (endpoint, parameters) => {
    const asked = stringOf(parameters, 'layer');
    const layer = asks.find((name) => name === asked);
    if (layer === undefined) throw wrongParameter('layer', 'string');
    endpoint.media.shown.askFor(layer);
  },
  requestKeyframe: (endpoint) => endpoint.output('video').requestKeyFrame(),
  getStats: (endpoint, parameters) => endpointStats(endpoint, parameters.mediaType),
};

function iceConnection(componentId: number, state: string): Parameters {
  return { __module__: 'kurento', __type__: 'IceConnection', componentId, state, streamId: '1' };
}

/** Kurento's getStats: one entry for each RTP stream, `null` before negotiation. `mediaType` narrows it. */
function endpointStats(endpoint: WebRtcPeer, mediaType: unknown): Parameters | null {
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
