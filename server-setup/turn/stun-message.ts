import { createHash, createHmac } from 'node:crypto';

/** As much of STUN (RFC 8489) and TURN (RFC 8656) as it takes to ask a server whether it is there and gives a relay. */
export interface StunMessage {
  readonly type: number;
  /** 12 bytes. */
  readonly transaction: Buffer;
  readonly attributes: readonly StunAttribute[];
}

export interface StunAttribute {
  readonly type: number;
  readonly value: Buffer;
}

export const stunTypes = { binding: 0x0001, allocate: 0x0003, refresh: 0x0004 } as const;
export const stunAttributes = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  xorRelayedAddress: 0x0016,
  requestedTransport: 0x0019,
  software: 0x8022,
} as const;

const stunHeaderBytes = 20;
const magicCookie = 0x2112a442;
const successBits = 0x0100;
const errorBits = 0x0110;
const integrityBytes = 20;

/** With a key, MESSAGE-INTEGRITY is added over all that comes before it (RFC 8489, 14.5). */
export function encodeStun({ type, transaction, attributes }: StunMessage, key?: Buffer): Buffer {
  const body = Buffer.concat(attributes.map(encodeAttribute));
  const integrityLength = key ? 4 + integrityBytes : 0;
  const message = Buffer.concat([header(type, transaction, body.length + integrityLength), body]);
  if (!key) return message;
  const value = createHmac('sha1', key).update(message).digest();
  return Buffer.concat([message, encodeAttribute({ type: stunAttributes.messageIntegrity, value })]);
}

/** `undefined` for what is no whole STUN message. */
export function decodeStun(bytes: Buffer): StunMessage | undefined {
  const length = stunLength(bytes);
  if (length === undefined || bytes.length < length || bytes.readUInt32BE(4) !== magicCookie) return undefined;
  const attributes: StunAttribute[] = [];
  for (let at = stunHeaderBytes; at + 4 <= length; ) {
    const size = bytes.readUInt16BE(at + 2);
    if (at + 4 + size > length) return undefined;
    attributes.push({ type: bytes.readUInt16BE(at), value: bytes.subarray(at + 4, at + 4 + size) });
    at += 4 + padded(size);
  }
  return { type: bytes.readUInt16BE(0), transaction: bytes.subarray(8, stunHeaderBytes), attributes };
}

/** How long the message that begins here is; `undefined` while its header has not come. */
export function stunLength(bytes: Buffer): number | undefined {
  return bytes.length < 4 ? undefined : stunHeaderBytes + bytes.readUInt16BE(2);
}

export function isAnswerTo(request: StunMessage, answer: StunMessage): boolean {
  const { success, error } = { success: request.type | successBits, error: request.type | errorBits };
  return (answer.type === success || answer.type === error) && answer.transaction.equals(request.transaction);
}

export function attributeOf(message: StunMessage, type: number): Buffer | undefined {
  return message.attributes.find((one) => one.type === type)?.value;
}

/** The server's refusal, such as 401 Unauthorized; `undefined` when it agreed. */
export function refusalIn(message: StunMessage): { readonly code: number; readonly reason: string } | undefined {
  if ((message.type & errorBits) !== errorBits) return undefined;
  const value = attributeOf(message, stunAttributes.errorCode) ?? Buffer.alloc(4);
  return { code: (value[2] ?? 0) * 100 + (value[3] ?? 0), reason: value.subarray(4).toString('utf8') };
}

/** RFC 8489, 9.2.2: what long-term credentials sign with. MD5 is the standard's choice. */
export function longTermKey(username: string, realm: string, password: string): Buffer {
  return createHash('md5').update(`${username}:${realm}:${password}`).digest();
}

function header(type: number, transaction: Buffer, length: number): Buffer {
  const bytes = Buffer.alloc(stunHeaderBytes);
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(length, 2);
  bytes.writeUInt32BE(magicCookie, 4);
  transaction.copy(bytes, 8);
  return bytes;
}

function encodeAttribute({ type, value }: StunAttribute): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length));
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, 4);
  return bytes;
}

const padded = (size: number): number => Math.ceil(size / 4) * 4;
