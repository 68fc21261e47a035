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
/** Of all messages not whole yet or not in turn; a flight with a long certificate chain takes a tenth. */
const piecesMax = 64;
const bytesMax = 65_536;

const clientHello = 1;
const serverHelloDone = 14;
export const finished = 20;
/** Each ends a flight: who gets one again has to send again what it was answered with (RFC 6347, 4.2.4). */
const endsOfFlights = { server: [clientHello, finished], client: [serverHelloDone] };

type Role = keyof typeof endsOfFlights;

/**
 * By the last message, which may come next (RFC 5246, 7.3; RFC 6347, 4.2.1), as werift asks for cookies and
 * certificates, and for no tickets. Nobody may leave out what proves who it is, and nothing follows Finished.
 */
const followers: Readonly<Record<Role, Readonly<Record<number, readonly number[]>>>> = {
  client: { 0: [3, 2], 3: [2], 2: [11], 11: [12], 12: [13, 14], 13: [14], 14: [finished] },
  server: { 0: [1], 1: [1, 11], 11: [16], 16: [15], 15: [finished] },
};

/** What each role is ever sent: nothing else waits for its turn. */
const typesSent: Readonly<Record<Role, ReadonlySet<number>>> = {
  client: new Set(Object.values(followers.client).flat()),
  server: new Set(Object.values(followers.server).flat()),
};

/**
 * Puts the far end's handshake messages in order, each once and whole (RFC 6347, 4.2.2). A message out of turn has not
 * come, and takes nobody's number: it may be anybody's (RFC 6347, 4.1.2.7). Finished alone is enciphered, so that the
 * far end itself has left something out.
 */
export class HandshakeOrder {
  readonly #role: Role;
  readonly #ahead = new Map<number, HandshakePiece[]>();
  #last: HandshakePiece | undefined;
  /** The number of the message that comes next. */
  next = 0;

  /** `role`: of the own side. */
  constructor(role: Role) {
    this.#role = role;
  }

  /** Messages in turn; and the last one again if its answer is asked for. Throws for a Finished out of turn. */
  take(piece: HandshakePiece): readonly HandshakePiece[] {
    const { message_seq: nth, length, fragment_offset: offset, fragment_length: bytes } = piece;
    if (nth < this.next) {
      const last = this.#last;
      // As it was: nothing has proven what comes under its number.
      const isAgain = last?.message_seq === nth && isSame(last, piece) && last.fragment.equals(piece.fragment);
      return isAgain && endsOfFlights[this.#role].includes(last.msg_type) ? [last] : [];
    }
    const isEmpty = bytes === 0 && length > 0;
    if (nth >= this.next + aheadMax || length > bytesMax || offset + bytes > length || isEmpty) return [];
    if (!typesSent[this.#role].has(piece.msg_type)) return [];
    // Sent again, it is cut as it was.
    if (this.#ahead.get(nth)?.some((known) => isSame(known, piece)) || !this.#makesRoomFor(piece)) return [];
    // What it came in is let go of: a piece of some bytes may have come in a datagram of thousands.
    this.#ahead.set(nth, [...(this.#ahead.get(nth) ?? []), { ...piece, fragment: Buffer.from(piece.fragment) }]);
    return this.#due();
  }

  /** The message that is furthest ahead gives way first, and at last another one with the same number. */
  #makesRoomFor(piece: HandshakePiece): boolean {
    const { message_seq: nth, fragment_length: bytes } = piece;
    while (!this.#hasRoomFor(bytes)) {
      const furthest = Math.max(...[...this.#ahead].map(([seq, pieces]) => (pieces.length > 0 ? seq : -1)));
      const kept = this.#ahead.get(furthest) ?? [];
      const stays = furthest === nth ? kept.filter((one) => isOfOneMessage(one, piece)) : [];
      if (furthest < nth || stays.length === kept.length) return false;
      this.#ahead.set(furthest, stays);
    }
    return true;
  }

  #hasRoomFor(bytes: number): boolean {
    const kept = [...this.#ahead.values()].flat();
    return kept.length < piecesMax && kept.reduce((sum, { fragment }) => sum + fragment.length, bytes) <= bytesMax;
  }

  #due(): readonly HandshakePiece[] {
    const due: HandshakePiece[] = [];
    for (;;) {
      const pieces = (this.#ahead.get(this.next) ?? []).filter((piece) => this.#isInTurn(piece));
      this.#ahead.set(this.next, pieces);
      const message = wholeOf(pieces);
      if (!message) return due;
      this.#ahead.delete(this.next);
      this.next += 1;
      this.#last = message;
      due.push(message);
    }
  }

  #isInTurn({ msg_type: type }: HandshakePiece): boolean {
    const isInTurn = followers[this.#role][this.#last?.msg_type ?? 0]?.includes(type) === true;
    if (!isInTurn && type === finished) throw new Error(`a DTLS message out of turn (${type})`);
    return isInTurn;
  }
}

function isOfOneMessage(one: HandshakePiece, other: HandshakePiece): boolean {
  return one.msg_type === other.msg_type && one.length === other.length;
}

function isSame(one: HandshakePiece, other: HandshakePiece): boolean {
  const isCutAlike = one.fragment_offset === other.fragment_offset && one.fragment_length === other.fragment_length;
  return isCutAlike && isOfOneMessage(one, other);
}

/** Of one number: pieces that are of another message stand in nobody's way. */
function wholeOf(pieces: readonly HandshakePiece[]): HandshakePiece | undefined {
  for (const [nth, first] of pieces.entries()) {
    const alike = pieces.filter((piece) => isOfOneMessage(piece, first));
    const whole = alike[0] === pieces[nth] ? joined(first, alike) : undefined;
    if (whole) return whole;
  }
  return undefined;
}

/** `undefined` while bytes are missing. Pieces may overlap: they may be cut anew when they are sent again. */
function joined(first: HandshakePiece, pieces: readonly HandshakePiece[]): HandshakePiece | undefined {
  if (pieces.reduce((sum, { fragment }) => sum + fragment.length, 0) < first.length) return undefined;
  const whole = Buffer.alloc(first.length);
  let reach = 0;
  for (const { fragment_offset: offset, fragment } of pieces.toSorted(
    (a, b) => a.fragment_offset - b.fragment_offset,
  )) {
    if (offset > reach) return undefined;
    fragment.copy(whole, offset);
    reach = Math.max(reach, offset + fragment.length);
  }
  if (reach < first.length) return undefined;
  return { ...first, fragment_offset: 0, fragment_length: whole.length, fragment: whole };
}
