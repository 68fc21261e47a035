import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { FrameLine, type FramePiece } from './frame-line.js';

/** `frames` frames of one to six packets each from `first` on; `says`: the codec says where frames begin. */
function sent(frames: number, random: () => number, { first = 65_500, says = true, keyEvery = 50 } = {}): FramePiece[] {
  let extended = first;
  return Array.from({ length: frames }, (_, frame) => {
    const count = 1 + Math.floor(random() * 6);
    return Array.from({ length: count }, (__, nth): FramePiece => {
      const piece = {
        extended,
        timestamp: frame * 3000,
        marker: nth === count - 1,
        starts: says ? nth === 0 : undefined,
        isKey: frame % keyEvery === 0 && (says ? nth === 0 : true),
        isEmpty: false,
      };
      extended += 1;
      return piece;
    });
  }).flat();
}

function counted(pieces: readonly FramePiece[]) {
  const counts = { whole: 0, decodable: 0, keys: 0 };
  const line = new FrameLine(
    () => {
      counts.whole += 1;
    },
    ({ isKey }) => {
      counts.decodable += 1;
      if (isKey) counts.keys += 1;
    },
  );
  for (const piece of pieces) line.take(piece);
  return counts;
}

/** Each packet may come up to `by` places later. */
const reordered = (pieces: readonly FramePiece[], by: number, random: () => number): FramePiece[] =>
  pieces
    .map((piece, place) => ({ piece, place: place + random() * by }))
    .sort((a, b) => a.place - b.place)
    .map(({ piece }) => piece);

for (const says of [true, false]) {
  const where = says ? 'by the packets (VP8)' : 'by timestamps (H264)';

  test(`told ${where}, all frames are whole and decodable once each, in whatever order and however often packets come`, () => {
    const wrong = Array.from({ length: 30 }, (_, seed) => {
      const random = seededRandom(seed + 1);
      // A key frame that overtakes others makes them useless: here is only the first one.
      const pieces = sent(200, random, { says, keyEvery: 200 });
      const twice = pieces.flatMap((piece) => (random() < 0.1 ? [piece, piece] : [piece]));
      // The first frame is there before others: a receiver that begins in mid-stream waits for a key frame.
      const first = twice.filter(({ timestamp }) => timestamp === 0);
      const rest = twice.filter(({ timestamp }) => timestamp > 0);
      const counts = counted([...first, ...reordered(rest, 40, random)]);
      return counts.whole === 200 && counts.decodable === 200 && counts.keys === 1 ? [] : [{ seed, counts }];
    }).flat();
    expect(wrong).toEqual([]);
  });

  test(`told ${where}, a packet that is lost for good costs its frame, and all until the next key frame can be decoded no more`, () => {
    const wrong = Array.from({ length: 30 }, (_, seed) => {
      const random = seededRandom(seed + 100);
      const pieces = sent(200, random, { says });
      const frame = 51 + Math.floor(random() * 48);
      const ofFrame = pieces.filter(({ timestamp }) => timestamp === frame * 3000);
      const lost = ofFrame[Math.floor(random() * ofFrame.length)];
      const counts = counted(pieces.filter((piece) => piece !== lost));
      // Where only timestamps tell, the frame after a lost last packet cannot be known to be whole either.
      const wholes = says || !lost?.marker ? [199] : [198, 199];
      const isRight = wholes.includes(counts.whole) && counts.decodable === 200 - (100 - frame);
      return isRight ? [] : [{ seed, frame, counts }];
    }).flat();
    expect(wrong).toEqual([]);
  });
}

test('a packet that comes again after all lets everything behind it be decoded at once', () => {
  const random = seededRandom(5);
  const pieces = sent(40, random);
  const lost = pieces.filter(({ timestamp }) => timestamp === 10 * 3000);
  const rest = pieces.filter((piece) => !lost.includes(piece));
  expect(counted(rest).decodable).toBe(10);
  expect(counted([...rest, ...lost])).toEqual({ whole: 40, decodable: 40, keys: 1 });
});

test('padding between frames breaks nothing, and is no frame', () => {
  const random = seededRandom(6);
  const padded = sent(40, random).flatMap((piece) => [
    { ...piece, extended: piece.extended * 2 },
    { ...piece, extended: piece.extended * 2 + 1, isEmpty: true, starts: false, isKey: false, marker: false },
  ]);
  // Padding goes between frames, and never within one.
  const between = padded.filter(({ isEmpty }, index) => !isEmpty || padded[index - 1]?.marker);
  const numbered = between.map((piece, index) => ({ ...piece, extended: 70_000 + index }));
  expect(counted(numbered)).toEqual({ whole: 40, decodable: 40, keys: 1 });
});

test('before a key frame nothing is decodable, and a stream that begins in mid-frame gives its first key frame', () => {
  const random = seededRandom(8);
  const pieces = sent(120, random).slice(7);
  const counts = counted(pieces.filter(({ timestamp }) => timestamp > 3000));
  expect(counts).toMatchObject({ decodable: 70, keys: 2 });
  expect(counted(sent(49, random).filter(({ timestamp }) => timestamp > 0)).decodable).toBe(0);
});
