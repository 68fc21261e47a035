import { expect, test } from '@playwright/test';
import { FramePhases } from './frame-phases.js';

/** A clock that goes on when it is told to. */
class Clock {
  nowMs = 0;
  private due: { readonly atMs: number; readonly call: () => void }[] = [];
  timers = {
    now: () => this.nowMs,
    after: (ms: number, call: () => void) => {
      const one = { atMs: this.nowMs + ms, call };
      this.due.push(one);
      return () => {
        this.due = this.due.filter((other) => other !== one);
      };
    },
  };

  until(ms: number): void {
    for (;;) {
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
  clock.until(frames * frameMs);
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

test('a lone stream is not held up, two are half a frame apart or nearly, and eight share the frame evenly', () => {
  const phasesOf = (streams: number) => departures(streams, 1).map(([first]) => (first?.atMs ?? 0) / frameMs);
  expect(phasesOf(1)).toEqual([0]);
  expect(phasesOf(2).map((phase) => Math.round(8 * phase))).toEqual([0, 5]);
  expect(
    phasesOf(8)
      .map((phase) => Math.round(8 * phase))
      .sort(),
  ).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  const of40 = phasesOf(40).map((phase) => Math.round(8 * phase));
  for (let slot = 0; slot < 8; slot += 1) expect(of40.filter((one) => one === slot)).toHaveLength(5);
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
