import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { FrameLine } from './frame-line.js';

interface Frame {
  readonly nth: number;
  readonly layer: number;
  readonly base: number;
  readonly syncs: boolean;
  readonly isKey: boolean;
  readonly packets: number;
}

/** `0 2s 1s 2`: the layers of a chain's frames, `s` where they refer to layer 0 alone. */
const patterns = ['0 2s 1s 2', '0 2s 1s 2 0 2 1 2', '0 1s 0 1', '0 1s', '0 2s 1s 2s', '0 0 1s 1 2s 2 2'];

function sent(pattern: string, count: number, random: () => number, keyEvery = count): Frame[] {
  const chain = pattern.split(' ');
  let base = 250;
  return Array.from({ length: count }, (_, nth) => {
    const said = chain[(nth % keyEvery) % chain.length] ?? '0';
    const layer = Number(said[0]);
    if (layer === 0) base += 1;
    return {
      ...{ nth, layer, base, syncs: said.endsWith('s') },
      isKey: nth % keyEvery === 0,
      packets: 1 + Math.floor(3 * random()),
    };
  });
}

/** As libwebrtc's RtpVp8RefFinder is told of: over all frames, by which of them came. */
function decodable(frames: readonly Frame[], came: (frame: Frame) => boolean): number[] {
  const decoded: Frame[] = [];
  const isDecoded = new Set<Frame>();
  for (const frame of frames) {
    if (!came(frame)) continue;
    const { nth, layer, base, syncs, isKey } = frame;
    const own = decoded.findLast((other) => other.layer === 0);
    const hasBase = own?.base === (layer === 0 ? base - 1 : base);
    const needed = Array.from({ length: layer + 1 }, (_, of) => decoded.findLast((other) => other.layer === of));
    const hasAll = () =>
      needed.every((last) => last && frames.slice(last.nth + 1, nth).every((one) => isDecoded.has(one)));
    if (!isKey && !(hasBase && (layer === 0 || syncs || hasAll()))) continue;
    decoded.push(frame);
    isDecoded.add(frame);
  }
  return decoded.map(({ nth }) => nth);
}

/** What is decoded of what comes, where nothing is waited for. */
function taken(frames: readonly Frame[], came: (frame: Frame, packet: number) => boolean) {
  const decoded: number[] = [];
  const line = new FrameLine(
    () => undefined,
    ({ timestamp }) => decoded.push(timestamp / 3000),
  );
  let extended = 70_000;
  for (const frame of frames) {
    for (let packet = 0; packet < frame.packets; packet += 1, extended += 1)
      if (came(frame, packet))
        line.take({
          ...{ extended, timestamp: 3000 * frame.nth, marker: packet === frame.packets - 1, isEmpty: false },
          ...{ starts: packet === 0, isKey: frame.isKey && packet === 0 },
          place: packet === 0 ? (frame.layer << 9) | (frame.syncs ? 0x100 : 0) | (frame.base & 0xff) : undefined,
        });
  }
  return decoded;
}

test('where a frame of temporal layers is lost for good, what a browser would decode is decoded, and no more', () => {
  const wrong = patterns.flatMap((pattern) =>
    Array.from({ length: 40 }, (_, seed) => {
      const random = seededRandom(seed + 1);
      const frames = sent(pattern, 200, random, seed % 3 === 0 ? 70 : 200);
      const lostOf = (frame: Frame) => (random() < 0.03 ? Math.floor(frame.packets * random()) : undefined);
      const lost = new Map(frames.map((frame) => [frame, lostOf(frame)]));
      const expected = decodable(frames, (frame) => lost.get(frame) === undefined);
      const got = taken(frames, (frame, packet) => lost.get(frame) !== packet);
      return expected.join() === got.join() ? [] : [{ pattern, seed, expected: expected.length, got: got.length }];
    }).flat(),
  );
  expect(wrong.slice(0, 5)).toEqual([]);
});

test('of one lost frame that no other refers to, that one alone is left out; of one that others refer to, these too', () => {
  const frames = sent('0 2s 1s 2', 300, seededRandom(1));
  const without = (nth: number) => taken(frames, (frame) => frame.nth !== nth).length;
  expect([31, 29, 30, 28].map(without)).toEqual([299, 298, 298, 28]);
  // The numbers of layer 0 come round: what is far behind is not what follows.
  const long = sent('0 2s 1s 2', 2000, seededRandom(1));
  expect(taken(long, (frame) => frame.nth !== 28)).toHaveLength(28);
});

test('layers that a server leaves out, with numbers of its own, cost nothing, and nor do numbers of layers that make no sense', () => {
  for (const most of [1, 0]) {
    const frames = sent('0 2s 1s 2 0 2 1 2', 300, seededRandom(2)).filter(({ layer }) => layer <= most);
    expect(taken(frames, () => true)).toHaveLength(frames.length);
  }
  const frames = sent('0 2s 1s 2', 300, seededRandom(3));
  const noBase = frames.map((frame) => ({ ...frame, base: 7 }));
  expect(taken(noBase, () => true)).toHaveLength(300);
});
