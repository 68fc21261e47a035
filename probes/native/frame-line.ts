import { noPlace, TemporalLayers } from './temporal-layers.js';

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
  /** Of the first packet of a frame that says it: where it stands among temporal layers (`readTemporalPlace`). */
  readonly place?: number | undefined;
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
const placed = 128;

/**
 * Puts packets together to frames by the rules of their codec, and gives frames out in order: a key frame at once, any
 * other one when all since the last key frame have come, as nothing could be decoded without them. Of temporal layers
 * what is missing is passed over once a frame that needs none of it is due. Packets are kept in columns and not as
 * objects: they live for long, and a process has the packets of a hundred streams.
 */
export class FrameLine {
  readonly #extended = new Uint32Array(memory).fill(nobody);
  readonly #timestamp = new Uint32Array(memory);
  readonly #said = new Uint8Array(memory);
  /** Of the first packet of a frame that is whole, the last one. */
  readonly #last = new Uint32Array(memory);
  /** Of the first packet of a frame; most streams have no layers. */
  #place: Uint16Array | undefined;
  readonly #layers = new TemporalLayers();
  /** Where the furthest frame that is whole begins. */
  #furthest = nobody;
  /** Where the first one begins that needs nothing of what is missing before it, and whether it must be looked for. */
  #free = nobody;
  #isChanged = false;
  readonly #onWhole: (frame: WholeFrame) => void;
  readonly #onDecodable: (frame: DecodableFrame) => void;
  readonly #isDue: (timestamp: number) => boolean;
  /** Where the next frame must begin; `undefined` before the first key frame. */
  #next: number | undefined;

  /** @param isDue asked of a whole frame that needs none of those missing before it: until then they may come */
  constructor(
    onWhole: (frame: WholeFrame) => void,
    onDecodable: (frame: DecodableFrame) => void,
    isDue: (timestamp: number) => boolean = () => true,
  ) {
    this.#onWhole = onWhole;
    this.#onDecodable = onDecodable;
    this.#isDue = isDue;
  }

  /** Packets before the next frame have no use any more. */
  take({ extended, timestamp, marker, starts, isKey, isEmpty, place }: FramePiece): void {
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
    if (place !== undefined) this.#putPlace(slot, place);
    if (!isEmpty) this.#complete(extended);
    // The frame behind it may have waited to know where it begins.
    if (this.#has(extended + 1) && !this.#says(extended + 1, empty | whole)) this.#complete(extended + 1);
    this.#giveOut();
  }

  /** What is due by now is not waited for any longer: to be called before what comes is taken. */
  passDue(): void {
    if (this.#free !== nobody) this.#giveOut();
  }

  /** Numbers have begun anew: nothing that is known fits what comes. */
  forget(): void {
    this.#extended.fill(nobody);
    this.#next = undefined;
    this.#furthest = nobody;
    this.#free = nobody;
    this.#layers.forget();
  }

  #putPlace(slot: number, place: number): void {
    this.#place ??= new Uint16Array(memory);
    this.#place[slot] = place;
    this.#said[slot] = (this.#said[slot] ?? 0) | placed;
  }

  /** Of the first packet of a frame. */
  #placeOf(extended: number): number {
    return this.#says(extended, placed) ? (this.#place?.[extended & (memory - 1)] ?? noPlace) : noPlace;
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
    this.#furthest = Math.max(this.#furthest, first);
    this.#note(first);
    this.#onWhole({ isKey, timestamp: this.#timestamp[slot] ?? 0 });
    const isAhead = this.#next === undefined || first >= this.#next;
    // What is older than a key frame is passed over: it needs none of it.
    if (isKey && isAhead) this.#next = first;
  }

  #note(first: number): void {
    const place = this.#placeOf(first);
    if (place === noPlace) return;
    this.#layers.note(place);
    if ((this.#free === nobody || first < this.#free) && this.#layers.isFree(place)) this.#free = first;
  }

  #giveOut(): void {
    while (this.#next !== undefined) {
      const at = this.#next;
      if (!this.#has(at) || !this.#says(at, empty | whole)) {
        if (!this.#passOver(at)) return;
      } else if (this.#says(at, empty)) this.#next = at + 1;
      else this.#give(at);
    }
  }

  #give(at: number): void {
    const endsBefore = (this.#last[at & (memory - 1)] ?? at) + 1;
    this.#next = endsBefore;
    this.#free = nobody;
    this.#isChanged = true;
    const isKey = this.#says(at, wholeKey);
    if (!this.#layers.take(this.#placeOf(at), isKey)) return;
    this.#onDecodable({ isKey, endsBefore, timestamp: this.#timestamp[at & (memory - 1)] ?? 0 });
  }

  /** Returns whether what is missing at `at`, and all up to a frame that is due and needs none of it, is given up. */
  #passOver(at: number): boolean {
    if (this.#place === undefined || this.#furthest <= at) return false;
    if (this.#isChanged) this.#free = this.#firstFree(at);
    this.#isChanged = false;
    const free = this.#free;
    if (free === nobody || !this.#has(free) || !this.#isDue(this.#timestamp[free & (memory - 1)] ?? 0)) return false;
    this.#layers.miss();
    this.#next = free;
    return true;
  }

  #firstFree(behind: number): number {
    for (let at = Math.max(behind + 1, this.#furthest - memory + 1); at <= this.#furthest; at += 1) {
      const place = this.#has(at) && this.#says(at, whole) ? this.#placeOf(at) : noPlace;
      if (place !== noPlace && this.#layers.isFree(place)) return at;
    }
    return nobody;
  }

  #isFirst(extended: number, timestamp: number): boolean {
    if (this.#says(extended, told)) return this.#says(extended, starting);
    // Of a stream that begins, the packet before the first key frame has never been there.
    if (!this.#has(extended - 1)) return this.#next === undefined && this.#says(extended, key);
    return !this.#isOf(extended - 1, timestamp) || this.#says(extended - 1, marked);
  }
}
