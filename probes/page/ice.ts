import type { IceCandidate, IceServer } from '../../model/signalling.js';
import { accessIn, isBlockedByBrowsers, type RelayWay } from '../../model/turn.js';

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

/** The same of a further gathering, whose end the browser tells; the state may still be that of the one before. */
export function gatheredAnew(connection: RTCPeerConnection, waitMs = quietMs): Promise<void> {
  return new Promise((resolve) => {
    const wait = setTimeout(resolve, waitMs);
    connection.addEventListener('icecandidate', ({ candidate }) => {
      if (candidate) return;
      clearTimeout(wait);
      resolve();
    });
  });
}

export const plainCandidate = ({ candidate, sdpMid, sdpMLineIndex }: IceCandidate): IceCandidate => ({
  candidate,
  sdpMid,
  sdpMLineIndex,
});

/** With a relay, no other candidate is made, and none is found later (webrtc-pc, RTCIceTransportPolicy). */
export function relayOnly(relay: RelayWay | undefined): RTCConfiguration {
  if (!relay) return {};
  const access = accessIn(relay);
  if (!access) return { iceTransportPolicy: 'relay' };
  const { url, username, credential } = access;
  return { iceServers: [{ urls: [url], username, credential }], iceTransportPolicy: 'relay' };
}

/** Port 53 is nothing that a browser asks, and what it cannot use it throws of. */
export function useIceServers(connection: RTCPeerConnection, servers: readonly IceServer[]): void {
  const iceServers = servers
    .map((server) => ({ ...server, urls: server.urls.filter((url) => !isBlockedByBrowsers(url)) }))
    .filter(({ urls }) => urls.length > 0);
  connection.setConfiguration({ ...connection.getConfiguration(), iceServers });
}

/** Its candidates all stand in it. */
export const isFurtherOffer = ({ signalingState, remoteDescription }: RTCPeerConnection): boolean =>
  signalingState === 'have-local-offer' && remoteDescription !== null;
