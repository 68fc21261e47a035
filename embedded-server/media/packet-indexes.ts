import { sequenceDistance } from './rtp.js';

/**
 * Highest packet index (rollover counter × 65536 + sequence number) of each SSRC that was received (RFC 3711 3.3.1): the number on
 * the wire is that which is nearest to it.
 */
export class PacketIndexes {
  readonly #lines = new Map<number, Line>();
  /** Of the packet before, and of the last one of another SSRC: a connection has mostly two, and no map is asked for them. */
  #last: Line | undefined;
  #other: Line | undefined;

  of(ssrc: number, sequenceNumber: number): number {
    const known = this.#lineOf(ssrc);
    return known === undefined
      ? sequenceNumber
      : known.highest + sequenceDistance(known.highest & 0xffff, sequenceNumber);
  }

  /** Only a packet that is authentic may move the counter. */
  passed(ssrc: number, index: number): void {
    const known = this.#lineOf(ssrc);
    if (known === undefined) this.#lines.set(ssrc, { ssrc, highest: index });
    else if (index > known.highest) known.highest = index;
  }

  #lineOf(ssrc: number): Line | undefined {
    if (this.#last?.ssrc === ssrc) return this.#last;
    const line = this.#other?.ssrc === ssrc ? this.#other : this.#lines.get(ssrc);
    if (line === undefined) return undefined;
    this.#other = this.#last;
    this.#last = line;
    return line;
  }
}

interface Line {
  readonly ssrc: number;
  highest: number;
}

export function rolloverOf(index: number): number {
  return Math.max(0, Math.floor(index / 65_536));
}
