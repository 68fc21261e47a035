import { expect, test } from '@playwright/test';
import { randomFrom } from '../../tests/random.js';
import { markBytes, readMark } from './frame-mark.js';
import {
  isMarkedFree,
  MarkTurns,
  markInPacket,
  markUnit,
  payloadMost,
  readFrameMark,
  withFrameMark,
} from './sei-mark.js';

const mark = { sender: 0xfedc_ba98, clock: 77, takenUs: 1.76e15 + 123 };
const unit = (type: number, bytes: number): number[] => [
  type,
  ...Array.from({ length: bytes - 1 }, (_, nth) => 1 + (nth % 250)),
];
const annexB = (units: readonly number[][], codeZeros = 3): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(units.flatMap((one) => [...new Array<number>(codeZeros).fill(0), 1, ...one]));
const [parameters, more, key, delta] = [unit(0x67, 20), unit(0x68, 6), unit(0x65, 900), unit(0x41, 300)];
/** Types of the units in an access unit. */
const typesOf = (frame: Uint8Array): number[] =>
  Array.from(frame, (_, at) => at).flatMap((at) =>
    frame[at] === 1 && frame[at - 1] === 0 && frame[at - 2] === 0 ? [(frame[at + 1] ?? 0) & 0x1f] : [],
  );

for (const codeZeros of [2, 3])
  test(`a mark stands before the first slice, behind what a key frame begins with, and is read back (start codes of ${codeZeros + 1} bytes)`, () => {
    const marked = [annexB([parameters, more, key], codeZeros), annexB([delta, delta], codeZeros)].map((frame) =>
      withFrameMark(frame, mark),
    );
    expect(marked.map(typesOf)).toEqual([
      [7, 8, 6, 5],
      [6, 1, 1],
    ]);
    expect(marked.map(readFrameMark)).toEqual([mark, mark]);
  });

test('a unit with a mark has no byte that begins a start code or is escaped, whatever it says', () => {
  const random = randomFrom(3);
  for (let nth = 0; nth < 200; nth += 1) {
    const said = { sender: Math.floor(random() * 2 ** 32), clock: nth, takenUs: Math.floor(random() * 2 ** 50) };
    const frame = withFrameMark(annexB([delta]), said);
    const own = frame.subarray(4, 4 + markUnit.length);
    expect(own.every((byte) => byte !== 0)).toBe(true);
    expect(own[2], 'what its length says is there, and the bit that ends it').toBe(own.length - 4);
    expect(own.at(-1)).toBe(0x80);
    expect(readFrameMark(frame)).toEqual(said);
  }
});

test('frames without a mark, with another SEI, with room alone, or without a slice read as none', () => {
  const other = unit(6, 30);
  const frames = [annexB([delta]), annexB([other, delta]), annexB([Array.from(markUnit), delta]), annexB([parameters])];
  expect(frames.map(readFrameMark)).toEqual(frames.map(() => undefined));
  expect(withFrameMark(annexB([parameters]), mark)).toEqual(annexB([parameters]));
});

test('it is found in a packet of its own, and among others, however a server puts units together', () => {
  const own = Array.from(withFrameMark(annexB([delta]), mark).subarray(4, 4 + markUnit.length));
  const together = (...units: readonly number[][]): Uint8Array =>
    Uint8Array.from([0x78, ...units.flatMap((one) => [one.length >> 8, one.length & 0xff, ...one])]);
  const read = (payload: Uint8Array) => {
    const at = markInPacket(payload);
    return at < 0 ? undefined : readMark(payload, at + markBytes);
  };
  const packets = [
    Uint8Array.from(own),
    together(own, delta),
    together(parameters, more, own),
    together(parameters, more, own, key),
  ];
  expect(packets.map(read)).toEqual(packets.map(() => mark));
  const others = [
    Uint8Array.from(delta),
    together(parameters, more),
    together(delta, own),
    Uint8Array.of(0x7c, 0x85, 6, 5),
  ];
  expect(others.map(markInPacket)).toEqual(others.map(() => -1));
});

test('all frames are marked in which that takes no packet of its own, and of the others two in thirty', () => {
  const turns = new MarkTurns();
  const due = (free: boolean, frames: number) =>
    Array.from({ length: frames }, () => turns.isDue(free)).filter(Boolean);
  expect(due(false, 300)).toHaveLength(20);
  expect(due(true, 300)).toHaveLength(300);
  const sliceOf = (bytes: number) => annexB([unit(0x41, bytes)]);
  // Its packet is a byte, a length before each unit, and the two.
  const most = payloadMost - 1 - 2 - markUnit.length - 2;
  expect([most, most + 1].map((bytes) => isMarkedFree(sliceOf(bytes), false))).toEqual([true, false]);
  expect(isMarkedFree(sliceOf(9000), true)).toBe(true);
});
