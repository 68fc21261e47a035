import type { IceCandidate } from '../../model/signalling.js';
import type { RelayAccess } from '../../model/turn.js';

/** An ICE server that is there answers sooner; Chromium asks one that is not for some ten seconds. */
const quietMs = 2000;

/**
 * Resolves when every candidate stands in the local description, or when there are some and no further one came for a
 * while: a dead ICE server that somebody named is not waited for. The probe's deadline is its bound.
 */
export function gathered(
  connection: Pick<RTCPeerConnection, 'iceGatheringState' | 'addEventListener'>,
  waitMs = quietMs,
): Promise<void> {
  return new Promise((resolve) => {
    let quiet: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(quiet);
      resolve();
    };
    const look = (): void => {
      if (connection.iceGatheringState === 'complete') end();
    };
    connection.addEventListener('icegatheringstatechange', look);
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (!candidate?.candidate) return;
      clearTimeout(quiet);
      quiet = setTimeout(end, waitMs);
    });
    look();
  });
}

export const plainCandidate = ({ candidate, sdpMid, sdpMLineIndex }: IceCandidate): IceCandidate => ({
  candidate,
  sdpMid,
  sdpMLineIndex,
});

/** With a relay, no other candidate is made, and none is found later (webrtc-pc, RTCIceTransportPolicy). */
export function relayOnly(relay: RelayAccess | undefined): RTCConfiguration {
  if (!relay) return {};
  const { url, username, credential } = relay;
  return { iceServers: [{ urls: [url], username, credential }], iceTransportPolicy: 'relay' };
}

export const iceIsUp = ({ iceConnectionState }: RTCPeerConnection): boolean =>
  iceConnectionState === 'connected' || iceConnectionState === 'completed';
