import { createHmac, timingSafeEqual } from 'node:crypto';
import { crc32 } from 'node:zlib';

// RFC 8489, 5, 14.3, 14.5 and 14.7.
export const headerBytes = 20;
export const transactionAt = 8;
const magicCookie = 0x2112a442;
const attributeHeaderBytes = 4;
const userName = 0x0006;
export const messageIntegrity = 0x0008;
export const integrityBytes = 24;
export const fingerprint = 0x8028;
export const fingerprintBytes = 8;
const fingerprintMask = 0x5354554e;

export const bindingRequest = 0x0001;
export const successResponse = 0x0101;
export const errorResponse = 0x0111;

/** What of a STUN message is read before anybody believes it. */
export interface StunMessage {
  readonly type: number;
  readonly userName: string | undefined;
  /** Where MESSAGE-INTEGRITY stands; what is behind it is a FINGERPRINT or nothing, as nothing vouches for that. */
  readonly integrityAt: number;
}

/**
 * Reads a message that is signed, whether rightly or not; `undefined` of any other, and where a FINGERPRINT is wrong.
 * Each byte is looked at once or twice.
 */
export function readSignedStun(bytes: Buffer): StunMessage | undefined {
  if (bytes.length < headerBytes + integrityBytes || bytes.readUInt16BE(2) !== bytes.length - headerBytes)
    return undefined;
  if (bytes.readUInt32BE(4) !== magicCookie) return undefined;
  let named: string | undefined;
  let at = headerBytes;
  while (at + attributeHeaderBytes <= bytes.length) {
    const type = bytes.readUInt16BE(at);
    const length = bytes.readUInt16BE(at + 2);
    const next = at + attributeHeaderBytes + 4 * Math.ceil(length / 4);
    if (next > bytes.length) return undefined;
    if (type === messageIntegrity) {
      const isWhole = next === at + integrityBytes && isEnded(bytes, next);
      return isWhole ? { type: bytes.readUInt16BE(0), userName: named, integrityAt: at } : undefined;
    }
    if (type === userName) {
      // Of two, another reader might take the other.
      if (named !== undefined) return undefined;
      named = bytes.toString('utf8', at + attributeHeaderBytes, at + attributeHeaderBytes + length);
    }
    at = next;
  }
  return undefined;
}

function isEnded(bytes: Buffer, at: number): boolean {
  if (at === bytes.length) return true;
  if (at + fingerprintBytes !== bytes.length || bytes.readUInt16BE(at) !== fingerprint) return false;
  return bytes.readUInt16BE(at + 2) === 4 && bytes.readUInt32BE(at + 4) === fingerprintOf(bytes, at);
}

/** Of what stands before it. */
export function fingerprintOf(bytes: Buffer, at: number): number {
  return (crc32(bytes.subarray(0, at)) ^ fingerprintMask) >>> 0;
}

/** Whether its MESSAGE-INTEGRITY is of this password. */
export function isSignedWith(bytes: Buffer, { integrityAt }: StunMessage, password: string): boolean {
  // What is signed says that the message ends behind it.
  const head = Buffer.from(bytes.subarray(0, headerBytes));
  head.writeUInt16BE(integrityAt + integrityBytes - headerBytes, 2);
  const digest = createHmac('sha1', password).update(head).update(bytes.subarray(headerBytes, integrityAt)).digest();
  return timingSafeEqual(digest, bytes.subarray(integrityAt + attributeHeaderBytes, integrityAt + integrityBytes));
}
