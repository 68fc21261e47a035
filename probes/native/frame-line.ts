/** Packets that are remembered while their frames are not whole, a power of two: some 20 s of our video. */
const memory = 2048;

/** What a packet says of the frame that it is of. */
export interface FramePiece {
  /** On a line that does not wrap. */
  readonly extended: number;
  readonly timestamp: number;
  /** The last packet of its frame (RFC 7741, 4.1; RFC 6184, 5.1). */
  readonly marker: boolean;
  /** `true`: the first packet of its frame; `undefined`: its codec does not say, and the packet before it does. */
  readonly starts: boolean | undefined;
  readonly isKey: boolean;
  /** Nothing but padding. */
  readonly isEmpty: boolean;
}

export interface WholeFrame {
  readonly isKey: boolean;
}

interface FrameEnds extends WholeFrame {
  readonly first: number;
  readonly last: number;
}

interface Slot extends FramePiece {
  /** Of the first packet of a frame that is whole. */
  whole?: FrameEnds;
}

/**
 * Puts packets together to frames by the rules of their codec, and gives frames out in order: a key frame at once, any other one when all since
 * the last key frame have come, as nothing could be decoded without them.
 */
export class FrameLine {
  readonly #slots: (Slot | undefined)[] = new Array<Slot | undefined>(memory);
  readonly #onWhole: (frame: WholeFrame) => void;
  readonly #onDecodable: (frame: WholeFrame) => void;
  /** Where the next frame must begin; `undefined` before the first key frame. */
  #next: number | undefined;

  constructor(onWhole: (frame: WholeFrame) => void, onDecodable: (frame: WholeFrame) => void) {
    this.#onWhole = onWhole;
    this.#onDecodable = onDecodable;
  }

  /** Packets before the next frame have no use any more. */
  take(piece: FramePiece): void {
    const { extended } = piece;
    if (this.#at(extended) || (this.#next !== undefined && extended < this.#next)) return;
    this.#slots[extended & (memory - 1)] = { ...piece };
    if (!piece.isEmpty) this.#complete(extended);
    // The frame behind it may have waited to know where it begins.
    const behind = this.#at(extended + 1);
    if (behind && !behind.isEmpty && !behind.whole) this.#complete(extended + 1);
    this.#giveOut();
  }

  /** Numbers have begun anew: nothing that is known fits what comes. */
  forget(): void {
    this.#slots.fill(undefined);
    this.#next = undefined;
  }

  #at(extended: number): Slot | undefined {
    const slot = this.#slots[extended & (memory - 1)];
    return slot?.extended === extended ? slot : undefined;
  }

  #complete(extended: number): void {
    const frame = this.#frameAround(extended);
    if (!frame) return;
    const first = this.#at(frame.first);
    if (!first || first.whole) return;
    first.whole = frame;
    this.#onWhole(frame);
    const isAhead = this.#next === undefined || frame.first >= this.#next;
    if (!frame.isKey || !isAhead) return;
    // What is older is passed over: this frame needs none of it.
    if (this.#next !== frame.first) this.#next = frame.first;
  }

  #giveOut(): void {
    while (this.#next !== undefined) {
      const slot = this.#at(this.#next);
      if (slot?.isEmpty) this.#next += 1;
      else if (!slot?.whole) return;
      else {
        this.#next = slot.whole.last + 1;
        this.#onDecodable(slot.whole);
      }
    }
  }

  /** The packets of one timestamp without a gap from the first one of the frame to the last; `undefined` while one is missing. */
  #frameAround(extended: number): FrameEnds | undefined {
    const own = this.#at(extended);
    if (!own) return undefined;
    let isKey = own.isKey;
    let first = extended;
    while (!this.#isFirst(first, own.timestamp)) {
      first -= 1;
      const slot = this.#at(first);
      if (slot?.timestamp !== own.timestamp) return undefined;
      isKey ||= slot.isKey;
    }
    let last = extended;
    for (let slot: Slot | undefined = own; !slot.marker; ) {
      last += 1;
      slot = this.#at(last);
      if (slot?.timestamp !== own.timestamp) return undefined;
      isKey ||= slot.isKey;
    }
    return { first, last, isKey };
  }

  #isFirst(extended: number, timestamp: number): boolean {
    const slot = this.#at(extended);
    if (slot?.starts !== undefined) return slot.starts;
    const before = this.#at(extended - 1);
    // Of a stream that begins, the packet before the first key frame has never been there.
    return before ? before.timestamp !== timestamp || before.marker : this.#next === undefined && slot?.isKey === true;
  }
}
