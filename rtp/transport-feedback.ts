/**
 * When the packets of a transport arrived, by their transport-wide numbers
 * (draft-holmer-rmcat-transport-wide-cc-extensions-01): an RTCP message of type 205, format 15. Times on the wire are
 * in 250 µs, by the receiver's own clock.
 */
export interface TransportFeedback {
  readonly type: 'transport-feedback';
  /** Number of the first packet; the others follow it. */
  readonly base: number;
  /** Of the receiver's clock, in 64 ms, 24 bits: what the times count from. */
  readonly reference: number;
  /** After the reference; `undefined` for what did not arrive. */
  readonly arrivedMs: readonly (number | undefined)[];
}

const headerBytes = 20;
const ticksPerMs = 4;
const referenceTicks = 64 * ticksPerMs;
const lost = 0;
const near = 1;
const far = 2;
const runMost = 0x1fff;
/** Symbols of a vector: of one bit (lost or near), and of two. */
const oneBit = 14;
const twoBits = 7;

/** `undefined` for what is no whole message. */
export function readTransportFeedback(packet: Buffer): TransportFeedback | undefined {
  if (packet.length < headerBytes) return undefined;
  const count = packet.readUInt16BE(14);
  const symbols: number[] = [];
  let at = headerBytes;
  for (; symbols.length < count; at += 2) {
    if (at + 2 > packet.length) return undefined;
    addSymbols(packet.readUInt16BE(at), symbols, count);
  }
  const arrivedMs: (number | undefined)[] = [];
  let ticks = 0;
  for (const symbol of symbols) {
    const bytes = symbol === near ? 1 : symbol === far ? 2 : 0;
    if (at + bytes > packet.length) return undefined;
    if (bytes > 0) ticks += symbol === near ? packet.readUInt8(at) : packet.readInt16BE(at);
    at += bytes;
    arrivedMs.push(bytes === 0 ? undefined : ticks / ticksPerMs);
  }
  return { type: 'transport-feedback', base: packet.readUInt16BE(12), reference: packet.readUIntBE(16, 3), arrivedMs };
}

function addSymbols(chunk: number, symbols: number[], count: number): void {
  if ((chunk & 0x8000) === 0) {
    const end = Math.min(count, symbols.length + (chunk & runMost));
    // A run of none would never come to an end.
    symbols.push((chunk >> 13) & 3);
    while (symbols.length < end) symbols.push((chunk >> 13) & 3);
    return;
  }
  const [size, bits] = (chunk & 0x4000) === 0 ? [oneBit, 1] : [twoBits, 2];
  for (let index = 1; index <= size && symbols.length < count; index += 1) {
    symbols.push((chunk >> (14 - index * bits)) & (bits === 1 ? 1 : 3));
  }
}

interface FeedbackParts {
  readonly senderSsrc: number;
  readonly mediaSsrc: number;
  /** Number of the first packet. */
  readonly base: number;
  /** When each arrived, by one clock; `undefined` for what did not. The last one did. */
  readonly arrivedAtMs: readonly (number | undefined)[];
  /** Of this message among all, 8 bits. */
  readonly nth: number;
}

/** Takes as many packets as one message can tell of, the first ones; says how many those are. */
export function writeTransportFeedback(parts: FeedbackParts): { readonly packet: Buffer; readonly told: number } {
  const first = parts.arrivedAtMs.find((atMs) => atMs !== undefined) ?? 0;
  const reference = Math.floor((first * ticksPerMs) / referenceTicks);
  const { symbols, deltas } = toldOf(parts.arrivedAtMs, reference * referenceTicks);
  const chunks = chunksOf(symbols);
  const deltaBytes = deltas.reduce((sum, delta) => sum + bytesOf(delta), 0);
  // Zeros fill the last word.
  const packet = Buffer.alloc(Math.ceil((headerBytes + 2 * chunks.length + deltaBytes) / 4) * 4);
  packet.writeUInt16BE(0x8fcd, 0);
  packet.writeUInt16BE(packet.length / 4 - 1, 2);
  packet.writeUInt32BE(parts.senderSsrc, 4);
  packet.writeUInt32BE(parts.mediaSsrc, 8);
  packet.writeUInt16BE(parts.base & 0xffff, 12);
  packet.writeUInt16BE(symbols.length, 14);
  packet.writeUIntBE(reference % 2 ** 24, 16, 3);
  packet.writeUInt8(parts.nth & 0xff, 19);
  let at = headerBytes;
  for (const chunk of chunks) at = packet.writeUInt16BE(chunk, at);
  for (const delta of deltas) at = bytesOf(delta) === 1 ? packet.writeUInt8(delta, at) : packet.writeInt16BE(delta, at);
  return { packet, told: symbols.length };
}

const bytesOf = (delta: number): number => (delta >= 0 && delta <= 0xff ? 1 : 2);

/** Up to the first packet that is too far in time from the one before it: another message begins there. */
function toldOf(arrivedAtMs: readonly (number | undefined)[], referenceTick: number) {
  const symbols: number[] = [];
  const deltas: number[] = [];
  let before = referenceTick;
  for (const atMs of arrivedAtMs) {
    const ticks = atMs === undefined ? before : Math.round(atMs * ticksPerMs);
    const delta = ticks - before;
    if (delta < -0x8000 || delta > 0x7fff) break;
    before = ticks;
    if (atMs !== undefined) deltas.push(delta);
    symbols.push(atMs === undefined ? lost : bytesOf(delta) === 1 ? near : far);
  }
  return { symbols, deltas };
}

/** A run where it is as long as a vector is, or all that is left; else the vector that holds what comes next. */
function chunksOf(symbols: readonly number[]): readonly number[] {
  const chunks: number[] = [];
  for (let at = 0; at < symbols.length; ) {
    const symbol = symbols[at] ?? lost;
    let end = at;
    while (end < symbols.length && symbols[end] === symbol && end - at < runMost) end += 1;
    if (end - at >= oneBit || end === symbols.length) {
      chunks.push((symbol << 13) | (end - at));
      at = end;
      continue;
    }
    const fits = symbols.slice(at, at + oneBit).every((one) => one !== far);
    const [size, bits] = fits ? [oneBit, 1] : [twoBits, 2];
    const vector = symbols
      .slice(at, at + size)
      .reduce((sum, one, index) => sum | (one << (14 - (index + 1) * bits)), 0);
    chunks.push(0x8000 | (fits ? 0 : 0x4000) | vector);
    at += size;
  }
  return chunks;
}
