import { expect, test } from '@playwright/test';
import { FramePhases } from './frame-phases.js';

/** A clock that goes on when it is told to. */
class Clock {
  nowMs = 0;
  private due: { readonly atMs: number; readonly call: () => void }[] = [];
  timers = {
    after: (ms: number, call: () => void) => {
      this.due.push({ atMs: this.nowMs + ms, call });
    },
  };

  until(ms: number): void {
    for (;;) {
      // Of those at the same time, in the order in which they were set, as of a browser.
      const [next] = this.due.filter(({ atMs }) => atMs <= ms).sort((a, b) => a.atMs - b.atMs);
      if (!next) break;
      this.due = this.due.filter((one) => one !== next);
      this.nowMs = Math.max(this.nowMs, next.atMs);
      next.call();
    }
    this.nowMs = ms;
  }

  get armed(): number {
    return this.due.length;
  }
}

const frameMs = 1000 / 30;

/** When the frames of so many streams leave that come at the same instants. */
function departures(streams: number, frames: number): readonly (readonly { frame: number; atMs: number }[])[] {
  const clock = new Clock();
  const phases = new FramePhases(frameMs, clock.timers);
  const sends = Array.from({ length: streams }, () => phases.next());
  const left: { frame: number; atMs: number }[][] = sends.map(() => []);
  for (let frame = 0; frame < frames; frame += 1) {
    clock.until(frame * frameMs);
    for (const [index, send] of sends.entries()) send(() => left[index]?.push({ frame, atMs: clock.nowMs }));
  }
  clock.until((frames + 1) * frameMs);
  expect(clock.armed).toBe(0);
  return left;
}

test('every frame leaves once, in order, later than it came by the same part of a frame', () => {
  for (const stream of departures(12, 90)) {
    expect(stream.map(({ frame }) => frame)).toEqual(Array.from({ length: 90 }, (_, index) => index));
    const delays = stream.map(({ frame, atMs }) => atMs - frame * frameMs);
    const first = delays[0] ?? 0;
    expect(first).toBeGreaterThanOrEqual(0);
    expect(first).toBeLessThan(frameMs);
    expect(delays.filter((delay) => Math.abs(delay - first) >= 1)).toEqual([]);
  }
});

test('a lone stream is not held up, and of as many as share a page none leaves with another', () => {
  const phasesOf = (streams: number) => departures(streams, 1).map(([first]) => (first?.atMs ?? 0) / frameMs);
  expect(phasesOf(1)).toEqual([0]);
  for (const streams of [2, 3, 8, 30, 64]) {
    const places = [...phasesOf(streams)].sort((a, b) => a - b);
    const gaps = places.map((place, nth) => (places[nth + 1] ?? 1) - place);
    // Evenly it would be one part of so many.
    expect(Math.min(...gaps) * streams).toBeGreaterThan(0.4);
    expect(Math.max(...gaps) * streams).toBeLessThan(2);
  }
});

test('a timer that comes late sends what is due in order and loses nothing', () => {
  const clock = new Clock();
  const phases = new FramePhases(frameMs, clock.timers);
  phases.next();
  const send = phases.next();
  const left: number[] = [];
  send(() => left.push(1));
  // The worker does not get the CPU for three frames: timers run only then.
  clock.nowMs = 100;
  send(() => left.push(2));
  clock.until(100);
  expect(left).toEqual([1]);
  clock.until(130);
  expect(left).toEqual([1, 2]);
});
