import { randomBytes } from 'node:crypto';
import { RTCIceParameters, type RTCIceTransport } from 'werift';
import { protocolsOf } from './udp-hook.js';

/** Of one side (RFC 8839, 5.4). */
export interface IceCredentials {
  readonly iceUfrag: string;
  readonly icePwd: string;
}

/** A user name of 4 characters and a password of 24. */
export function newCredentials(): IceCredentials {
  const text = (bytes: number) => randomBytes(bytes).toString('base64');
  return { iceUfrag: text(3), icePwd: text(18) };
}

/**
 * Restarts ICE (RFC 8445, 9) on the sockets that are open. Checks begin by `ice.start()`.
 *
 * @param own credentials that the other side knows already; absent: new ones
 */
export async function restartIce(ice: RTCIceTransport, remote: IceCredentials, own?: IceCredentials): Promise<void> {
  ice.restart();
  if (own) {
    Object.assign(ice.connection, { localUsername: own.iceUfrag, localPassword: own.icePwd });
    for (const { localCandidate } of protocolsOf(ice.connection))
      if (localCandidate) localCandidate.ufrag = own.iceUfrag;
  }
  ice.setRemoteParams(new RTCIceParameters({ usernameFragment: remote.iceUfrag, password: remote.icePwd }));
  await ice.gather();
}
