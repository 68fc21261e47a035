import { sequenceDistance } from './rtp.js';

/** As browsers; with RFC 3711's 64 (3.3.2) a packet resent a round trip later would be a replay. A power of two. */
const windowPackets = 1024;
const wordBits = 32;
/** Half of the numbers that there are: as libsrtp, until so many have passed no number is older than the first. */
const halfOfNumbers = 32_768;
/** Nobody sends more streams over one connection, and who makes up SSRCs takes no more memory than theirs. */
const linesMost = 4096;

/**
 * Of each SSRC the highest packet index (rollover counter × 65536 + sequence number) that was received (RFC 3711,
 * 3.3.1): the number on the wire is that which is nearest to it. And which of the last ones were received: none is
 * taken twice, and none that is older (3.3.2).
 *
 * RFC 3711 does not say what 65535 is, right after the first packet, 1. libsrtp, in browsers and servers, has it as a
 * jump ahead, and counts the next rollover from it. Janus sends so what its publisher sent again before a viewer's
 * first packet: read otherwise, nothing of that stream would ever be authentic again.
 */
export class PacketIndexes {
  readonly #lines = new Map<number, Line>();
  /** Of the last packet, and the last of another SSRC: a connection mostly has two, which saves the map. */
  #last: Line | undefined;
  #other: Line | undefined;

  of(ssrc: number, sequenceNumber: number): number {
    const known = this.#lineOf(ssrc);
    return known === undefined || known.highest <= halfOfNumbers
      ? sequenceNumber
      : known.highest + sequenceDistance(known.highest & 0xffff, sequenceNumber);
  }

  /** Whether it may be taken: it was not yet, and is not too old to tell. */
  isNew(ssrc: number, index: number): boolean {
    const known = this.#lineOf(ssrc);
    return known === undefined ? this.#lines.size < linesMost : known.isNew(index);
  }

  /** Only a packet that is authentic, and new, may move the counter. */
  passed(ssrc: number, index: number): void {
    const known = this.#lineOf(ssrc);
    if (known === undefined) this.#lines.set(ssrc, new Line(ssrc, index));
    else known.take(index);
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

class Line {
  readonly ssrc: number;
  highest: number;
  /** A bit for each of the last indexes, at its place in turn. */
  readonly #taken = new Uint32Array(windowPackets / wordBits);

  constructor(ssrc: number, index: number) {
    this.ssrc = ssrc;
    this.highest = index - 1;
    this.take(index);
  }

  isNew(index: number): boolean {
    const ahead = index - this.highest;
    if (ahead > 0) return true;
    return ahead > -windowPackets && ((this.#taken[wordOf(index)] ?? 0) & (1 << index)) === 0;
  }

  take(index: number): void {
    const ahead = index - this.highest;
    if (ahead >= windowPackets) this.#taken.fill(0);
    else for (let skipped = this.highest + 1; skipped < index; skipped += 1) this.#clear(skipped);
    const word = wordOf(index);
    this.#taken[word] = (this.#taken[word] ?? 0) | (1 << index);
    if (ahead > 0) this.highest = index;
  }

  #clear(index: number): void {
    const word = wordOf(index);
    this.#taken[word] = (this.#taken[word] ?? 0) & ~(1 << index);
  }
}

/** Shifts of bits take the lowest five of a number themselves. */
const wordOf = (index: number): number => (index & (windowPackets - 1)) >>> 5;

export function rolloverOf(index: number): number {
  return Math.max(0, Math.floor(index / 65_536));
}
