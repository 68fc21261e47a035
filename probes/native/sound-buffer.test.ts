import { expect, test } from '@playwright/test';
import { seededRandom } from '../../model/seeded-random.js';
import { SoundBuffer } from './sound-buffer.js';

interface Sent {
  readonly nth: number;
  readonly atMs: number;
  readonly bytes?: number;
}

/** A minute of packets of 20 ms, each as late as is said; `null`: it does not come. */
const aMinute = (late: (nth: number) => number | null, count = 3000): readonly Sent[] =>
  Array.from({ length: count }, (_, nth) => nth).flatMap((nth) => {
    const lateMs = late(nth);
    return lateMs === null ? [] : [{ nth, atMs: 20 * nth + lateMs }];
  });

/** As a process reads it: once a second the counters, of up to 100 ms before. */
function heard(packets: readonly Sent[], untilMs = 60_000) {
  const sound = new SoundBuffer(48_000);
  const seconds: { readonly concealedMs: number; readonly events: number }[] = [];
  let read = 1000;
  const readUntil = (ms: number) => {
    for (; read <= ms; read += 1000) {
      const before = { concealedMs: sound.concealedMs, events: sound.concealmentEvents };
      sound.until(read - 100);
      seconds.push({ ...before });
    }
  };
  for (const { nth, atMs, bytes = 80 } of [...packets].sort((a, b) => a.atMs - b.atMs)) {
    readUntil(atMs);
    sound.take(nth + 65_536, 960 * nth, bytes, atMs);
  }
  readUntil(untilMs);
  const percent = (100 * sound.concealedMs) / sound.playedMs(untilMs - 100);
  return { sound, percent, waitMs: sound.waited / sound.emittedMs };
}

test('what is held back in bursts is kept for as long as the latest of a burst was, and what comes evenly for its start', () => {
  const held = (nth: number) => 20 * (14 - (nth % 15));
  expect(heard(aMinute(held)).sound.keptMs).toBeGreaterThan(260);
  expect(heard(aMinute(() => 5)).sound.keptMs).toBeLessThan(100);
});

test('of packets that come in time all is heard, and they wait some 40 ms as in a browser', () => {
  const { sound, waitMs } = heard(aMinute(() => 0));
  expect([sound.concealedMs, sound.concealmentEvents, sound.discarded]).toEqual([0, 0, 0]);
  expect(waitMs).toBeGreaterThan(20);
  expect(waitMs).toBeLessThan(50);
});

for (const [where, jumpMs] of [
  ['forward', 100_000],
  ['back', -100_000],
] as const)
  test(`sound whose times jump ${where} by more than a minute waits no longer than before, and none is thrown away`, () => {
    const sound = new SoundBuffer(48_000);
    const waitsMs: number[] = [];
    for (let ten = 0; ten < 30; ten += 1) {
      const { waited, emittedMs } = sound;
      for (let nth = 500 * ten; nth < 500 * (ten + 1); nth += 1) {
        const timestamp = (2 ** 31 + 960 * nth + (ten < 10 ? 0 : 48 * jumpMs)) >>> 0;
        sound.take(nth + 65_536, timestamp, 80, 20 * nth);
      }
      waitsMs.push((sound.waited - waited) / (sound.emittedMs - emittedMs));
    }
    expect(Math.max(...waitsMs)).toBeLessThan(45);
    expect([sound.concealedMs, sound.discarded]).toEqual([0, 0]);
    expect(sound.keptMs).toBeLessThan(45);
  });

test('of packets that are lost each by itself each is one stretch of 20 ms', () => {
  const { sound } = heard(aMinute((nth) => (nth % 50 === 25 ? null : 0)));
  expect([sound.concealedMs, sound.concealmentEvents]).toEqual([1200, 60]);
});

test('a burst of lost packets is one stretch as long as they are', () => {
  const { sound } = heard(aMinute((nth) => (nth >= 1000 && nth < 1095 ? null : 0)));
  expect(sound.concealmentEvents).toBe(1);
  expect(Math.abs(sound.concealedMs - 1900)).toBeLessThanOrEqual(40);
});

test('a stream that stops is without sound from then on, though nothing comes that would say so', () => {
  const { sound, percent } = heard(aMinute((nth) => (nth >= 1500 ? null : 0)));
  expect(sound.concealmentEvents).toBe(1);
  expect(percent).toBeGreaterThan(49);
});

test('sound that is held for 3 s and comes all at once each 30 s is not heard for that long, and then waits in the buffer', () => {
  const held = heard(
    aMinute((nth) => {
      const inCycleMs = (20 * nth) % 30_000;
      return inCycleMs >= 15_000 && inCycleMs < 18_000 ? 18_000 - inCycleMs : 0;
    }),
  );
  expect(held.sound.concealmentEvents).toBeLessThanOrEqual(3);
  expect(held.sound.concealedMs).toBeGreaterThan(4000);
  expect(held.waitMs).toBeGreaterThan(1000);
  expect(held.sound.discarded).toBe(0);
});

test('packets that overtake each other are heard where they come before their time, and thrown away behind it', () => {
  const swapped = heard(aMinute((nth) => (nth % 100 === 50 ? 25 : 0)));
  expect([swapped.sound.concealedMs, swapped.sound.discarded]).toEqual([0, 0]);
  const late = heard(aMinute((nth) => (nth % 100 === 50 ? 300 : 0)));
  expect(late.sound.discarded).toBeGreaterThan(10);
  expect(late.sound.concealedMs).toBeGreaterThan(200);
});

test('a sender that pauses is no gap: its last packet says so, and nothing of the pause is made up', () => {
  const speech = aMinute((nth) => (nth >= 1000 && nth < 1400 && nth % 20 !== 0 ? null : 0));
  // Of a pause each packet is small, and they are numbered one after the other.
  const paused = speech.map((one, place) => ({ ...one, place, bytes: one.nth >= 1000 && one.nth < 1400 ? 2 : 80 }));
  const sound = new SoundBuffer(48_000);
  for (const { nth, place, atMs, bytes } of paused) {
    if (atMs % 1000 === 0) sound.until(atMs - 100);
    sound.take(place + 65_536, 960 * nth, bytes, atMs);
  }
  expect([sound.concealedMs, sound.concealmentEvents]).toEqual([0, 0]);
});

test('where packets are late by chance the buffer grows to what most of them need, and little is made up', () => {
  const random = seededRandom(5);
  const { percent, waitMs } = heard(aMinute(() => 60 * random()));
  expect(waitMs).toBeGreaterThan(30);
  expect(percent).toBeLessThan(1);
});

/** A server that holds all sound now and then for as much as 3 s. */
const stalling = (strength: number, seed: number) => {
  const random = seededRandom(seed);
  const fromMs = 15_000 + 30_000 * random();
  return aMinute((nth) => {
    const jitterMs = 4 * random();
    const sentMs = 20 * nth;
    const holdMs = sentMs >= fromMs && sentMs < fromMs + 3000 * strength ? fromMs + 3000 * strength - sentMs : 0;
    return Math.max(jitterMs, holdMs);
  });
};

test('a stall is found from 0.2 s on in its length within 0.12 s, and none where there is none, whatever the seed', () => {
  const wrong: string[] = [];
  for (let seed = 0; seed < 200; seed += 1) {
    const strength = (seed % 11) / 10;
    const { concealedMs, concealmentEvents } = heard(stalling(strength, seed)).sound;
    const stallMs = 3000 * strength;
    if (strength === 0 ? concealedMs > 0 : Math.abs(concealedMs - stallMs) > 120 || concealmentEvents > 3)
      wrong.push(`seed ${seed}: ${concealedMs} ms of ${stallMs} in ${concealmentEvents}`);
  }
  expect(wrong.slice(0, 5)).toEqual([]);
});
