import { randomFillSync } from 'node:crypto';
import { type Address, isAt } from './ice-guard.js';
import { type BuiltMessage, SignedMessage } from './signed-message.js';
import { errorResponse, headerBytes, successResponse, transactionAt } from './stun-message.js';

/** What of a werift ICE connection makes a check. */
export interface Checking {
  readonly localUsername: string;
  readonly remoteUsername: string;
  readonly remotePassword: string;
  readonly iceControlling: boolean;
  buildRequest(of: {
    readonly nominate: boolean;
    readonly localUsername: string;
    readonly remoteUsername: string;
    readonly iceControlling: boolean;
  }): BuiltMessage;
}

interface CheckedPair {
  readonly protocol: object;
  readonly remoteAddr: readonly [string, number];
}

interface CheckedProtocol {
  sendData(bytes: Buffer, address: readonly [string, number]): Promise<void>;
}

/** Two checks without an answer, and nothing else heard meanwhile either: then the way to the server is gone. */
const silentMs = 5_500;

/**
 * Whether the way to the server works, and its round trip. Each connectivity check is sent once: werift's own
 * transactions send again after 50 ms, and over a longer way nobody knows then which of them was answered. A check
 * after the first differs from it in its transaction alone, and is made from its bytes.
 */
export class PathChecks {
  readonly #connection: Checking;
  #request: Request | undefined;
  #sentAtMs = 0;
  #isOpen = false;
  #heardAtMs = 0;
  /** Of the last check that was answered on this pair, milliseconds. */
  roundTripMs: number | undefined;

  constructor(connection: Checking) {
    this.#connection = connection;
  }

  /** To be told of each datagram of the server's, and of nobody else's; `atMs` by `performance.now()`. */
  onHeard(atMs: number): void {
    this.#heardAtMs = atMs;
  }

  get isSilent(): boolean {
    return performance.now() - this.#heardAtMs > silentMs;
  }

  /** Sends a check; answers to the last one are then too late. `leavesAtMs`: by `performance.now()`. */
  check(pair: CheckedPair, leavesAtMs: number): void {
    const isSame = this.#request?.pair === pair && this.#request.iceControlling === this.#connection.iceControlling;
    const request = isSame && this.#request ? this.#request : new Request(this.#connection, pair);
    this.#request = request;
    this.#sentAtMs = leavesAtMs;
    this.#isOpen = true;
    const { sendData } = pair.protocol as CheckedProtocol;
    sendData.call(pair.protocol, request.renewed(), pair.remoteAddr).catch(() => undefined);
  }

  /** Whether it answers the last check, from where that was sent, if it is signed rightly. */
  readonly isAwaited = (datagram: Buffer, from: Address): boolean =>
    this.#isOpen && this.#request?.isAnsweredBy(datagram) === true && isAt(from, this.#request.pair.remoteAddr);

  /** For each admitted non-media datagram: returns whether it answers the last check, which came at this time. */
  readonly isAnswer = (datagram: Buffer, atMs: number): boolean => {
    if (!this.#isOpen || !this.#request?.isAnsweredBy(datagram)) return false;
    this.#isOpen = false;
    this.roundTripMs = Math.max(0, atMs - this.#sentAtMs);
    return true;
  };
}

/** A Binding request. */
class Request {
  readonly pair: CheckedPair;
  readonly iceControlling: boolean;
  readonly #message: SignedMessage;

  constructor(connection: Checking, pair: CheckedPair) {
    const { localUsername, remoteUsername, remotePassword, iceControlling } = connection;
    const built = connection.buildRequest({ nominate: false, localUsername, remoteUsername, iceControlling });
    this.#message = SignedMessage.of(built, remotePassword);
    this.pair = pair;
    this.iceControlling = iceControlling;
  }

  /** With another transaction than the one before. */
  renewed(): Buffer {
    const { bytes } = this.#message;
    randomFillSync(bytes, transactionAt, headerBytes - transactionAt);
    return this.#message.signed(bytes);
  }

  isAnsweredBy(datagram: Buffer): boolean {
    if (datagram.length < headerBytes) return false;
    const type = datagram.readUInt16BE(0);
    if (type !== successResponse && type !== errorResponse) return false;
    return this.#message.bytes.compare(datagram, transactionAt, headerBytes, transactionAt, headerBytes) === 0;
  }
}
