import { type FrameMark, markBytes, readMark, writeMark } from './frame-mark.js';

/** The first twelve bytes of our UUID; its last four are those that each mark begins with. */
const uuid: readonly number[] = [0x6e, 0x4f, 0xd7, 0x4e, 0xd6, 0x55, 0x49, 0x44, 0x94, 0xad, 0x90, 0xad];
/** Unregistered user data, type 5 of a unit of SEI, which is type 6 (H.264, 7.3.2.3 and D.1.7): no decoder reads it. */
const head: readonly number[] = [6, 5, uuid.length + markBytes, ...uuid];
/** What ends a unit (H.264, 7.3.2.11), and what stands in it before a mark. No byte is zero, so none is escaped. */
const stop = 0x80;
const markUnitBytes = head.length + markBytes + 1;
const startCode: readonly number[] = [0, 0, 0, 1];
/** As Chromium: a packet has 1200 bytes, less header, extension and the number that resending adds. */
export const payloadMost = 1200 - 20 - 2;
/** What a mark takes of it beside a frame that is one slice (RFC 6184, 5.7.1), whose start code is not sent. */
const besideSliceBytes = 1 + 2 + markUnitBytes + 2 - startCode.length;

/** Several units in one packet (RFC 6184, 5.7.1). */
export const stapA = 24;

/** Whether a unit with this first byte has a part of the picture (H.264, table 7-1). */
export const isSlice = (first = 0): boolean => (first & 0x1f) >= 1 && (first & 0x1f) <= 5;

/** A unit with room for a mark. */
export const markUnit: Uint8Array = Uint8Array.from([...head, ...new Array<number>(markBytes + 1).fill(stop)]);

const framesApart = 15;

/**
 * Which frames of H264 are marked: all in which that takes no packet of its own, and of the others each fifteenth. A
 * packet more for each would be a load that no browser makes.
 */
export class MarkTurns {
  #since = 0;

  isDue(isFree: boolean): boolean {
    this.#since += 1;
    if (!isFree && this.#since < framesApart) return false;
    this.#since = 0;
    return true;
  }
}

/** Where the room for a mark, or the mark, begins in the unit that begins there; below 0: it has none. */
function markInUnit(bytes: Uint8Array, at: number): number {
  for (let nth = 0; nth < head.length; nth += 1) if (bytes[at + nth] !== head[nth]) return -1;
  return at + head.length;
}

/** The same of a packet (RFC 6184): of a unit alone, or of one before the first slice of several (STAP-A). */
export function markInPacket(payload: Uint8Array): number {
  const type = (payload[0] ?? 0) & 0x1f;
  if (type !== stapA) return type === head[0] ? markInUnit(payload, 0) : -1;
  for (let at = 1; at + 2 < payload.length && !isSlice(payload[at + 2]); ) {
    const found = markInUnit(payload, at + 2);
    if (found >= 0) return found;
    at += 2 + (((payload[at] ?? 0) << 8) | (payload[at + 1] ?? 0));
  }
  return -1;
}

/** Where the units up to the first slice begin, each behind its start code (H.264, annex B). */
function unitsToSlice(frame: Uint8Array): readonly number[] {
  const found: number[] = [];
  for (let at = 2; at + 1 < frame.length; at += 1) {
    if (frame[at] !== 1 || frame[at - 1] !== 0 || frame[at - 2] !== 0) continue;
    found.push(at + 1);
    if (isSlice(frame[at + 1])) break;
  }
  return found;
}

export function readFrameMark(frame: Uint8Array): FrameMark | undefined {
  for (const at of unitsToSlice(frame)) {
    const found = markInUnit(frame, at);
    if (found >= 0) return readMark(frame, found + markBytes);
  }
  return undefined;
}

/** Whether a frame with a mark takes no more packets than without. */
export const isMarkedFree = (frame: Uint8Array, isKey: boolean): boolean =>
  isKey || frame.length + besideSliceBytes <= payloadMost;

/** The frame with a mark before its first slice; as it is where it has none. */
export function withFrameMark(frame: Uint8Array<ArrayBuffer>, mark: FrameMark): Uint8Array<ArrayBuffer> {
  const slice = unitsToSlice(frame).at(-1);
  if (slice === undefined || !isSlice(frame[slice])) return frame;
  const at = slice - (frame[slice - startCode.length] === 0 ? startCode.length : startCode.length - 1);
  const marked = new Uint8Array(frame.length + startCode.length + markUnitBytes);
  marked.set(frame.subarray(0, at));
  marked.set(startCode, at);
  marked.set(markUnit, at + startCode.length);
  writeMark(mark, marked, at + startCode.length + head.length);
  marked.set(frame.subarray(at), at + startCode.length + markUnitBytes);
  return marked;
}
