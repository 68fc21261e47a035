import type { MediaKind } from '../../model/scenario.js';
import type { LeavingPacket } from '../../rtp/outgoing-packet.js';
import { type Marking, markBytes, writeMark } from '../page/frame-mark.js';

/** Marks may be this share of a stream. With one on each picture, a layer of 80 kbit/s would grow by 7 %. */
const mostOfPictures = 0.015;

/** Writes the marks of one sent stream. */
export class StreamMarks {
  readonly #mark = new Uint8Array(markBytes);
  /** Written into for each packet. */
  readonly #written: Marking & { takenUs: number };
  /** So many bytes must have been sent before a picture gets longer again. */
  #nextAt = 0;

  constructor(
    private readonly kind: MediaKind,
    marking: Marking,
  ) {
    this.#written = { ...marking, takenUs: 0 };
  }

  /** @param at where in the body, or behind it @param atMs when the frame was taken @param sent bytes so far */
  put(outgoing: LeavingPacket, at: number, atMs: number, sent: number): void {
    const isBehind = at === outgoing.body.length;
    if (isBehind && this.kind === 'video' && sent < this.#nextAt) return;
    this.#nextAt = sent + markBytes / mostOfPictures;
    if (isBehind) outgoing.tail = this.#mark;
    // A copy: all who send the clip have the same bytes.
    else outgoing.body = Uint8Array.from(outgoing.body);
    this.#written.takenUs = 1000 * atMs;
    writeMark(this.#written, isBehind ? this.#mark : outgoing.body, isBehind ? 0 : at);
  }
}
