import { expect, test } from '@playwright/test';
import { byOneClock, drawnRangeMs } from './clock-times.js';
import type { HostClock } from './probe-host.js';
import type { ForeignTime, ReceiveStreamSample, Sample } from './sample.js';
import { clockOf } from './sender-mark.js';

/** 500 ms ahead of the conductor, and an hour behind it. */
const ahead: HostClock = { offsetMs: -500, boundMs: 2 };
const behind: HostClock = { offsetMs: 3_600_000, boundMs: 3 };
const hourMs = 3_600_000;

const received = (kind: 'audio' | 'video', ...byClock: readonly ForeignTime[]): ReceiveStreamSample => ({
  ...{ leg: '1a', direction: 'receive', kind, metrics: { packetsReceived: 50 }, byClock },
});
const sampleOf = (...streams: readonly ReceiveStreamSample[]): Sample => ({
  ...{ probe: '1a', host: 'ahead', atMs: 1000, intervalMs: 1000, lateMs: 0, legs: [], streams },
});

/** As the conductor has it: the receiver is 500 ms ahead, and clock 7 is of the other host. */
const told = (...streams: readonly ReceiveStreamSample[]) =>
  byOneClock(sampleOf(...streams), (mark) => new Map([[undefined, ahead] as const, [7, behind]]).get(mark)).streams.map(
    (stream) => stream.metrics,
  );

test('delays between two hosts come out as on one clock, and say how far their clocks leave them open', () => {
  // Sent and received at the same moment, 40 ms late: the receiver shows an hour and half a second more.
  const raw = { of: 'delay', clock: 7, count: 30, meanMs: hourMs + 540, maxMs: hourMs + 600 } as const;
  expect(told(received('video', raw))).toEqual([
    { packetsReceived: 50, delayMs: 40, delayMaxMs: 100, delayBoundMs: 5 },
  ]);
});

test('of a clock that nobody knows there is no delay, and what cannot be is left out', () => {
  const raw = { of: 'delay', clock: 8, count: 30, meanMs: 40, maxMs: 40 } as const;
  const early = { ...raw, clock: 7, meanMs: hourMs + 450, maxMs: hourMs + 460 };
  for (const one of [raw, early]) {
    expect(told(received('video', one))).toEqual([{ packetsReceived: 50 }]);
    expect(JSON.stringify(byOneClock(sampleOf(received('video', one)), () => undefined))).not.toContain('byClock');
  }
});

test('of a mix those by the own clock and those by another one are told together, each as often as it was seen', () => {
  const own = { of: 'shown', count: 3, meanMs: 100, maxMs: 110 } as const;
  const other = { of: 'shown', clock: 7, count: 1, meanMs: hourMs + 700, maxMs: hourMs + 700 } as const;
  expect(told(received('video', own, other))).toEqual([
    { packetsReceived: 50, shownMs: 125, shownMaxMs: 200, delayBoundMs: 5 },
  ]);
});

test('a drawn mark says when it was taken to within a minute, whatever the hosts are apart', () => {
  for (const turns of [-2, 0, 3]) {
    const meanMs = hourMs + 590 + turns * drawnRangeMs;
    const drawn = { of: 'shown', clock: 7, count: 2, meanMs, maxMs: meanMs + 20 } as const;
    expect(told(received('video', drawn))).toMatchObject([{ shownMs: 90, shownMaxMs: 110 }]);
  }
});

test('sound against pictures of one sender is known whatever its clock is', () => {
  const raw = { of: 'delay', clock: 7, count: 30, meanMs: hourMs + 540, maxMs: hourMs + 600 } as const;
  const [video] = told(received('video', raw), received('audio', { ...raw, meanMs: hourMs + 525 }));
  expect(video).toMatchObject({ delayMs: 40, soundLaterMs: -15 });
});

test('no two machines of a run have the same clock in marks', () => {
  const taken: number[] = [];
  for (let nth = 0; nth < 300; nth += 1) taken.push(clockOf(`machine ${nth % 2 === 0 ? nth : nth - 1}`, taken));
  expect(new Set(taken).size).toBe(300);
  expect(Math.max(...taken)).toBeLessThan(4096);
});
