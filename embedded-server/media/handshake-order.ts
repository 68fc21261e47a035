/** A handshake message of DTLS, or a piece of one (RFC 6347, 4.2.2), by the names that werift has for its fields. */
export interface HandshakePiece {
  readonly msg_type: number;
  /** Of the whole message, bytes. */
  readonly length: number;
  readonly message_seq: number;
  fragment_offset: number;
  fragment_length: number;
  fragment: Buffer;
}

/** What of a werift DTLS socket is needed here. */
export interface HandshakingDtls {
  handleFragmentHandshake(pieces: readonly HandshakePiece[]): readonly HandshakePiece[];
  onHandleHandshakes(messages: readonly HandshakePiece[]): Promise<void>;
  readonly onError: { execute(error: Error): void };
}

/** Messages that are further ahead come again when it is their turn; and longer ones are nobody's certificate. */
const aheadMax = 16;
const lengthMax = 65_536;

const clientHello = 1;
const serverHelloDone = 14;
const finished = 20;
/** Each ends a flight: who gets one again has to send again what it was answered with (RFC 6347, 4.2.4). */
const endsOfFlights = { server: [clientHello, finished], client: [serverHelloDone] };

/** Puts the far end's handshake messages in order, each once and whole (RFC 6347, 4.2.2). */
export class HandshakeOrder<Piece extends HandshakePiece> {
  readonly #asksAgain: readonly number[];
  readonly #ahead = new Map<number, Piece[]>();
  #next = 0;

  /** `role`: of the own side. */
  constructor(role: 'client' | 'server') {
    this.#asksAgain = endsOfFlights[role];
  }

  /** Returns the messages whose turn it is now; and the last one again when that asks for what answered it. */
  take(piece: Piece): readonly Piece[] {
    const { message_seq: nth, msg_type: type, length, fragment_offset: offset, fragment_length: bytes } = piece;
    if (nth < this.#next) {
      const isLast = nth === this.#next - 1 && bytes === length;
      return isLast && this.#asksAgain.includes(type) ? [piece] : [];
    }
    if (nth >= this.#next + aheadMax || length > lengthMax || offset + bytes > length) return [];
    const pieces = this.#ahead.get(nth);
    if (pieces) pieces.push(piece);
    else this.#ahead.set(nth, [piece]);
    return this.#due();
  }

  #due(): readonly Piece[] {
    const due: Piece[] = [];
    for (;;) {
      const message = wholeOf(this.#ahead.get(this.#next) ?? []);
      if (!message) return due;
      this.#ahead.delete(this.#next);
      this.#next += 1;
      due.push(message);
    }
  }
}

/** `undefined` while bytes are missing. Pieces may overlap: they are cut anew when they are sent again. */
function wholeOf<Piece extends HandshakePiece>(pieces: readonly Piece[]): Piece | undefined {
  const [first] = pieces;
  if (!first) return undefined;
  const alike = pieces.filter(({ msg_type, length }) => msg_type === first.msg_type && length === first.length);
  const whole = Buffer.alloc(first.length);
  let reach = 0;
  for (const { fragment_offset: offset, fragment } of alike.sort((a, b) => a.fragment_offset - b.fragment_offset)) {
    if (offset > reach) return undefined;
    fragment.copy(whole, offset);
    reach = Math.max(reach, offset + fragment.length);
  }
  if (reach < first.length) return undefined;
  return Object.assign(first, { fragment_offset: 0, fragment_length: whole.length, fragment: whole });
}

/**
 * Has a werift DTLS socket take handshake messages in their order, each once. By itself it takes them as datagrams come: of a
 * flight whose second message overtook the first, or whose first was lost, it made other keys than its far end, or gave up.
 */
export function orderHandshake(dtls: HandshakingDtls, role: 'client' | 'server'): void {
  const order = new HandshakeOrder(role);
  dtls.handleFragmentHandshake = (pieces) => {
    for (const message of pieces.flatMap((piece) => order.take(piece)))
      dtls.onHandleHandshakes([message]).catch((error: Error) => dtls.onError.execute(error));
    return [];
  };
}
