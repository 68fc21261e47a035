import { layerNames } from '../../model/layer.js';
import { integerOf, isRecord, type Parameters, stringOf } from '../rpc/parameters.js';
import { alreadyNegotiated, notImplemented, notOffered, wrongParameter } from '../rpc/rpc-error.js';
import { mediaElementOperations } from './media-element.js';
import type { Operations } from './media-object.js';
import type { Bandwidths, WebRtcPeer } from './webrtc-peer.js';
import { candidatePair } from './webrtc-shapes.js';
import { endpointStats } from './webrtc-stats.js';

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
    const layer = layerNames.find((name) => name === asked);
    if (layer === undefined) throw wrongParameter('layer', 'string');
    endpoint.media.layer = layer;
  },
  requestKeyframe: (endpoint) => endpoint.output('video').requestKeyFrame(),
  getStats: (endpoint, parameters) => endpointStats(endpoint, parameters.mediaType),
};

function iceConnection(componentId: number, state: string): Parameters {
  return { __module__: 'kurento', __type__: 'IceConnection', componentId, state, streamId: '1' };
}
