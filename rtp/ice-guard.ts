import {
  bindingRequest,
  errorResponse,
  headerBytes,
  isSignedWith,
  readSignedStun,
  type StunMessage,
  successResponse,
  transactionAt,
} from './stun-message.js';

/** What tells whose messages a werift ICE connection signs. Remote ones are empty until the peer's description. */
interface IceCredentials {
  readonly localUsername: string;
  readonly localPassword: string;
  readonly remoteUsername: string;
  readonly remotePassword: string;
}

/** Requests of werift that are not answered yet, by their transactions. */
export interface SentRequests {
  readonly transactions: Readonly<Record<string, { readonly addr: readonly [string, number] } | undefined>>;
}

export interface Address {
  readonly address: string;
  readonly port: number;
}

interface IceGuardOptions {
  /** Whether this answers a check that did not go through werift. */
  readonly isOwn?: (datagram: Buffer, from: Address) => boolean;
  /** Signed checks from other addresses are not answered; absent: all are. */
  readonly allowed?: AllowedAddresses | undefined;
}

/** Where something may be sent. */
export interface AllowedAddresses {
  permits(address: string): boolean;
  /** Called with an address that is not permitted, and that the far end seems to want. */
  onForbidden(address: string): void;
}

/** A message of STUN begins with a byte below 4, one of DTLS with one of 20 to 63 (RFC 7983). */
const stunBelow = 4;
const dtlsFrom = 20;
const dtlsBelow = 64;
/** A peer has a few addresses. Repeating checks from everywhere drives none of them out, and adds no work. */
const addressesMost = 64;
/** Requests whose source is remembered. Each has its own transaction (RFC 8489, 5), resent from the same address. */
const requestsMost = 64;
/** A peer may begin DTLS before answering our check. A first flight is one datagram of 1,500 bytes; this fits two. */
const earlyMost = 4;
const earlyBytesMost = 2048;

/** An address that signed checks came from. */
interface Checked {
  /** A check of ours was answered there. */
  isReached: boolean;
  /** DTLS that came before it could be read. */
  early: Buffer[];
}

/**
 * Looks at what comes over a link before anything else does. Of STUN only checks with MESSAGE-INTEGRITY go on: requests
 * with our password and both user names, answers with the far end's to requests that we sent there (RFC 8445, 7.1 to
 * 7.3; RFC 8489, 9.1). DTLS is read only of addresses where a check of ours was answered, as anybody may repeat a check
 * of the far end's. What came from there before that waits.
 */
export class IceGuard {
  readonly #credentials: IceCredentials;
  readonly #options: IceGuardOptions;
  readonly #checked = new Map<string, Checked>();
  /** Sources of the latest signed requests, by transaction. */
  readonly #sources = new Map<string, string>();
  #readDtls: ((datagram: Buffer) => void) | undefined;

  /** @param connection of werift, whose credentials are private */
  constructor(connection: object, options: IceGuardOptions = {}) {
    this.#credentials = connection as IceCredentials;
    this.#options = options;
  }

  /** Begins with what has waited. DTLS may start a while after the first check was answered. */
  startDtls(read: (datagram: Buffer) => void): void {
    this.#readDtls = read;
    for (const checked of this.#checked.values()) this.#readEarly(checked);
  }

  /** To be asked of everything that is no media: whether it is STUN that somebody may read. DTLS goes its own way. */
  letsIn(datagram: Buffer, from: Address, { transactions }: SentRequests): boolean {
    const [first = dtlsBelow] = datagram;
    if (first >= stunBelow) {
      if (first >= dtlsFrom && first < dtlsBelow) this.#onDtls(datagram, this.#checked.get(keyOf(from)));
      return false;
    }
    const message = readSignedStun(datagram);
    if (!message) return false;
    if (message.type === bindingRequest) return this.#isAsked(datagram, message, from);
    if (message.type !== successResponse && message.type !== errorResponse) return false;
    return this.#isAnswered(datagram, message, from, transactions);
  }

  /** Whether what is sent there reaches the far end: a check of ours was answered from there. */
  reaches(to: Address): boolean {
    return this.#checked.get(keyOf(to))?.isReached === true;
  }

  /** The memory of a datagram may be written over afterwards. */
  #onDtls(datagram: Buffer, checked: Checked | undefined): void {
    if (checked?.isReached && this.#readDtls) this.#readDtls(Buffer.from(datagram));
    else if (checked && checked.early.length < earlyMost && datagram.length <= earlyBytesMost)
      checked.early.push(Buffer.from(datagram));
  }

  #readEarly(checked: Checked): void {
    if (!checked.isReached || !this.#readDtls) return;
    const { early } = checked;
    checked.early = [];
    for (const datagram of early) this.#readDtls(datagram);
  }

  #isAsked(datagram: Buffer, message: StunMessage, from: Address): boolean {
    const { localUsername, localPassword, remoteUsername } = this.#credentials;
    const expected = `${localUsername}:${remoteUsername}`;
    const isNamed = remoteUsername === '' ? message.userName?.startsWith(expected) : message.userName === expected;
    if (isNamed !== true || !isSignedWith(datagram, message, localPassword)) return false;
    return this.#isFirstSource(datagram, from) && this.permits(from.address) && this.#isNoted(from, false);
  }

  /** Anybody on the path can send a request again, from any address. The first one has it. */
  #isFirstSource(datagram: Buffer, from: Address): boolean {
    const transaction = datagram.toString('hex', transactionAt, headerBytes);
    const source = this.#sources.get(transaction);
    if (source !== undefined) return source === keyOf(from);
    if (this.#sources.size >= requestsMost) this.#sources.delete(this.#sources.keys().next().value ?? '');
    this.#sources.set(transaction, keyOf(from));
    return true;
  }

  /**
   * Whether something may be sent there. An address that is wanted and forbidden is told; where the far end is reached,
   * it wants no other.
   */
  permits(address: string): boolean {
    const { allowed } = this.#options;
    if (!allowed || allowed.permits(address)) return true;
    if (![...this.#checked.values()].some(({ isReached }) => isReached)) allowed.onForbidden(address);
    return false;
  }

  #isAnswered(datagram: Buffer, message: StunMessage, from: Address, sent: SentRequests['transactions']): boolean {
    const transaction = datagram.toString('hex', transactionAt, headerBytes);
    const request = Object.hasOwn(sent, transaction) ? sent[transaction] : undefined;
    const isOurs = request ? isAt(from, request.addr) : this.#options.isOwn?.(datagram, from) === true;
    const { remotePassword } = this.#credentials;
    if (!isOurs || remotePassword === '' || !isSignedWith(datagram, message, remotePassword)) return false;
    return this.#isNoted(from, true);
  }

  /** Where there are too many, one that was answered takes the place of one that was not. */
  #isNoted(from: Address, isAnswer: boolean): boolean {
    const known = this.#checked.get(keyOf(from));
    if (!known && this.#checked.size >= addressesMost) {
      const unreached = [...this.#checked].find(([, { isReached }]) => !isReached)?.[0];
      if (!isAnswer || unreached === undefined) return false;
      this.#checked.delete(unreached);
    }
    const checked = known ?? { isReached: false, early: [] };
    this.#checked.set(keyOf(from), checked);
    checked.isReached ||= isAnswer;
    this.#readEarly(checked);
    return true;
  }
}

const keyOf = ({ address, port }: Address): string => `${address} ${port}`;

/** The zone of an address is of this host alone. */
export function isAt({ address, port }: Address, [host, hostPort]: readonly [string, number]): boolean {
  return port === hostPort && (address === host || address.split('%')[0] === host);
}
