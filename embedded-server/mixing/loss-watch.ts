import type { RtpPacket } from '../../rtp/rtp.js';
import { SequenceLine } from '../../rtp/sequence-line.js';
import { OrderedPackets } from '../media/ordered-packets.js';

/** Notices packets that a buffer of fixed length has given up: decoding goes on at a key frame only. */
export class LossWatch {
  readonly #bufferMs: number;
  #ssrc: number | undefined;
  #line = new SequenceLine();
  #ordered: OrderedPackets<true>;

  constructor(bufferMs: number) {
    this.#bufferMs = bufferMs;
    this.#ordered = new OrderedPackets(bufferMs);
  }

  /** True when a packet before this one was missing for too long. */
  note({ ssrc, sequenceNumber }: RtpPacket, nowMs: number): boolean {
    if (this.#ssrc !== ssrc) this.#begin(ssrc);
    const restartsBefore = this.#line.restarts;
    const extended = this.#line.place(sequenceNumber);
    if (extended === undefined) return false;
    if (this.#line.restarts > restartsBefore) this.#ordered = new OrderedPackets(this.#bufferMs);
    return this.#ordered.receive(extended, true, nowMs).some(({ type }) => type === 'skipped');
  }

  #begin(ssrc: number): void {
    this.#ssrc = ssrc;
    this.#line = new SequenceLine();
    this.#ordered = new OrderedPackets(this.#bufferMs);
  }
}
