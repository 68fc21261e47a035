import type { Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { type IceConnection, StunProtocol } from 'werift';
import type { Egress, Outlet } from './egress.js';

export interface MediaAddress {
  readonly outlet: Outlet;
  readonly port: number;
  readonly address: string;
}

/** A media datagram (first byte 128 to 191, RFC 7983) with the way back to its sender. */
export type OnMedia = (datagram: Buffer, from: MediaAddress) => void;

/**
 * Takes over the UDP sockets of a werift ICE connection: everything that is sent goes through `egress`, media that
 * arrives goes to `onMedia` without passing werift's STUN parser, and a socket error is reported, not thrown.
 * To be called when a local candidate was found; sockets already taken over are left alone.
 */
export function hookSockets(
  connection: IceConnection,
  egress: Egress,
  onMedia: OnMedia,
  onReceived: (bytes: number) => void,
  hooked: Set<StunProtocol>,
): void {
  for (const protocol of protocolsOf(connection)) {
    if (hooked.has(protocol)) continue;
    hooked.add(protocol);
    hookSocket(protocol, egress, onMedia, onReceived);
  }
}

/** werift keeps its sockets in a private field; this is the only place that reaches for it. */
function protocolsOf(connection: IceConnection): StunProtocol[] {
  const protocols: unknown = Reflect.get(connection, 'protocols');
  return Array.isArray(protocols) ? protocols.filter((protocol) => protocol instanceof StunProtocol) : [];
}

function hookSocket(
  protocol: StunProtocol,
  egress: Egress,
  onMedia: OnMedia,
  onReceived: (bytes: number) => void,
): void {
  const { transport } = protocol;
  // A datagram to an address that cannot be reached (EINVAL, ENETUNREACH) is a lost datagram, as on any network.
  transport.socket.on('error', () => {});
  answerAtOnce(transport.socket);
  const outlet: Outlet = {
    put: (datagram, port, address) => {
      if (!transport.closed) transport.socket.send(datagram, port, address);
    },
  };
  transport.send = async (datagram, address) => {
    if (address !== undefined) egress.send(outlet, datagram, address[1], address[0]);
  };
  // One object per peer address, not per packet.
  let last: MediaAddress = { outlet, port: 0, address: '' };
  // In place of werift's own listener, which looks at the address of each packet first.
  transport.socket.removeAllListeners('message');
  transport.socket.on('message', (datagram, { address, port }) => {
    onReceived(datagram.length);
    const first = datagram[0] ?? 0;
    if (first < 128 || first > 191) {
      toWerift(protocol, datagram, [address.split('%')[0] ?? address, port]);
      return;
    }
    if (last.port !== port || last.address !== address) last = { outlet, port, address };
    onMedia(datagram, last);
  });
}

/** STUN and DTLS. What werift cannot read is a datagram that came to nothing. */
function toWerift({ transport }: StunProtocol, datagram: Buffer, from: [string, number]): void {
  try {
    transport.onData(datagram, from);
  } catch {
    return;
  }
}

interface Resolving {
  lookup: (address: string, done: (error: Error | null, address: string) => void) => void;
}

/**
 * A socket of Node asks its resolver for the address of each datagram, and sends it a tick later, though the address is one already.
 * Here it is answered at once. Node keeps the resolver in a field without a name; where it is not found, all stays as it is.
 */
function answerAtOnce(socket: Socket): void {
  for (const field of Object.getOwnPropertySymbols(socket)) {
    const handle: unknown = Reflect.get(Object(Reflect.get(socket, field)), 'handle');
    if (!isResolving(handle)) continue;
    const { lookup } = handle;
    let known = '';
    handle.lookup = (address, done) => {
      if (address !== known && isIP(address) === 0) return lookup.call(handle, address, done);
      known = address;
      done(null, address);
    };
  }
}

function isResolving(handle: unknown): handle is Resolving {
  return typeof handle === 'object' && handle !== null && typeof Reflect.get(handle, 'lookup') === 'function';
}
