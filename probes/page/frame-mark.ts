import { hashOfBytes } from '../../model/text-hash.js';

/**
 * A mark behind the last partition of a VP8 frame, which no decoder reads (RFC 6386, 9.5): who sends it, and when it
 * was taken. Each byte has its highest bit, so a frame that ends in zeros or in code of its own never reads as one.
 */
export interface FrameMark {
  /** Whose picture it is: `senderOf` of a participant. */
  readonly sender: number;
  /** By whose clock: `clockOf`. */
  readonly clock: number;
  /** Epoch microseconds. */
  readonly takenUs: number;
}

/** Who marks, and by which clock. */
export type Marking = Pick<FrameMark, 'sender' | 'clock'>;

const magic: readonly number[] = [0xec, 0xd7, 0xb1, 0x9a];
const senderDigits = 5;
const clockDigits = 3;
const timeDigits = 8;
const checkDigits = 2;
const senderAt = magic.length;
const clockAt = senderAt + senderDigits;
const timeAt = clockAt + clockDigits;
const checkAt = timeAt + timeDigits;
export const markBytes = checkAt + checkDigits;

const digit = 128;

export function writeMark(mark: FrameMark, into: Uint8Array, at = 0): void {
  into.set(magic, at);
  putNumber(into, at + senderAt, senderDigits, mark.sender);
  putNumber(into, at + clockAt, clockDigits, mark.clock);
  putNumber(into, at + timeAt, timeDigits, Math.round(mark.takenUs));
  putNumber(into, at + checkAt, checkDigits, hashOfBytes(into, at, at + checkAt) % digit ** checkDigits);
}

/** The mark that ends there; `undefined` where there is none. */
export function readMark(bytes: Uint8Array, end = bytes.length): FrameMark | undefined {
  const at = end - markBytes;
  if (at < 0) return undefined;
  for (let nth = 0; nth < magic.length; nth += 1) if (bytes[at + nth] !== magic[nth]) return undefined;
  const check = hashOfBytes(bytes, at, at + checkAt) % digit ** checkDigits;
  if (numberAt(bytes, at + checkAt, checkDigits) !== check) return undefined;
  return {
    sender: numberAt(bytes, at + senderAt, senderDigits),
    clock: numberAt(bytes, at + clockAt, clockDigits),
    takenUs: numberAt(bytes, at + timeAt, timeDigits),
  };
}

/** Bits of four digits are a small whole number, which costs a third of what dividing larger ones does. */
const smallDigits = 4;
const small = digit ** smallDigits;

function putNumber(into: Uint8Array, at: number, digits: number, value: number): void {
  const highDigits = Math.max(0, digits - smallDigits);
  const high = Math.floor(value / small);
  putSmall(into, at, highDigits, high);
  putSmall(into, at + highDigits, digits - highDigits, value - high * small);
}

function putSmall(into: Uint8Array, at: number, digits: number, value: number): void {
  let left = value;
  for (let nth = digits - 1; nth >= 0; nth -= 1) {
    into[at + nth] = digit | (left & (digit - 1));
    left >>>= 7;
  }
}

/** A byte that is no digit makes a number that no check fits. */
function numberAt(bytes: Uint8Array, at: number, digits: number): number {
  let value = 0;
  for (let nth = 0; nth < digits; nth += 1) value = value * digit + (bytes[at + nth] ?? 0) - digit;
  return value;
}
