import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type AddressInfo, connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { publicKeyDigest } from '../host/public-key-digest.js';
import type { RelayAccess } from '../model/turn.js';
import { paddingAfter, TurnMessages } from './turn-messages.js';

const connectWithinMs = 5_000;
/** As Chromium, which drops what comes while more than this waits on TCP to a TURN server: late media is useless. */
const waitingMaxBytes = 64 * 1024;

type Address = readonly [string, number];

/** Whole messages over one probe's socket to a TURN server: a transport that werift takes for datagrams. */
export interface TurnWay {
  readonly type: 'udp';
  readonly server: Address;
  /** Of its own end. */
  readonly address: AddressInfo;
  /** True of a UDP socket, whose drops can be read by its port. */
  readonly isUdp: boolean;
  readonly closed: boolean;
  onData: (message: Buffer, from: Address) => void;
  send(message: Buffer): Promise<void>;
  /** The same in two parts, without a promise. */
  put(header: Buffer, payload: Buffer): void;
  /** What werift calls as soon as a connection is over. Does nothing: the address is to be given back over it first. */
  close(): Promise<void>;
  /** Idempotent. */
  end(): void;
}

/** Rejects when the server is not reached, or is not the one that is trusted. */
export async function openTurnWay(
  { url, protocol }: Pick<RelayAccess, 'url' | 'protocol'>,
  trustedKey?: string,
): Promise<TurnWay> {
  const [, bracketed = '', port = ''] = /^turns?:(\[[^\]]+\]|[^:?]+):(\d+)/i.exec(url) ?? [];
  const host = bracketed.replace(/^\[|\]$/g, '');
  const { address } = await lookup(host);
  const server: Address = [address, Number(port)];
  if (protocol === 'udp') return UdpWay.open(server);
  const socket = protocol === 'tls' ? await openTls(server, host, trustedKey) : await openTcp(server);
  return new StreamWay(socket, server);
}

/** werift throws for what it cannot read, which has not come then: a TURN server must not end the process. */
function hand(message: Buffer, way: TurnWay): void {
  try {
    way.onData(message, way.server);
  } catch {
    return;
  }
}

class UdpWay implements TurnWay {
  readonly type = 'udp';
  readonly isUdp = true;
  closed = false;
  onData: TurnWay['onData'] = () => undefined;

  private constructor(
    private readonly socket: UdpSocket,
    readonly server: Address,
  ) {
    // What cannot be sent is a lost datagram, as on any network.
    socket.on('error', () => undefined);
    socket.on('message', (message) => hand(message, this));
  }

  static async open(server: Address): Promise<UdpWay> {
    const socket = createSocket(isIP(server[0]) === 6 ? 'udp6' : 'udp4');
    socket.connect(server[1], server[0]);
    await once(socket, 'connect');
    return new UdpWay(socket, server);
  }

  get address(): AddressInfo {
    return this.socket.address();
  }

  async send(message: Buffer): Promise<void> {
    if (!this.closed) this.socket.send(message, () => undefined);
  }

  put(header: Buffer, payload: Buffer): void {
    if (!this.closed) this.socket.send([header, payload], () => undefined);
  }

  async close(): Promise<void> {}

  end(): void {
    if (this.closed) return;
    this.closed = true;
    this.socket.close();
  }
}

class StreamWay implements TurnWay {
  readonly type = 'udp';
  readonly isUdp = false;
  onData: TurnWay['onData'] = () => undefined;

  constructor(
    private readonly socket: Socket,
    readonly server: Address,
  ) {
    socket.setNoDelay(true);
    const messages = new TurnMessages();
    // One that has ended stays so: what it carried is silent from then on.
    socket.on('error', () => socket.destroy());
    socket.on('data', (piece: Buffer) => {
      for (const message of messages.push(piece)) hand(message, this);
    });
  }

  get address(): AddressInfo {
    return this.socket.address() as AddressInfo;
  }

  get closed(): boolean {
    return this.socket.destroyed;
  }

  async send(message: Buffer): Promise<void> {
    this.put(message, Buffer.alloc(0));
  }

  put(header: Buffer, payload: Buffer): void {
    if (this.closed || this.socket.writableLength > waitingMaxBytes) return;
    this.socket.cork();
    this.socket.write(header);
    this.socket.write(payload);
    this.socket.write(paddingAfter(header.length + payload.length));
    this.socket.uncork();
  }

  async close(): Promise<void> {}

  end(): void {
    this.socket.destroy();
  }
}

function openTcp([host, port]: Address): Promise<Socket> {
  return connected(connectTcp({ host, port }), 'connect');
}

/** A certificate that nobody vouches for is taken by its key alone. */
async function openTls([host, port]: Address, name: string, trustedKey: string | undefined): Promise<TLSSocket> {
  const servername = isIP(name) === 0 ? { servername: name } : {};
  const byKey = trustedKey !== undefined;
  const socket = await connected(
    connectTls({ host, port, ...servername, rejectUnauthorized: !byKey }),
    'secureConnect',
  );
  if (!byKey) return socket;
  const key = socket.getPeerX509Certificate()?.publicKey;
  if (key && publicKeyDigest(key) === trustedKey) return socket;
  socket.destroy();
  throw new Error('its certificate has another key than the one of this run');
}

async function connected<S extends Socket>(socket: S, event: 'connect' | 'secureConnect'): Promise<S> {
  try {
    await once(socket, event, { signal: AbortSignal.timeout(connectWithinMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw error;
  }
}
