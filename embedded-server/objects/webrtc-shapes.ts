import type { MediaKind } from '../../model/scenario.js';
import type { LocalCandidate } from '../../rtp/link.js';
import type { EndpointMedia } from '../media/endpoint-media.js';
import type { MediaOutput } from '../media/ports.js';
import type { MediaElement } from './media-element.js';

export type IceState = 'DISCONNECTED' | 'GATHERING' | 'CONNECTING' | 'CONNECTED' | 'READY' | 'FAILED';

export interface Bandwidths {
  minVideoRecv: number;
  minVideoSend: number;
  maxVideoRecv: number;
  maxVideoSend: number;
  minAudioRecv: number;
  maxAudioRecv: number;
}

/** A peer connection as the operations of a WebRtcEndpoint and its statistics see it. */
export interface WebRtcPeer extends MediaElement {
  readonly bandwidths: Bandwidths;
  readonly media: EndpointMedia;
  readonly negotiated: boolean;
  readonly pair: { readonly local: LocalCandidate; readonly remote: LocalCandidate } | undefined;
  readonly iceState: IceState;
  readonly connectionState: 'CONNECTED' | 'DISCONNECTED';
  readonly mediaState: 'CONNECTED' | 'DISCONNECTED';
  /** SDP offer in, answer out; candidates follow as events. */
  processOffer(sdp: string): string;
  output(kind: MediaKind): MediaOutput;
  localDescription(): string;
  /** Resolves when all are in the local description. */
  gatherCandidates(): Promise<void>;
  addIceCandidate(line: string): void;
}

/** Kurento's priority of a UDP host candidate. */
const hostPriority = 2_015_364_095;

export function candidateLine(candidate: LocalCandidate): string {
  return `candidate:1 1 UDP ${hostPriority} ${candidate.address} ${candidate.port} typ host`;
}

export function candidatePair(local: LocalCandidate, remote: LocalCandidate): Readonly<Record<string, unknown>> {
  return {
    __module__: 'kurento',
    __type__: 'IceCandidatePair',
    componentId: 1,
    localCandidate: candidateLine(local),
    remoteCandidate: `candidate:remote1 1 UDP 1845501695 ${remote.address} ${remote.port} typ prflx`,
    streamId: '1',
  };
}

export const webRtcEvents = [
  'Error',
  'ElementConnected',
  'ElementDisconnected',
  'MediaFlowInStateChanged',
  'MediaFlowOutStateChanged',
  'MediaFlowInStateChange',
  'MediaFlowOutStateChange',
  'MediaTranscodingStateChanged',
  'MediaTranscodingStateChange',
  'MediaSessionStarted',
  'MediaSessionTerminated',
  'MediaStateChanged',
  'ConnectionStateChanged',
  'IceCandidateFound',
  'OnIceCandidate',
  'IceGatheringDone',
  'OnIceGatheringDone',
  'IceComponentStateChanged',
  'IceComponentStateChange',
  'OnIceComponentStateChanged',
  'NewCandidatePairSelected',
  'DataChannelOpened',
  'DataChannelClosed',
  'OnDataChannelOpened',
  'OnDataChannelClosed',
];
