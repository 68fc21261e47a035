import type { Clock, Egress } from './egress.js';
import type { AllowedAddresses } from './ice-guard.js';
import type { RelayOptions } from './relay.js';
import type { SocketTaker } from './udp-hook.js';

export interface NativeLinkOptions {
  /** Addresses of this host; a socket is opened on each. */
  readonly addresses: readonly string[];
  readonly egress: Egress;
  readonly clock: Clock;
  /** Reads and writes its sockets, in place of Node. */
  readonly taker?: SocketTaker | undefined;
  /** How much of a payload of this type is to be deciphered. */
  readonly readBytes: (payloadType: number) => number;
  /** Where something may be sent; absent: anywhere. */
  readonly allowed?: AllowedAddresses;
  /** Nothing leaves from those addresses themselves: a relay is the one way to the server. Absent: they are. */
  readonly relay?: Pick<RelayOptions, 'trustedKey'>;
}
