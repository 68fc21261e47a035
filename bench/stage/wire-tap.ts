import { Socket } from 'node:dgram';

/** What probes sent of one RTP stream, as it arrived at the server; SRTP leaves headers readable (RFC 3711, 3.1). */
export interface TappedStream {
  readonly payloadType: number;
  /** Of each packet, in the order they came: bytes of the UDP payload. */
  readonly sizes: number[];
  readonly atMs: number[];
}

export interface WireTap {
  readonly rtp: ReadonlyMap<number, TappedStream>;
  rtcpPackets(): number;
  rtcpBytes(): number;
  /** Forgets what came until now. */
  restart(): void;
  close(): void;
}

/** Listens to every datagram that sockets of this process receive. For benches: the server does not know. */
export function tapSockets(): WireTap {
  const rtp = new Map<number, TappedStream>();
  let [packets, bytes] = [0, 0];
  const original = Socket.prototype.emit;
  const tapped = function (this: Socket, event: string | symbol, ...rest: unknown[]): boolean {
    const [datagram] = rest;
    if (event === 'message' && datagram instanceof Buffer) hear(datagram);
    return Reflect.apply(original, this, [event, ...rest]) as boolean;
  };
  Socket.prototype.emit = tapped as typeof original;
  function hear(datagram: Buffer): void {
    const [first = 0, second = 0] = datagram;
    if (first < 128 || first > 191 || datagram.length < 12) return;
    // RFC 5761, 4: payload types 64 to 95 with the marker bit are RTCP.
    if (second >= 192 && second <= 223) {
      packets += 1;
      bytes += datagram.length;
      return;
    }
    const ssrc = datagram.readUInt32BE(8);
    const stream = rtp.get(ssrc) ?? { payloadType: second & 127, sizes: [], atMs: [] };
    stream.sizes.push(datagram.length);
    stream.atMs.push(performance.now());
    rtp.set(ssrc, stream);
  }
  return {
    rtp,
    rtcpPackets: () => packets,
    rtcpBytes: () => bytes,
    restart() {
      rtp.clear();
      [packets, bytes] = [0, 0];
    },
    close() {
      Socket.prototype.emit = original;
    },
  };
}
