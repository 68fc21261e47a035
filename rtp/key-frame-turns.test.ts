import { expect, test } from '@playwright/test';
import { KeyFrameRequests } from '../embedded-server/media/key-frame-requests.js';
import { HandClock } from '../tests/embedded/hand-clock.js';
import { randomFrom } from '../tests/random.js';
import { Egress } from './egress.js';
import { KeyFrameTurns } from './key-frame-turns.js';

function rig(crowded: boolean) {
  const clock = new HandClock();
  const line = { crowded, waitMs: 0, crowdedAtMs: crowded ? clock.nowMs() : Number.NEGATIVE_INFINITY };
  const turns = new KeyFrameTurns(line);
  const asked: { source: number; atMs: number }[] = [];
  const source = (number: number): KeyFrameRequests =>
    new KeyFrameRequests(clock, turns, () => asked.push({ source: number, atMs: clock.nowMs() }));
  return { clock, line, asked, source };
}

test('on a free line all sources are asked at once', () => {
  const { asked, source } = rig(false);
  for (let number = 0; number < 20; number += 1) source(number).request();
  expect(asked.map(({ atMs }) => atMs)).toEqual(Array.from({ length: 20 }, () => 1000));
});

test('while the line is crowded no source is asked, and afterwards one each 200 ms', () => {
  const { clock, line, asked, source } = rig(true);
  const sources = [1, 2, 3].map(source);
  for (const each of sources) each.request();
  clock.forward(500);
  expect(asked).toEqual([]);
  line.crowded = false;
  line.crowdedAtMs = clock.nowMs();
  for (let steps = 0; steps < 60; steps += 1) {
    clock.forward(10);
    for (const each of sources) if (asked.length > 0) each.request();
  }
  expect(asked.slice(0, 3).map(({ source: number }) => number)).toEqual([1, 2, 3]);
  const times = asked.map(({ atMs }) => atMs);
  expect(times.slice(1).every((atMs, index) => atMs - (times[index] ?? 0) >= 200)).toBe(true);
});

test('a key frame that came meanwhile is not asked for any more', () => {
  const { clock, line, asked, source } = rig(true);
  const waiting = source(1);
  waiting.request();
  waiting.answered();
  line.crowded = false;
  clock.forward(5000);
  expect(asked).toEqual([]);
});

test('on a line that is always full, whoever asks again and again waits three seconds at most', () => {
  const { clock, asked, source } = rig(true);
  const waiting = source(1);
  for (let steps = 0; steps < 100; steps += 1) {
    waiting.request();
    clock.forward(100);
  }
  expect(asked.map(({ atMs }) => atMs)).toEqual([4000, 7400, 10_800]);
});

/**
 * Pictures of six senders over one line, of which deltas alone need 87 %: a frame of which a packet was dropped breaks
 * the picture until the next key frame, which the viewer asks for. All begin within a second and a half. Returns the
 * share of the last ten seconds in which pictures stood still.
 */
function stoodStill(bounded: boolean): number {
  const clock = new HandClock();
  const egress = new Egress(clock, 1_102_000);
  const turns = bounded
    ? egress.keyFrameTurns
    : new KeyFrameTurns({ crowded: false, waitMs: 0, crowdedAtMs: Number.NEGATIVE_INFINITY });
  const random = randomFrom(1);
  const packets = (bytes: number): boolean => {
    const before = egress.counts().egressDroppedPackets;
    for (let left = bytes; left > 0; left -= 1000)
      egress.send({ put: () => undefined }, Buffer.alloc(Math.min(left, 1000)), 1, 'x');
    return egress.counts().egressDroppedPackets === before;
  };
  let broken = 0;
  let frames = 0;
  for (let sender = 0; sender < 6; sender += 1) {
    let keyDue = true;
    let whole = false;
    const requests = new KeyFrameRequests(clock, turns, () => clock.after(30, () => (keyDue = true)));
    const frame = (): void => {
      const key = keyDue;
      keyDue = false;
      if (key) requests.answered();
      const came = packets(key ? 9000 : 640);
      whole = came && (whole || key);
      if (!whole) clock.after(150, () => requests.request());
      if (clock.nowMs() > 16_000) {
        frames += 1;
        if (!whole) broken += 1;
      }
      clock.after(32 + 2.6 * random(), frame);
    };
    clock.after(250 * Math.floor(sender / 2), frame);
  }
  clock.forward(25_000);
  return broken / frames;
}

test('a line that deltas fill to 87 % comes to rest after all have joined, and without turns it stays full of key frames', () => {
  expect(stoodStill(true)).toBeLessThan(0.02);
  expect(stoodStill(false), 'what would be without turns').toBeGreaterThan(0.2);
});
