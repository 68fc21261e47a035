import { expect, test } from '@playwright/test';
import { type Speech, Voice } from './speech.js';

const hourMs = 3_600_000;
const stepMs = 10;

/** Who speaks in each step of many conversations, one after the other. */
function* statesOf(voices: number): Generator<readonly boolean[]> {
  for (let one = 0; one < 60; one += 1) {
    const speakers = Array.from({ length: voices }, (_, nth) => new Voice({ conversation: `${one}`, voices, nth }));
    for (let atMs = 0; atMs < 120_000; atMs += stepMs) yield speakers.map((voice) => voice.speaks(atMs));
  }
}

function figuresOf(voices: number) {
  const counts = { steps: 0, silent: 0, double: 0, spoken: 0, spurts: 0, most: 0 };
  let before: readonly boolean[] = [];
  for (const now of statesOf(voices)) {
    const speaking = now.filter(Boolean).length;
    counts.most = Math.max(counts.most, speaking);
    counts.steps += 1;
    if (speaking === 0) counts.silent += 1;
    if (speaking === 2) counts.double += 1;
    counts.spoken += speaking;
    counts.spurts += now.filter((speaks, nth) => speaks && before[nth] !== true).length;
    before = now;
  }
  expect(counts.most).toBe(2);
  return {
    silentPercent: (100 * counts.silent) / counts.steps,
    doublePercent: (100 * counts.double) / counts.steps,
    spurtMs: (stepMs * counts.spoken) / counts.spurts,
    pauseMs: (stepMs * (voices * counts.steps - counts.spoken)) / counts.spurts,
  };
}

test('two voices speak as in ITU-T P.59: spurts, pauses, mutual silence and double talk', () => {
  // Table 1 of it: 1.004 s, 1.587 s, 22.48 % and 6.59 %. Its model gives 1.035 s, 1.40 s, 22.5 % and 7.4 %.
  const { silentPercent, doublePercent, spurtMs, pauseMs } = figuresOf(2);
  expect(silentPercent).toBeGreaterThan(20.5);
  expect(silentPercent).toBeLessThan(24.5);
  expect(doublePercent).toBeGreaterThan(6);
  expect(doublePercent).toBeLessThan(8.5);
  expect(spurtMs).toBeGreaterThan(970);
  expect(spurtMs).toBeLessThan(1090);
  expect(pauseMs).toBeGreaterThan(1300);
  expect(pauseMs).toBeLessThan(1600);
});

test('more voices have one conversation: as much silence and double talk, and each speaks less', () => {
  const { silentPercent, doublePercent, pauseMs } = figuresOf(8);
  expect(silentPercent).toBeGreaterThan(20.5);
  expect(silentPercent).toBeLessThan(24.5);
  expect(doublePercent).toBeLessThan(8.5);
  expect(pauseMs).toBeGreaterThan(6000);
});

const place = (of: Partial<Speech> = {}): Speech => ({ conversation: '3', voices: 4, nth: 1, ...of });

test('whoever asks, whenever, is told the same, and rooms do not speak at once', () => {
  const times = Array.from({ length: 2000 }, (_, nth) => 1_700_000_000_000 + 97 * nth);
  const of = (speech: Speech) => times.map((atMs) => new Voice(speech).speaks(atMs));
  expect(of(place())).toEqual(of(place()));
  expect(of(place({ conversation: '4' }))).not.toEqual(of(place()));
});

test('a clock that is ahead is told of the same moment', () => {
  const [ours, theirs] = [new Voice(place()), new Voice(place({ aheadMs: 7000 }))];
  for (let atMs = 0; atMs < 300_000; atMs += 333) expect(theirs.speaks(atMs + 7000)).toBe(ours.speaks(atMs));
});

test('how long it speaks and when that changes are what it says moment for moment', () => {
  const voice = new Voice(place());
  let [spokenMs, changes] = [0, 0];
  for (let atMs = hourMs; atMs < hourMs + 240_000; atMs += 1) if (voice.speaks(atMs)) spokenMs += 1;
  expect(voice.spokenMs(hourMs, hourMs + 240_000)).toBe(spokenMs);
  for (let atMs = hourMs; atMs < hourMs + 100_000; atMs += voice.untilChangeMs(atMs)) {
    if (atMs > hourMs) expect(voice.speaks(atMs)).not.toBe(voice.speaks(atMs - 1));
    changes += 1;
  }
  expect(changes).toBeGreaterThan(10);
});
