import { ProtectionProfileAes128CmHmacSha1_80, RtpHeader, type SrtcpSession, type SrtpSession } from 'werift';
import { CounterModeProtection } from './counter-mode.js';
import { sequenceDistance } from './rtp.js';

/** Hands werift's cipher a header that is written already. */
class WrittenHeader extends RtpHeader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, ssrc: number, sequenceNumber: number) {
    super();
    this.#bytes = bytes;
    this.ssrc = ssrc;
    this.sequenceNumber = sequenceNumber;
  }

  override get serializeSize(): number {
    return this.#bytes.length;
  }

  override serialize(): Buffer<ArrayBuffer> {
    return this.#bytes as Buffer<ArrayBuffer>;
  }
}

/**
 * SRTP and SRTCP of one endpoint, with werift's ciphers, but for RTP that goes out in counter mode. The rollover counter is
 * kept here, by RFC 3711 3.3.1: werift's own loses a stream for good when more than 100 packets are lost where the sequence
 * number wraps.
 */
export class SrtpTransform {
  readonly #srtp: SrtpSession;
  readonly #srtcp: SrtcpSession;
  readonly #counterMode: CounterModeProtection | undefined;
  /** Highest packet index (rollover counter × 65536 + sequence number) by SSRC. */
  readonly #highest = new Map<number, number>();

  constructor(srtp: SrtpSession, srtcp: SrtcpSession) {
    this.#srtp = srtp;
    this.#srtcp = srtcp;
    this.#counterMode = counterModeOf(srtp);
  }

  /** `header` is the written RTP header; the other arguments repeat what it says. */
  protect(header: Buffer, payload: Buffer, ssrc: number, sequenceNumber: number, rollover: number): Buffer {
    if (this.#counterMode) return this.#counterMode.protect(header, payload, ssrc, sequenceNumber, rollover);
    const written = new WrittenHeader(header, ssrc, sequenceNumber);
    return this.#srtp.localContext.cipher.encryptRtp(written, payload, rollover);
  }

  /** Throws when the packet is not authentic. */
  unprotect(datagram: Buffer): Buffer {
    const sequenceNumber = datagram.readUInt16BE(2);
    const ssrc = datagram.readUInt32BE(8);
    const known = this.#highest.get(ssrc);
    const distance = known === undefined ? 0 : sequenceDistance(known & 0xffff, sequenceNumber);
    const extended = known === undefined ? sequenceNumber : known + distance;
    const rollover = Math.max(0, Math.floor(extended / 65_536));
    const [packet] = this.#srtp.remoteContext.cipher.decryptRtp(datagram, rollover);
    // Only an authentic packet may move the counter.
    if (known === undefined || distance > 0) this.#highest.set(ssrc, extended);
    return packet;
  }

  protectRtcp(compound: Buffer): Buffer {
    return this.#srtcp.encrypt(compound);
  }

  /** Throws when the packet is not authentic. */
  unprotectRtcp(datagram: Buffer): Buffer {
    return this.#srtcp.decrypt(datagram);
  }
}

/** `undefined` where the browser chose another profile. */
function counterModeOf({ localContext }: SrtpSession): CounterModeProtection | undefined {
  if (localContext.profile !== ProtectionProfileAes128CmHmacSha1_80) return undefined;
  const { srtpSessionKey: key, srtpSessionSalt: salt, srtpSessionAuthTag: authKey } = localContext;
  return new CounterModeProtection({ key, salt, authKey });
}
