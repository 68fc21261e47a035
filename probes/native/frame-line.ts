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

interface WholeFrame {
  readonly isKey: boolean;
  readonly timestamp: number;
}

export interface DecodableFrame {
  readonly isKey: boolean;
  /** Where the next one must begin. */
  readonly endsBefore: number;
  readonly timestamp: number;
}

/** No packet has this place. */
const nobody = 0;
/** What is known of a packet, a bit each. */
const marked = 1;
const starting = 2;
/** Its codec says whether it starts a frame. */
const told = 4;
const key = 8;
const empty = 16;
/** Of the first packet of a frame that is whole: that it is, and whether it is a key frame. */
const whole = 32;
const wholeKey = 64;

/**
 * Puts packets together to frames by the rules of their codec, and gives frames out in order: a key frame at once, any
 * other one when all since the last key frame have come, as nothing could be decoded without them. Packets are kept in
 * columns and not as objects: they live for long, and a process has the packets of a hundred streams.
 */
export class FrameLine {
  readonly #extended = new Uint32Array(memory).fill(nobody);
  readonly #timestamp = new Uint32Array(memory);
  readonly #said = new Uint8Array(memory);
  /** Of the first packet of a frame that is whole, the last one. */
  readonly #last = new Uint32Array(memory);
  readonly #onWhole: (frame: WholeFrame) => void;
  readonly #onDecodable: (frame: DecodableFrame) => void;
  /** Where the next frame must begin; `undefined` before the first key frame. */
  #next: number | undefined;

  constructor(onWhole: (frame: WholeFrame) => void, onDecodable: (frame: DecodableFrame) => void) {
    this.#onWhole = onWhole;
    this.#onDecodable = onDecodable;
  }

  /** Packets before the next frame have no use any more. */
  take({ extended, timestamp, marker, starts, isKey, isEmpty }: FramePiece): void {
    if (this.#has(extended) || (this.#next !== undefined && extended < this.#next)) return;
    const slot = extended & (memory - 1);
    this.#extended[slot] = extended;
    this.#timestamp[slot] = timestamp;
    this.#said[slot] =
      (marker ? marked : 0) |
      (starts === undefined ? 0 : told) |
      (starts === true ? starting : 0) |
      (isKey ? key : 0) |
      (isEmpty ? empty : 0);
    if (!isEmpty) this.#complete(extended);
    // The frame behind it may have waited to know where it begins.
    if (this.#has(extended + 1) && !this.#says(extended + 1, empty | whole)) this.#complete(extended + 1);
    this.#giveOut();
  }

  /** Numbers have begun anew: nothing that is known fits what comes. */
  forget(): void {
    this.#extended.fill(nobody);
    this.#next = undefined;
  }

  #has(extended: number): boolean {
    return this.#extended[extended & (memory - 1)] === extended;
  }

  /** Any of these bits, of a packet that is there. */
  #says(extended: number, bits: number): boolean {
    return ((this.#said[extended & (memory - 1)] ?? 0) & bits) !== 0;
  }

  #isOf(extended: number, timestamp: number): boolean {
    return this.#has(extended) && this.#timestamp[extended & (memory - 1)] === timestamp;
  }

  /** Finds the packets of one timestamp, first to last without a gap; nothing while one is missing. */
  #complete(extended: number): void {
    const timestamp = this.#timestamp[extended & (memory - 1)] ?? 0;
    let isKey = this.#says(extended, key);
    let first = extended;
    while (!this.#isFirst(first, timestamp)) {
      first -= 1;
      if (!this.#isOf(first, timestamp)) return;
      isKey ||= this.#says(first, key);
    }
    let last = extended;
    while (!this.#says(last, marked)) {
      last += 1;
      if (!this.#isOf(last, timestamp)) return;
      isKey ||= this.#says(last, key);
    }
    if (!this.#says(first, whole)) this.#found(first, last, isKey);
  }

  #found(first: number, last: number, isKey: boolean): void {
    const slot = first & (memory - 1);
    this.#said[slot] = (this.#said[slot] ?? 0) | whole | (isKey ? wholeKey : 0);
    this.#last[slot] = last;
    this.#onWhole({ isKey, timestamp: this.#timestamp[slot] ?? 0 });
    const isAhead = this.#next === undefined || first >= this.#next;
    // What is older than a key frame is passed over: it needs none of it.
    if (isKey && isAhead) this.#next = first;
  }

  #giveOut(): void {
    while (this.#next !== undefined && this.#has(this.#next)) {
      const at = this.#next;
      if (this.#says(at, empty)) this.#next = at + 1;
      else if (!this.#says(at, whole)) return;
      else {
        const endsBefore = (this.#last[at & (memory - 1)] ?? at) + 1;
        this.#next = endsBefore;
        const timestamp = this.#timestamp[at & (memory - 1)] ?? 0;
        this.#onDecodable({ isKey: this.#says(at, wholeKey), endsBefore, timestamp });
      }
    }
  }

  #isFirst(extended: number, timestamp: number): boolean {
    if (this.#says(extended, told)) return this.#says(extended, starting);
    // Of a stream that begins, the packet before the first key frame has never been there.
    if (!this.#has(extended - 1)) return this.#next === undefined && this.#says(extended, key);
    return !this.#isOf(extended - 1, timestamp) || this.#says(extended - 1, marked);
  }
}
