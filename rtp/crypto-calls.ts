import { type ForeignCall, type ForeignMemory, foreignCalls } from '../host/foreign-calls.js';
import { once } from '../host/once.js';

/**
 * The functions of OpenSSL's libcrypto by which packets are enciphered and authenticated, as Node itself carries it.
 * Node's own way to them makes objects, and copies what they give; called as they are, they take a third of that.
 */
export interface CryptoCalls {
  /** Of SHA-1 (sha(3)), on a state of `shaStateBytes`. */
  readonly shaInit: ForeignCall;
  readonly shaUpdate: ForeignCall;
  readonly cipherNew: ForeignCall;
  readonly cipherFree: ForeignCall;
  readonly cipherInit: ForeignCall;
  readonly cipherUpdate: ForeignCall;
  /** AES of 128 bits, block by block and in counter mode (EVP_aes_128_ctr(3)). */
  readonly blocks: number;
  readonly counter: number;
  memory(bytes: number): ForeignMemory;
  areWhole(): boolean;
}

/** `SHA_CTX`: five words of state, two of length, a block, and how much of it is filled (openssl/sha.h). */
export const shaStateBytes = 96;

/** What is needed beside the functions and once for all who call them: memory of C is never given back. */
export function besideCalls<Made>(make: (calls: CryptoCalls) => Made): (calls: CryptoCalls) => Made {
  const made = new WeakMap<CryptoCalls, Made>();
  return (calls) => {
    const one = made.get(calls) ?? make(calls);
    made.set(calls, one);
    return one;
  };
}

/** `undefined` where this Node has them not, or nothing can call them. */
export const cryptoCalls = once(load);

function load(): CryptoCalls | undefined {
  const calls = foreignCalls();
  if (!calls) return undefined;
  const { bind } = calls;
  try {
    return {
      shaInit: bind('int SHA1_Init(uint64_t)'),
      shaUpdate: bind('int SHA1_Update(uint64_t, uint64_t, uint64_t)'),
      cipherNew: bind('uint64_t EVP_CIPHER_CTX_new()'),
      cipherFree: bind('void EVP_CIPHER_CTX_free(uint64_t)'),
      cipherInit: bind('int EVP_EncryptInit_ex(uint64_t, uint64_t, uint64_t, uint64_t, uint64_t)'),
      cipherUpdate: bind('int EVP_EncryptUpdate(uint64_t, uint64_t, uint64_t, uint64_t, int)'),
      blocks: bind('uint64_t EVP_aes_128_ecb()')(),
      counter: bind('uint64_t EVP_aes_128_ctr()')(),
      memory: calls.memory,
      areWhole: calls.areWhole,
    };
  } catch {
    return undefined;
  }
}
