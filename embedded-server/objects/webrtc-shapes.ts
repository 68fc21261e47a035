import type { LocalCandidate } from '../../rtp/link.js';

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
