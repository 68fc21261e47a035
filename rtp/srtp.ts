import { ProtectionProfileAes128CmHmacSha1_80, RtpHeader, type SrtcpSession, type SrtpSession } from 'werift';
import { CounterModeProtection, keysOf } from './counter-mode.js';
import { CounterModeControlProtection, CounterModeControlReading, controlKeysOf } from './counter-mode-control.js';
import { CounterModeReading } from './counter-mode-reading.js';
import { type OutgoingPacket, payloadOf } from './outgoing-packet.js';
import { PacketIndexes, rolloverOf } from './packet-indexes.js';
import { writeRtpHeader } from './rtp.js';

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

/** RTP of one endpoint, both ways. */
interface RtpProtection {
  protect(packet: OutgoingPacket): Buffer;
  /** Throws, or tells nothing, when the packet is not authentic. The datagram may be changed. */
  unprotect(datagram: Buffer): Buffer | undefined;
}

/** RTCP of one endpoint, both ways. */
interface RtcpProtection {
  protect(compound: Buffer): Buffer;
  /** As of RTP. */
  unprotect(datagram: Buffer): Buffer | undefined;
}

/** SRTP and SRTCP of one endpoint: in counter mode by ciphers that last, under another profile by werift's. */
export class SrtpTransform {
  readonly #rtp: RtpProtection;
  readonly #rtcp: RtcpProtection;

  constructor(srtp: SrtpSession, srtcp: SrtcpSession) {
    this.#rtp = counterMode(srtp) ?? weriftsCipher(srtp);
    this.#rtcp = counterModeControl(srtcp) ?? weriftsControl(srtcp);
  }

  /** The datagram may be in memory that the next one, of whatever session, is written over. */
  protect(packet: OutgoingPacket): Buffer {
    return this.#rtp.protect(packet);
  }

  /** Throws, or tells nothing, when the packet is not authentic. The datagram may be changed. */
  unprotect(datagram: Buffer): Buffer | undefined {
    return this.#rtp.unprotect(datagram);
  }

  /** As `protect`. */
  protectRtcp(compound: Buffer): Buffer {
    return this.#rtcp.protect(compound);
  }

  /** As `unprotect`. */
  unprotectRtcp(datagram: Buffer): Buffer | undefined {
    return this.#rtcp.unprotect(datagram);
  }
}

/** `undefined` where the browser chose another profile. */
function counterMode({ localContext, remoteContext }: SrtpSession): RtpProtection | undefined {
  if (localContext.profile !== ProtectionProfileAes128CmHmacSha1_80) return undefined;
  const sending = new CounterModeProtection(keysOf(localContext));
  const reading = new CounterModeReading(keysOf(remoteContext));
  return {
    protect: (packet) => sending.protect(packet),
    unprotect: (datagram) => reading.read(datagram),
  };
}

function counterModeControl({ localContext, remoteContext }: SrtcpSession): RtcpProtection | undefined {
  if (localContext.profile !== ProtectionProfileAes128CmHmacSha1_80) return undefined;
  const sending = new CounterModeControlProtection(controlKeysOf(localContext));
  const reading = new CounterModeControlReading(controlKeysOf(remoteContext));
  return {
    protect: (compound) => sending.protect(compound),
    unprotect: (datagram) => reading.read(datagram),
  };
}

/** Under AEAD_AES_128_GCM a packet ends with its index (RFC 7714, 9.3). */
function weriftsControl(srtcp: SrtcpSession): RtcpProtection {
  const indexes = new PacketIndexes();
  return {
    protect: (compound) => srtcp.encrypt(compound),
    unprotect: (datagram) => {
      const ssrc = datagram.readUInt32BE(4);
      const index = datagram.readUInt32BE(datagram.length - 4) & 0x7fffffff;
      if (!indexes.isNew(ssrc, index)) return undefined;
      const compound = srtcp.decrypt(datagram);
      indexes.passed(ssrc, index);
      return compound;
    },
  };
}

/** Our own rollover counter: werift's loses a stream for good after 100 packets lost at the wrap. */
function weriftsCipher({ localContext, remoteContext }: SrtpSession): RtpProtection {
  const indexes = new PacketIndexes();
  return {
    protect: (packet) => {
      const { ssrc, sequenceNumber } = packet.header;
      const header = new WrittenHeader(writeRtpHeader(packet.header), ssrc, sequenceNumber);
      return localContext.cipher.encryptRtp(header, payloadOf(packet), packet.rollover);
    },
    unprotect: (datagram) => {
      const ssrc = datagram.readUInt32BE(8);
      const index = indexes.of(ssrc, datagram.readUInt16BE(2));
      if (!indexes.isNew(ssrc, index)) return undefined;
      const [packet] = remoteContext.cipher.decryptRtp(datagram, rolloverOf(index));
      indexes.passed(ssrc, index);
      return packet;
    },
  };
}
