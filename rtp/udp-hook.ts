import type { Socket } from 'node:dgram';
import { isIP } from 'node:net';
import { type IceConnection, StunProtocol } from 'werift';
import type { Egress, Outlet } from './egress.js';
import type { IceGuard, SentRequests } from './ice-guard.js';
import type { OnDatagram, SendDatagram } from './polled-sockets.js';
import { socketHandle } from './socket-handle.js';

export interface MediaAddress {
  readonly outlet: Outlet;
  readonly port: number;
  readonly address: string;
}

/**
 * A media datagram (first byte 128 to 191, RFC 7983) with the way back to its sender. `atMs` is when it came, by
 * `performance.now()`, where sockets are polled: its memory is written over afterwards.
 */
export type OnMedia = (datagram: Buffer, from: MediaAddress, atMs?: number) => void;

/** Takes over a socket, and gives what sends from it; `undefined` where it goes on as it was. */
export interface SocketTaker {
  take(socket: Socket, onDatagram: OnDatagram): SendDatagram | undefined;
}

interface SocketHook {
  readonly egress: Egress;
  readonly guard: IceGuard;
  readonly onMedia: OnMedia;
  /** Of every datagram, before anybody reads it. */
  readonly onReceived?: (bytes: number) => void;
  /** For admitted STUN: whether somebody else than werift took it. Its memory may be overwritten afterwards. */
  readonly isTaken?: (datagram: Buffer, from: MediaAddress, atMs: number) => boolean;
  /** Reads and writes sockets in place of Node. */
  readonly taker?: SocketTaker | undefined;
}

/**
 * Takes over the UDP sockets of a werift ICE connection: everything that is sent goes through `egress`, media that
 * arrives goes to `onMedia` without passing werift's STUN parser, werift gets the STUN that `guard` lets in, and a
 * socket error is no end. To be called when a local candidate was found; sockets already taken over are left alone.
 */
export function hookSockets(connection: IceConnection, hook: SocketHook, hooked: Set<StunProtocol>): void {
  for (const protocol of protocolsOf(connection)) {
    if (hooked.has(protocol)) continue;
    hooked.add(protocol);
    hookSocket(protocol, hook);
  }
}

/** werift keeps its sockets in a private field; this is the only place that reaches for it. */
export function protocolsOf(connection: IceConnection): StunProtocol[] {
  const protocols: unknown = Reflect.get(connection, 'protocols');
  return Array.isArray(protocols) ? protocols.filter((protocol) => protocol instanceof StunProtocol) : [];
}

function hookSocket(protocol: StunProtocol, { egress, guard, onMedia, onReceived, isTaken, taker }: SocketHook): void {
  const { transport } = protocol;
  const { socket } = transport;
  // A datagram to an address that cannot be reached (EINVAL, ENETUNREACH) is a lost datagram, as on any network.
  socket.on('error', () => {});
  answerAtOnce(socket);
  const outlet = new SocketOutlet(protocol);
  const sent = protocol as unknown as SentRequests;
  transport.send = async (datagram, address) => {
    if (address !== undefined) egress.send(outlet, datagram, address[1], address[0]);
  };
  // One object per peer address, not per packet.
  let last: MediaAddress = { outlet, port: 0, address: '' };
  const onDatagram = (datagram: Buffer, port: number, address: string, atMs?: number): void => {
    onReceived?.(datagram.length);
    if (last.port !== port || last.address !== address) last = { outlet, port, address };
    const first = datagram[0] ?? 0;
    if (first < 128 || first > 191) {
      if (!guard.letsIn(datagram, last, sent)) return;
      if (isTaken?.(datagram, last, atMs ?? performance.now())) return;
      const kept = atMs === undefined ? datagram : Buffer.from(datagram);
      toWerift(protocol, kept, [address.split('%')[0] ?? address, port]);
      return;
    }
    onMedia(datagram, last, atMs);
  };
  outlet.sendAtOnce = taker?.take(socket, onDatagram);
  // In place of werift's own listener, which looks at the address of each packet first.
  socket.removeAllListeners('message');
  socket.on('message', (datagram, { address, port }) => onDatagram(datagram, port, address));
}

/** A class, so that the way out of every packet is of one shape however many sockets there are. */
class SocketOutlet implements Outlet {
  readonly #transport: StunProtocol['transport'];
  /** Absent: Node sends. */
  sendAtOnce: SendDatagram | undefined;

  constructor({ transport }: StunProtocol) {
    this.#transport = transport;
  }

  put(datagram: Buffer, port: number, address: string): void {
    if (this.#transport.closed) return;
    if (this.sendAtOnce) this.sendAtOnce(datagram, port, address);
    else this.#transport.socket.send(Buffer.from(datagram), port, address);
  }
}

/** What werift cannot read is a datagram that came to nothing. */
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
 * A socket of Node asks its resolver for the address of each datagram, and sends it a tick later, though the address is
 * one already. Here it is answered at once. Node keeps the resolver in a field without a name; where it is not found,
 * all stays as it is.
 */
function answerAtOnce(socket: Socket): void {
  const handle = socketHandle(socket, isResolving);
  if (!handle) return;
  const { lookup } = handle;
  let known = '';
  handle.lookup = (address, done) => {
    if (address !== known && isIP(address) === 0) return lookup.call(handle, address, done);
    known = address;
    done(null, address);
  };
}

function isResolving(handle: unknown): handle is Resolving {
  return typeof handle === 'object' && handle !== null && typeof Reflect.get(handle, 'lookup') === 'function';
}
