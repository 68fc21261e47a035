/** A handshake message of DTLS, or a piece of one (RFC 6347, 4.2.2), by the names that werift has for its fields. */
export interface HandshakePiece {
  readonly msg_type: number;
  /** Of the whole message, bytes. */
  readonly length: number;
  readonly message_seq: number;
  readonly fragment_offset: number;
  readonly fragment_length: number;
  readonly fragment: Buffer;
}

/** Messages that are further ahead come again when it is their turn. */
const aheadMax = 16;
/** Of all messages that are not whole yet or whose turn it is not; a flight with a long chain of certificates takes a tenth. */
const piecesMax = 64;
const bytesMax = 65_536;

const clientHello = 1;
const serverHelloDone = 14;
const finished = 20;
/** Each ends a flight: who gets one again has to send again what it was answered with (RFC 6347, 4.2.4). */
const endsOfFlights = { server: [clientHello, finished], client: [serverHelloDone] };

/** Puts the far end's handshake messages in order, each once and whole (RFC 6347, 4.2.2). */
export class HandshakeOrder {
  readonly #asksAgain: readonly number[];
  readonly #ahead = new Map<number, HandshakePiece[]>();
  #last: HandshakePiece | undefined;
  /** The number of the message that comes next. */
  next = 0;

  /** `role`: of the own side. */
  constructor(role: 'client' | 'server') {
    this.#asksAgain = endsOfFlights[role];
  }

  /** Returns the messages whose turn it is now; and the last one again when that asks for what answered it. */
  take(piece: HandshakePiece): readonly HandshakePiece[] {
    const { message_seq: nth, length, fragment_offset: offset, fragment_length: bytes } = piece;
    if (nth < this.next) {
      const last = this.#last;
      // As it was: nothing has proven what comes under its number.
      const isAgain = last?.message_seq === nth && last.msg_type === piece.msg_type && isSame(last, piece);
      return isAgain && this.#asksAgain.includes(last.msg_type) && last.fragment.equals(piece.fragment) ? [last] : [];
    }
    const isEmpty = bytes === 0 && length > 0;
    if (nth >= this.next + aheadMax || length > bytesMax || offset + bytes > length || isEmpty) return [];
    const pieces = this.#ahead.get(nth) ?? [];
    // Sent again, it is cut as it was.
    if (pieces.some((known) => isSame(known, piece)) || !this.#hasRoomFor(bytes)) return [];
    // What it came in is let go of: a piece of some bytes may have come in a datagram of thousands.
    this.#ahead.set(nth, [...pieces, { ...piece, fragment: Buffer.from(piece.fragment) }]);
    return this.#due();
  }

  #hasRoomFor(bytes: number): boolean {
    const kept = [...this.#ahead.values()].flat();
    return kept.length < piecesMax && kept.reduce((sum, { fragment }) => sum + fragment.length, bytes) <= bytesMax;
  }

  #due(): readonly HandshakePiece[] {
    const due: HandshakePiece[] = [];
    for (;;) {
      const message = wholeOf(this.#ahead.get(this.next) ?? []);
      if (!message) return due;
      this.#ahead.delete(this.next);
      this.next += 1;
      this.#last = message;
      due.push(message);
    }
  }
}

function isSame(one: HandshakePiece, other: HandshakePiece): boolean {
  return one.fragment_offset === other.fragment_offset && one.fragment_length === other.fragment_length;
}

/** `undefined` while bytes are missing. Pieces may overlap: they may be cut anew when they are sent again. */
function wholeOf(pieces: readonly HandshakePiece[]): HandshakePiece | undefined {
  const [first] = pieces;
  if (!first) return undefined;
  const alike = pieces.filter(({ msg_type, length }) => msg_type === first.msg_type && length === first.length);
  if (alike.reduce((sum, { fragment }) => sum + fragment.length, 0) < first.length) return undefined;
  const whole = Buffer.alloc(first.length);
  let reach = 0;
  for (const { fragment_offset: offset, fragment } of alike.sort((a, b) => a.fragment_offset - b.fragment_offset)) {
    if (offset > reach) return undefined;
    fragment.copy(whole, offset);
    reach = Math.max(reach, offset + fragment.length);
  }
  if (reach < first.length) return undefined;
  return { ...first, fragment_offset: 0, fragment_length: whole.length, fragment: whole };
}
