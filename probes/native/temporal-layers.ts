/** Of a frame that says nothing of layers, and before there is one that does. */
export const noPlace = -1;

const layerOf = (place: number): number => place >> 9;
const syncs = (place: number): boolean => (place & 0x100) !== 0;
const baseOf = (place: number): number => place & 0xff;

/**
 * Which frames of one stream can be decoded where others are missing, by what their senders say (RFC 7741, 4.2), as
 * libwebrtc takes it (RtpVp8RefFinder). One of layer 0 needs the one of layer 0 before it. Another one needs that alone
 * where it has Y, else the last ones of its layer and of those below, and that none is missing behind any of these.
 * `place`: as `readTemporalPlace` has it.
 */
export class TemporalLayers {
  /** Of the last one of layer 0, on a line that does not wrap. */
  #base = Number.NaN;
  /** On the same line, about where those are that come now. */
  #latest = 256;
  /** A bit for each layer: something is missing behind its last frame. */
  #broken = 0;

  /** A frame with a place is whole: to be told of each. */
  note(place: number): void {
    this.#latest = this.#lineOf(place);
  }

  #lineOf(place: number): number {
    return this.#latest + (((baseOf(place) - this.#latest) << 24) >> 24);
  }

  /** Whether it needs none of what is missing right before it; of one that has a place. */
  isFree(place: number): boolean {
    const base = this.#lineOf(place);
    return layerOf(place) === 0 ? base === this.#base + 1 : syncs(place) && base === this.#base;
  }

  /** What stands next will not come. */
  miss(): void {
    this.#broken = 0b1111;
  }

  /** The next one: returns whether it can be decoded. While none was missing all can, whatever a server left out. */
  take(place: number, isKey: boolean): boolean {
    const layer = place === noPlace ? 0 : layerOf(place);
    if (isKey || place === noPlace) this.#broken = 0;
    else if (layer > 0 && !syncs(place) && (this.#broken & ((2 << layer) - 1)) !== 0) {
      this.miss();
      return false;
    }
    this.#broken &= ~(1 << layer);
    if (layer === 0) this.#base = place === noPlace ? Number.NaN : this.#lineOf(place);
    return true;
  }

  forget(): void {
    this.#base = Number.NaN;
    this.#broken = 0;
  }
}
