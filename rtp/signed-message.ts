import { createHmac } from 'node:crypto';
import {
  fingerprint,
  fingerprintBytes,
  fingerprintOf,
  headerBytes,
  integrityBytes,
  messageIntegrity,
  transactionAt,
} from './stun-message.js';

/** As werift builds it. */
export interface BuiltMessage {
  addMessageIntegrity(key: Buffer): unknown;
  addFingerprint(): unknown;
  readonly bytes: Buffer;
}

/** A STUN message reused with new transactions, with MESSAGE-INTEGRITY and FINGERPRINT at its end. */
export class SignedMessage {
  /** Written over by the next one. */
  readonly bytes: Buffer;
  readonly #key: Buffer;
  readonly #integrityAt: number;
  readonly #fingerprintAt: number;

  /** Throws where its end is another. @param bytes of a message that has both, kept */
  constructor(bytes: Buffer, password: string) {
    if (!isSigned(bytes)) throw new Error('a STUN message does not end as it should');
    this.bytes = bytes;
    this.#key = Buffer.from(password, 'utf8');
    this.#fingerprintAt = bytes.length - fingerprintBytes;
    this.#integrityAt = this.#fingerprintAt - integrityBytes;
  }

  /** What werift builds has neither yet. */
  static of(built: BuiltMessage, password: string): SignedMessage {
    built.addMessageIntegrity(Buffer.from(password, 'utf8'));
    built.addFingerprint();
    return new SignedMessage(built.bytes, password);
  }

  /** With this transaction. @param transaction a message that has it, too, or its own bytes */
  signed(transaction: Buffer): Buffer {
    const { bytes } = this;
    if (transaction !== bytes) transaction.copy(bytes, transactionAt, transactionAt, headerBytes);
    // What is authenticated says that the message ends behind MESSAGE-INTEGRITY.
    bytes.writeUInt16BE(this.#integrityAt + integrityBytes - headerBytes, 2);
    const digest = createHmac('sha1', this.#key).update(bytes.subarray(0, this.#integrityAt)).digest();
    digest.copy(bytes, this.#integrityAt + 4);
    bytes.writeUInt16BE(bytes.length - headerBytes, 2);
    bytes.writeUInt32BE(fingerprintOf(bytes, this.#fingerprintAt), this.#fingerprintAt + 4);
    return bytes;
  }
}

/** Whether both stand where they belong; whether they are right is not looked at. */
export function isSigned(bytes: Buffer): boolean {
  const fingerprintAt = bytes.length - fingerprintBytes;
  const integrityAt = fingerprintAt - integrityBytes;
  if (integrityAt < headerBytes) return false;
  return bytes.readUInt16BE(integrityAt) === messageIntegrity && bytes.readUInt16BE(fingerprintAt) === fingerprint;
}
