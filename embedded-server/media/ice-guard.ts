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

/** What of a werift ICE connection tells whose messages are signed. Remote ones are empty until the far end's description is known. */
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

/** A message of STUN begins with a byte below 4, one of DTLS with one of 20 to 63 (RFC 7983). */
export const stunBelow = 4;
const dtlsFrom = 20;
const dtlsBelow = 64;
/** A peer has a few addresses. Who repeats its checks from everywhere drives out none of them, and makes no work with more. */
const addressesMost = 64;

/**
 * Looks at what comes over a link before anything else does. Of STUN only checks with MESSAGE-INTEGRITY go on: requests with our password and both user
 * names, answers with the far end's to requests that we sent there (RFC 8445, 7.1 to 7.3; RFC 8489, 9.1). Of DTLS only what comes from where such a check came from.
 */
export class IceGuard {
  readonly #credentials: IceCredentials;
  readonly #isOwn: (datagram: Buffer, from: Address) => boolean;
  /** Where signed checks came from, and whether one of ours was answered there. */
  readonly #checked = new Map<string, boolean>();

  /** @param connection of werift, whose credentials are private @param isOwn whether this answers a check that did not go through werift */
  constructor(connection: object, isOwn: (datagram: Buffer, from: Address) => boolean = () => false) {
    this.#credentials = connection as IceCredentials;
    this.#isOwn = isOwn;
  }

  /** To be asked of everything that is no media. */
  letsIn(datagram: Buffer, from: Address, { transactions }: SentRequests): boolean {
    const [first = dtlsBelow] = datagram;
    if (first >= stunBelow) return first >= dtlsFrom && first < dtlsBelow && this.#checked.has(keyOf(from));
    const message = readSignedStun(datagram);
    if (!message) return false;
    if (message.type === bindingRequest) return this.#isAsked(datagram, message, from);
    if (message.type !== successResponse && message.type !== errorResponse) return false;
    return this.#isAnswered(datagram, message, from, transactions);
  }

  /** Whether what is sent there reaches the far end: a check of ours was answered from there. */
  reaches(to: Address): boolean {
    return this.#checked.get(keyOf(to)) === true;
  }

  #isAsked(datagram: Buffer, message: StunMessage, from: Address): boolean {
    const { localUsername, localPassword, remoteUsername } = this.#credentials;
    const expected = `${localUsername}:${remoteUsername}`;
    const isNamed = remoteUsername === '' ? message.userName?.startsWith(expected) : message.userName === expected;
    if (isNamed !== true || !isSignedWith(datagram, message, localPassword)) return false;
    return this.#isNoted(from, this.reaches(from));
  }

  #isAnswered(datagram: Buffer, message: StunMessage, from: Address, sent: SentRequests['transactions']): boolean {
    const transaction = datagram.toString('hex', transactionAt, headerBytes);
    const request = Object.hasOwn(sent, transaction) ? sent[transaction] : undefined;
    const isOurs = request ? isAt(from, request.addr) : this.#isOwn(datagram, from);
    const { remotePassword } = this.#credentials;
    if (!isOurs || remotePassword === '' || !isSignedWith(datagram, message, remotePassword)) return false;
    return this.#isNoted(from, true);
  }

  /** Where there are too many, one that was answered takes the place of one that was not. */
  #isNoted(from: Address, isReached: boolean): boolean {
    if (this.#checked.size >= addressesMost && !this.#checked.has(keyOf(from))) {
      const unreached = [...this.#checked].find(([, reached]) => !reached)?.[0];
      if (!isReached || unreached === undefined) return false;
      this.#checked.delete(unreached);
    }
    this.#checked.set(keyOf(from), isReached);
    return true;
  }
}

const keyOf = ({ address, port }: Address): string => `${address} ${port}`;

/** The zone of an address is of this host alone. */
export function isAt({ address, port }: Address, [host, hostPort]: readonly [string, number]): boolean {
  return port === hostPort && (address === host || address.split('%')[0] === host);
}
