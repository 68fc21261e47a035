import { RTCDtlsTransport } from 'werift';
import { type HandshakingDtls, readHandshake } from './dtls-reading.js';
import { type DtlsParts, numberFinishedAnew } from './finished-again.js';
import type { IceGuard } from './ice-guard.js';
import { sendWholeFlights } from './whole-flights.js';

/**
 * werift's DTLS over networks that lose datagrams and change their order, with peers that may be somebody else, and
 * without its RTP reader: packets are read by the link, which needs no object per header field.
 */
export class KeyedDtlsTransport extends RTCDtlsTransport {
  #refusals = 0;
  /** Takes what data channels carry; absent: a server that opens some is told that there are none. */
  onData: ((data: Buffer) => void) | undefined;

  override startSrtp(): void {
    if (this.srtpStarted) return;
    this.srtpStarted = true;
    this.updateSrtpSession();
  }

  override start(): Promise<void> {
    const started = super.start();
    // It is made at once, and sends nothing before the next turn.
    const { dtls } = this;
    if (dtls) prepare(dtls as unknown as DtlsParts & HandshakingDtls, this.role === 'client', this.#hear);
    return started;
  }

  /** Who is refused does not go on to ask. */
  readonly #hear = (data: Buffer): void => {
    if (this.onData) {
      this.onData(data);
      return;
    }
    const refusal = this.#refusals < refusalsMost ? refusalOf(data) : undefined;
    if (!refusal) return;
    this.#refusals += 1;
    this.sendData(refusal).catch(() => undefined);
  };

  /** Starts, and reads what `guard` lets in. */
  startBehind(guard: IceGuard): Promise<void> {
    const started = this.start();
    const dtls = this.dtls as unknown as HandshakingDtls | undefined;
    if (dtls) guard.startDtls((datagram) => dtls.transport.socket.onData(datagram));
    return started;
  }

  /**
   * Tells the other end that this one closes, as browsers do (close_notify, RFC 5246, 7.2.1). Nothing is sent after it.
   * Never rejects.
   */
  async sayClosed(): Promise<void> {
    const dtls = this.dtls as unknown as ClosingDtls | undefined;
    if (!dtls || !this.srtpStarted) return;
    const { cipher } = dtls;
    const encrypt = cipher.encryptPacket.bind(cipher);
    // werift sends application data alone: as it does, with another type.
    cipher.encryptPacket = (record) => {
      record.recordLayerHeader.contentType = alertType;
      return encrypt(record);
    };
    await dtls.send(closeNotify).catch(() => undefined);
  }
}

/** A request for an association is said again when its refusal is lost (RFC 9260, 5.1). */
const refusalsMost = 8;

const alertType = 21;
/** A warning; of closing. */
const closeNotify = Buffer.from([1, 0]);

interface ClosingDtls {
  readonly cipher: {
    encryptPacket(record: { readonly recordLayerHeader: { contentType: number } }): unknown;
  };
  send(data: Buffer): Promise<void>;
}

function prepare(dtls: DtlsParts & HandshakingDtls, isClient: boolean, onData: (data: Buffer) => void): void {
  sendWholeFlights(dtls.transport);
  readHandshake(dtls, isClient ? 'client' : 'server', onData);
  if (isClient) numberFinishedAnew(dtls);
}

// RFC 9260, 3.1, 3.3.2 and 3.3.7.
const headerBytes = 12;
const initType = 1;
const initTagAt = headerBytes + 4;
const abortType = 6;
const abortBytes = 4;

/** The answer to the first packet of an association, so that nobody waits for one (ABORT); undefined for any other. */
export function refusalOf(packet: Buffer): Buffer | undefined {
  if (packet.length < initTagAt + 4 || packet[headerBytes] !== initType) return undefined;
  const refusal = Buffer.alloc(headerBytes + abortBytes);
  packet.copy(refusal, 0, 2, 4);
  packet.copy(refusal, 2, 0, 2);
  packet.copy(refusal, 4, initTagAt, initTagAt + 4);
  refusal.writeUInt8(abortType, headerBytes);
  refusal.writeUInt16BE(abortBytes, headerBytes + 2);
  refusal.writeUInt32LE(checksum(refusal), 8);
  return refusal;
}

/** CRC32c of a packet whose own is still 0 (RFC 9260, appendix A). */
function checksum(packet: Buffer): number {
  let crc = ~0;
  for (const byte of packet) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  return ~crc >>> 0;
}
