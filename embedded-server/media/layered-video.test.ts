import { expect, test } from '@playwright/test';
import type { IncomingTrack } from './incoming-track.js';
import { LayeredVideo } from './layered-video.js';
import type { MediaInput } from './ports.js';

/** Three layers of 80, 240 and 650 kbit/s, low first, and what became of receivers after so many seconds. */
function played(estimatesKbps: readonly ((second: number) => number)[], seconds: number, followEstimates = true) {
  const kbps = [80, 240, 650];
  let nowMs = 0;
  const tracks: { bytes: number; lastPacketAtMs: number; inputs: Set<unknown> }[] = [];
  const newTrack = () => {
    const inputs = new Set<unknown>();
    const track = { bytes: 0, lastPacketAtMs: 0, inputs, attach: (one: unknown) => inputs.add(one) };
    tracks.push(Object.assign(track, { detach: (one: unknown) => inputs.delete(one) }));
    return track as never as IncomingTrack;
  };
  const parts = { rids: ['h', 'm', 'l'], ridId: 1, newTrack, imitation: {}, clock: { nowMs: () => nowMs } };
  const video = new LayeredVideo({ ...parts, followEstimates });
  const receivers = estimatesKbps.map((): MediaInput & { estimateBps: number } => ({
    kind: 'video',
    maxKbps: 1000,
    estimateBps: 0,
    receive: () => undefined,
  }));
  for (const one of receivers) video.attach(one);
  for (let second = 1; second <= seconds; second += 1) {
    nowMs = 1000 * second;
    for (const [nth, track] of tracks.entries()) {
      track.bytes += 125 * (kbps[nth] ?? 0);
      track.lastPacketAtMs = nowMs;
    }
    for (const [nth, one] of receivers.entries()) one.estimateBps = 1000 * (estimatesKbps[nth]?.(second) ?? 0);
    video.eachSecond(nowMs);
  }
  return tracks.map(({ inputs }) => inputs.size);
}

const narrow = () => 340;
const healthy = (second: number) => 300 * 1.08 ** second;

test('a link that carries less than the highest layer takes it from its own receiver alone', () => {
  expect(played([healthy, narrow], 20)).toEqual([0, 1, 1]);
});

test('an estimate that still grows lowers nobody, and without following estimates none does', () => {
  expect(played([healthy], 20)).toEqual([0, 0, 1]);
  expect(played([narrow], 20, false)).toEqual([0, 0, 1]);
});
