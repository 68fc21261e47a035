import type { RelayAccess } from '../../model/turn.js';

/** Resolves when every candidate stands in the local description. The probe's deadline is its bound. */
export function gathered(connection: RTCPeerConnection): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (connection.iceGatheringState === 'complete') resolve();
    };
    connection.addEventListener('icegatheringstatechange', look);
    look();
  });
}

/** With a relay, no other candidate is made, and none is found later (webrtc-pc, RTCIceTransportPolicy). */
export function relayOnly(relay: RelayAccess | undefined): RTCConfiguration {
  if (!relay) return {};
  const { url, username, credential } = relay;
  return { iceServers: [{ urls: [url], username, credential }], iceTransportPolicy: 'relay' };
}

export const iceIsUp = ({ iceConnectionState }: RTCPeerConnection): boolean =>
  iceConnectionState === 'connected' || iceConnectionState === 'completed';
