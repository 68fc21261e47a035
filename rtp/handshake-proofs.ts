import { createHash, createHmac, type KeyObject, timingSafeEqual, verify, X509Certificate } from 'node:crypto';
import { finished } from './handshake-order.js';

/** What of a werift DTLS socket proves who is at the other end. */
export interface ProvenDtls {
  readonly dtls: { readonly sortedHandshakeCache: readonly { serialize(): Buffer }[] };
  readonly cipher: { readonly masterSecret?: Buffer; readonly localRandom?: { serialize(): Buffer } };
}

type Role = 'client' | 'server';

const serverHello = 2;
const certificate = 11;
const serverKeyExchange = 12;
const certificateVerify = 15;

const randomBytes = 32;
const verifyDataBytes = 12;
/** Those that werift offers are of SHA-256; whoever has stronger ones is as good (RFC 5246, 7.4.1.4.1). */
const hashes: Readonly<Record<number, string>> = { 4: 'sha256', 5: 'sha384', 6: 'sha512' };
const keyTypes: Readonly<Record<number, string>> = { 1: 'rsa', 3: 'ec' };

/**
 * What werift leaves out of a DTLS handshake, without which anybody can take part who knows the far end's certificate:
 * that the owner of its key has signed, and that both ends have seen the same messages. To be given each message of the
 * far end's before werift has it.
 */
export class HandshakeProofs {
  readonly #dtls: ProvenDtls;
  readonly #role: Role;
  #serverRandom: Buffer = Buffer.alloc(0);
  #key: KeyObject | undefined;

  /** `role`: of the own side. */
  constructor(dtls: ProvenDtls, role: Role) {
    this.#dtls = dtls;
    this.#role = role;
  }

  /** Throws where it proves something else than it should. */
  check({ msg_type: type, fragment }: { readonly msg_type: number; readonly fragment: Buffer }): void {
    if (type === serverHello) this.#serverRandom = fragment.subarray(2, 2 + randomBytes);
    else if (type === certificate) this.#key = publicKeyOf(fragment);
    else if (type === serverKeyExchange) this.#checkKeyExchange(fragment);
    else if (type === certificateVerify) this.#checkSignature(this.#transcript, fragment, 'CertificateVerify');
    else if (type === finished) this.#checkFinished(fragment);
  }

  /** All that both have sent, up to now. */
  get #transcript(): Buffer {
    return Buffer.concat(this.#dtls.dtls.sortedHandshakeCache.map((message) => message.serialize()));
  }

  /** Signed are both randoms and the raw parameters (RFC 8422, 5.4): curve type, curve, and the key with its length. */
  #checkKeyExchange(message: Buffer): void {
    const paramsEnd = 4 + (message[3] ?? 0);
    const clientRandom = this.#dtls.cipher.localRandom?.serialize() ?? Buffer.alloc(0);
    const signed = Buffer.concat([clientRandom, this.#serverRandom, message.subarray(0, paramsEnd)]);
    this.#checkSignature(signed, message.subarray(paramsEnd), 'ServerKeyExchange');
  }

  /** @param proof the algorithm of hash and signature, and the signature behind its length */
  #checkSignature(signed: Buffer, proof: Buffer, name: string): void {
    const hash = hashes[proof[0] ?? 0];
    const isWhole = proof.length > 4 && proof.readUInt16BE(2) === proof.length - 4;
    const isOfKey = this.#key !== undefined && this.#key.asymmetricKeyType === keyTypes[proof[1] ?? 0];
    if (hash && isWhole && isOfKey && this.#key && verify(hash, signed, this.#key, proof.subarray(4))) return;
    throw new Error(`the signature of DTLS's ${name} is not of the far end's certificate`);
  }

  /** Made of the master secret and of all messages (RFC 5246, 7.4.9). */
  #checkFinished(verifyData: Buffer): void {
    const label = this.#role === 'client' ? 'server finished' : 'client finished';
    const hash = createHash('sha256').update(this.#transcript).digest();
    const seed = Buffer.concat([Buffer.from(label), hash]);
    const secret = this.#dtls.cipher.masterSecret ?? Buffer.alloc(0);
    const hmac = (data: Buffer): Buffer => createHmac('sha256', secret).update(data).digest();
    const expected = hmac(Buffer.concat([hmac(seed), seed])).subarray(0, verifyDataBytes);
    if (secret.length > 0 && verifyData.length === verifyDataBytes && timingSafeEqual(expected, verifyData)) return;
    throw new Error("the far end's DTLS Finished is of another handshake");
  }
}

/** Of the first certificate of the list, which is the sender's own (RFC 5246, 7.4.2). */
function publicKeyOf(message: Buffer): KeyObject {
  const start = 6;
  const bytes = message.length > start ? message.readUIntBE(3, 3) : 0;
  if (bytes === 0 || start + bytes > message.length) throw new Error('the far end has no DTLS certificate');
  return new X509Certificate(message.subarray(start, start + bytes)).publicKey;
}
