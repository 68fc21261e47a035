import { expect, test } from '@playwright/test';
import type { IncomingTrack } from './incoming-track.js';
import { LayeredVideo } from './layered-video.js';
import type { MediaInput } from './ports.js';

const kbps = [80, 240, 650];

/** What a receiver says that its link carries, kbit/s, by the layer that came in that second; -1 is none. */
type Estimate = (second: number, layer: number) => number;

/** Three layers, low first: how many receivers have each after so many seconds, and what came to each. */
function played(estimatesKbps: readonly Estimate[], seconds: number, followEstimates = true, every = 1) {
  let nowMs = 0;
  const tracks: { bytes: number; lastPacketAtMs: number; inputs: Set<MediaInput>; newcomers: Set<MediaInput> }[] = [];
  const newTrack = () => {
    const [inputs, newcomers] = [new Set<MediaInput>(), new Set<MediaInput>()];
    const attach = (one: MediaInput) => [inputs, newcomers].map((all) => all.add(one));
    const track = { bytes: 0, lastPacketAtMs: 0, inputs, newcomers, attach };
    tracks.push(Object.assign(track, { detach: (one: MediaInput) => inputs.delete(one) }));
    return track as never as IncomingTrack;
  };
  const parts = { rids: ['h', 'm', 'l'], ridId: 1, newTrack, imitation: {}, clock: { nowMs: () => nowMs } };
  const video = new LayeredVideo({ ...parts, followEstimates });
  const receivers = estimatesKbps.map((estimate) => {
    const came: number[] = [];
    const receive: MediaInput['receive'] = (_, __, from) => came.splice(-1, 1, tracks.indexOf(from as never));
    return { kind: 'video' as const, maxKbps: 1000, estimateBps: 0, receive, estimate, came };
  });
  for (const one of receivers) video.attach(one);
  for (let second = every; second <= seconds; second += every) {
    nowMs = 1000 * second;
    for (const { came } of receivers) came.push(-1);
    for (const [nth, track] of tracks.entries()) {
      track.bytes += every * 125 * (kbps[nth] ?? 0);
      track.lastPacketAtMs = nowMs;
      // A frame of each layer each second, and a key frame where one was asked for.
      const payload = Buffer.from([0x10, track.newcomers.size > 0 ? 0 : 1, 0, 0]);
      track.newcomers.clear();
      const packet = { payload, payloadType: 96, marker: true, padding: false, ...numbers };
      for (const one of [...track.inputs]) one.receive(packet, 'vp8/90000', track as never, nowMs);
    }
    for (const one of receivers) one.estimateBps = 1000 * one.estimate(second, one.came.at(-1) ?? -1);
    video.eachSecond(nowMs);
  }
  return { inEach: tracks.map(({ inputs }) => inputs.size), came: receivers.map(({ came }) => came) };
}

const numbers = { sequenceNumber: 1, timestamp: 1, ssrc: 1 };

const narrow = () => 340;
const healthy = (second: number) => 300 * 1.08 ** second;

test('a link that carries less than the highest layer takes it from its own receiver alone', () => {
  expect(played([healthy, narrow], 20).inEach).toEqual([0, 1, 1]);
});

test('an estimate that still grows lowers nobody, and without following estimates none does', () => {
  expect(played([healthy], 20).inEach).toEqual([0, 0, 1]);
  expect(played([narrow], 20, false).inEach).toEqual([0, 0, 1]);
});

test('who was lowered goes up again layer by layer once its link carries more, and stays low most of the time before', () => {
  const opensAt = 400;
  const carried = (second: number) => (second < opensAt ? 120 : 2000);
  const estimate: Estimate = (second, layer) => Math.min(carried(second), 1.5 * (kbps[layer] ?? 0) + 10);
  const [came = []] = played([estimate], 600).came;
  const [narrowed, opened] = [came.slice(20, opensAt), came.slice(opensAt)];
  expect(narrowed.filter((layer) => layer === 0).length).toBeGreaterThan(0.95 * narrowed.length);
  expect(new Set(narrowed), 'it tried').toContain(1);
  const turns = opened.filter((layer, nth) => layer !== opened[nth - 1]);
  expect(turns.slice(-3)).toEqual([0, 1, 2]);
});

test('a process that is held up, and looks late, lowers by time', () => {
  const wide: Estimate = (_, layer) => 1.5 * (kbps[layer] ?? 0) + 10;
  const { inEach, came } = played([wide, narrow], 60, true, 2.5);
  expect(inEach).toEqual([0, 1, 1]);
  expect(came[1]?.filter((layer, nth, all) => layer !== all[nth - 1])).toEqual([2, 1]);
});
