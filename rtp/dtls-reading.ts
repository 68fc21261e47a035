import { finished, HandshakeOrder, type HandshakePiece } from './handshake-order.js';
import { HandshakeProofs, type ProvenDtls } from './handshake-proofs.js';

/** A record as werift deciphers it. */
interface Record {
  readonly recordLayerHeader: {
    readonly contentType: number;
    readonly protocolVersion: { readonly major: number; readonly minor: number };
    readonly epoch: number;
    readonly sequenceNumber: number;
    readonly contentLen: number;
  };
  readonly fragment: Buffer;
}

/** What of a werift DTLS socket is needed here. */
export interface HandshakingDtls extends ProvenDtls {
  readonly transport: { readonly socket: { onData: (datagram: Buffer) => void } };
  readonly cipher: ProvenDtls['cipher'] & { decryptPacket(record: Record): Buffer };
  onHandleHandshakes(messages: readonly HandshakePiece[]): Promise<void>;
  readonly onError: { execute(error: Error): void };
}

type DataHearer = (data: Buffer) => void;

// RFC 6347, 4.1 and 4.2.2.
const recordHeaderBytes = 13;
const handshakeHeaderBytes = 12;
const handshakeType = 22;
const dataType = 23;
const versions = [0xfefd, 0xfeff];
/** An explicit nonce before, and a tag behind (RFC 5288, 3). */
const sealBytes = 24;
/** A flight is of seven messages, and fits into a few datagrams. */
const recordsMax = 32;
const piecesMax = 64;

/** A whole message, with what werift keeps of it for what both ends make of all of them. */
class HandshakeMessage implements HandshakePiece {
  readonly fragment_offset = 0;
  readonly fragment_length: number;
  readonly length: number;

  constructor(
    readonly msg_type: number,
    readonly message_seq: number,
    readonly fragment: Buffer,
  ) {
    this.fragment_length = fragment.length;
    this.length = fragment.length;
  }

  get summary(): string {
    return `handshake message ${this.msg_type}`;
  }

  serialize(): Buffer {
    const header = Buffer.alloc(handshakeHeaderBytes);
    header.writeUInt8(this.msg_type, 0);
    header.writeUIntBE(this.length, 1, 3);
    header.writeUInt16BE(this.message_seq, 4);
    header.writeUIntBE(this.length, 9, 3);
    return Buffer.concat([header, this.fragment]);
  }
}

/**
 * Reads for a werift DTLS socket what comes, and gives it handshake messages alone: in their order, each once and
 * whole, and each after what it proves was checked. By itself werift takes messages as datagrams come, and believes all
 * of them. Alerts are not read: who is gone is seen by its checks. Data is what data channels carry.
 */
export class DtlsReading {
  readonly #dtls: HandshakingDtls;
  readonly #order: HandshakeOrder;
  readonly #proofs: HandshakeProofs;
  readonly #hearer: DataHearer | undefined;
  #isRefused = false;

  /** `role`: of the own side. */
  constructor(dtls: HandshakingDtls, role: 'client' | 'server', hearer?: DataHearer) {
    this.#dtls = dtls;
    this.#hearer = hearer;
    this.#order = new HandshakeOrder(role);
    this.#proofs = new HandshakeProofs(dtls, role);
  }

  readonly read = (datagram: Buffer): void => {
    let piecesLeft = piecesMax;
    for (const record of recordsOf(datagram)) {
      if (record.recordLayerHeader.contentType === dataType) {
        this.#hearData(record);
        continue;
      }
      for (const piece of piecesOf(this.#plain(record))) {
        if (this.#isRefused || piecesLeft === 0) return;
        piecesLeft -= 1;
        // Finished is enciphered, and nothing else is: a Finished that is not could be anybody's.
        if ((piece.msg_type === finished) === record.recordLayerHeader.epoch > 0) this.#take(piece);
      }
    }
  };

  /** Before the handshake is over nothing is enciphered, and so nothing is data. */
  #hearData(record: Record): void {
    const hear = this.#hearer;
    if (!hear || record.recordLayerHeader.epoch === 0 || this.#isRefused) return;
    const data = this.#plain(record);
    if (data.length > 0) hear(data);
  }

  /** What cannot be deciphered has not come. */
  #plain(record: Record): Buffer {
    const { epoch } = record.recordLayerHeader;
    if (epoch === 0) return record.fragment;
    try {
      if (epoch === 1 && record.fragment.length > sealBytes) return this.#dtls.cipher.decryptPacket(record);
    } catch {
      // There is no key yet, or it is of another.
    }
    return Buffer.alloc(0);
  }

  #take(piece: HandshakePiece): void {
    const first = this.#order.next;
    try {
      for (const { msg_type, message_seq, fragment } of this.#order.take(piece)) {
        const message = new HandshakeMessage(msg_type, message_seq, fragment);
        if (message_seq >= first) this.#proofs.check(message);
        this.#dtls.onHandleHandshakes([message]).catch((error: Error) => this.#refuse(error));
      }
    } catch (error) {
      this.#refuse(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #refuse(error: Error): void {
    this.#isRefused = true;
    this.#dtls.onError.execute(error);
  }
}

/** Those of handshakes and of data. */
function* recordsOf(datagram: Buffer): Generator<Record> {
  let at = 0;
  for (let nth = 0; nth < recordsMax && at + recordHeaderBytes <= datagram.length; nth += 1) {
    const contentLen = datagram.readUInt16BE(at + 11);
    const end = at + recordHeaderBytes + contentLen;
    if (end > datagram.length) return;
    const contentType = datagram[at];
    if (
      (contentType === handshakeType || contentType === dataType) &&
      versions.includes(datagram.readUInt16BE(at + 1))
    ) {
      yield {
        recordLayerHeader: {
          contentType,
          protocolVersion: { major: datagram.readUInt8(at + 1), minor: datagram.readUInt8(at + 2) },
          epoch: datagram.readUInt16BE(at + 3),
          sequenceNumber: datagram.readUIntBE(at + 5, 6),
          contentLen,
        },
        fragment: datagram.subarray(at + recordHeaderBytes, end),
      };
    }
    at = end;
  }
}

/** A record may have several, one behind the other. */
function* piecesOf(bytes: Buffer): Generator<HandshakePiece> {
  let at = 0;
  while (at + handshakeHeaderBytes <= bytes.length) {
    const fragment_length = bytes.readUIntBE(at + 9, 3);
    const start = at + handshakeHeaderBytes;
    const end = start + fragment_length;
    if (end > bytes.length) return;
    yield {
      msg_type: bytes.readUInt8(at),
      length: bytes.readUIntBE(at + 1, 3),
      message_seq: bytes.readUInt16BE(at + 4),
      fragment_offset: bytes.readUIntBE(at + 6, 3),
      fragment_length,
      fragment: bytes.subarray(start, end),
    };
    at = end;
  }
}

/** Puts it in place of werift's own reading. */
export function readHandshake(dtls: HandshakingDtls, role: 'client' | 'server', hearer: DataHearer): void {
  dtls.transport.socket.onData = new DtlsReading(dtls, role, hearer).read;
}
