import { sequenceDistance } from './rtp.js';

/**
 * Highest packet index (rollover counter × 65536 + sequence number) of each SSRC that was received (RFC 3711 3.3.1): the number on
 * the wire is that which is nearest to it.
 */
export class PacketIndexes {
  readonly #highest = new Map<number, number>();

  of(ssrc: number, sequenceNumber: number): number {
    const known = this.#highest.get(ssrc);
    return known === undefined ? sequenceNumber : known + sequenceDistance(known & 0xffff, sequenceNumber);
  }

  /** Only a packet that is authentic may move the counter. */
  passed(ssrc: number, index: number): void {
    const known = this.#highest.get(ssrc);
    if (known === undefined || index > known) this.#highest.set(ssrc, index);
  }
}

export function rolloverOf(index: number): number {
  return Math.max(0, Math.floor(index / 65_536));
}
