import { classes, Message, methods, parseMessage } from 'werift';
import { isSigned, SignedMessage } from './signed-message.js';
import { bindingRequest, headerBytes } from './stun-message.js';
import type { MediaAddress } from './udp-hook.js';

/** What of a werift ICE connection answers a check. */
export interface Answering {
  readonly localPassword: string;
  readonly iceControlling: boolean;
}

interface Known {
  readonly from: MediaAddress;
  readonly iceControlling: boolean;
  readonly request: SignedMessage;
  readonly answer: SignedMessage;
}

/**
 * Answers the connectivity checks of the server's, which are the same every few seconds but for their transaction.
 * werift answers the first one, and all that differ in more than that, or come from elsewhere; it takes apart and puts
 * together each anew, which costs as much as some twenty packets of media.
 */
export class PathAnswers {
  readonly #connection: Answering;
  readonly #send: (answer: Buffer, to: MediaAddress) => void;
  #known: Known | undefined;

  /** @param send of bytes that the next answer is written over */
  constructor(connection: Answering, send: (answer: Buffer, to: MediaAddress) => void) {
    this.#connection = connection;
    this.#send = send;
  }

  /** To be asked of what is no media, once the link is up: whether it was answered. */
  isAnswered(datagram: Buffer, from: MediaAddress): boolean {
    if (datagram.length < headerBytes || datagram.readUInt16BE(0) !== bindingRequest) return false;
    const known = this.#known;
    if (known && isFrom(known.from, from) && known.iceControlling === this.#connection.iceControlling) {
      // An authentic one is what the one before would be with this transaction.
      if (known.request.bytes.length === datagram.length && known.request.signed(datagram).equals(datagram)) {
        this.#send(known.answer.signed(datagram), from);
        return true;
      }
    }
    this.#known = this.#toBeKnown(datagram, from) ?? known;
    return false;
  }

  #toBeKnown(datagram: Buffer, from: MediaAddress): Known | undefined {
    const { localPassword, iceControlling } = this.#connection;
    // An address of IPv6 is written in an answer with the transaction in it.
    if (from.address.includes(':') || !isSigned(datagram)) return undefined;
    const request = parseMessage(Buffer.from(datagram), Buffer.from(localPassword, 'utf8'));
    const conflict = iceControlling ? 'ICE-CONTROLLING' : 'ICE-CONTROLLED';
    if (!request || request.attributesKeys.includes(conflict)) return undefined;
    const answer = new Message(methods.BINDING, classes.RESPONSE, request.transactionId);
    answer.setAttribute('XOR-MAPPED-ADDRESS', [from.address, from.port]);
    return {
      from,
      iceControlling,
      request: new SignedMessage(Buffer.from(datagram), localPassword),
      answer: SignedMessage.of(answer, localPassword),
    };
  }
}

function isFrom(one: MediaAddress, other: MediaAddress): boolean {
  return one.outlet === other.outlet && one.port === other.port && one.address === other.address;
}
