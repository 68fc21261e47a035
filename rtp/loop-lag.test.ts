import { expect, test } from '@playwright/test';
import { VideoCap } from '../embedded-server/media/video-cap.js';
import { LoopLag } from './loop-lag.js';

test('what may have waited for the process is what the loop has worked since it was last idle', () => {
  let idleMs = 0;
  const lag = new LoopLag(() => idleMs);
  lag.read(1000);
  idleMs += 9;
  expect(lag.read(1010), 'one at work for 1 ms').toBe(1);
  expect(lag.read(1210), 'a block of 200 ms, and then this packet').toBe(201);
  expect(lag.read(1215), 'the next of those that came meanwhile').toBe(206);
  idleMs += 4;
  expect(lag.read(1220), 'all were read, and the loop was idle').toBe(1);
});

test('packets that waited for the process itself do not lower what its senders are told', () => {
  const told = (ownLagMs: number): number => {
    const cap = new VideoCap({
      video: () => ({ bytes: 0, inputs: [] }),
      followEstimates: true,
      maxVideoRecvKbps: () => 0,
      maxVideoSendKbps: () => 500,
      minVideoKbps: () => 100,
    });
    for (let second = 0; second < 6; second += 1) {
      // From the third second on everything is looked at 150 ms late.
      const lateMs = second < 3 ? 0 : 150;
      for (let frame = 0; frame < 30; frame += 1) {
        const sentMs = 1000 * second + (1000 / 30) * frame;
        cap.note(sentMs * 90, sentMs + 20 + lateMs, second < 3 ? 0 : ownLagMs);
      }
      cap.eachSecond(1000 * (second + 1));
    }
    return cap.bps;
  };
  expect(told(150)).toBe(500_000);
  expect(told(0), 'a queue of the link does').toBeLessThan(500_000);
});
