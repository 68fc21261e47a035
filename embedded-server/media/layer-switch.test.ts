import { expect, test } from '@playwright/test';
import type { RtpPacket } from '../../rtp/rtp.js';
import type { IncomingTrack } from './incoming-track.js';
import { LayerSwitch } from './layered-video.js';
import type { MediaInput, MediaOutput } from './ports.js';

const packet = (isKey: boolean): RtpPacket => ({
  payloadType: 96,
  marker: true,
  padding: false,
  sequenceNumber: 1,
  timestamp: 1,
  ssrc: 1,
  payload: Buffer.from([0x10, isKey ? 0 : 1, 0, 0]),
});

/** Layers that note who is attached, a way between them and one who receives, and from which layer that got packets. */
function stage() {
  const attached: string[] = [];
  const layer = (name: string): IncomingTrack =>
    ({ attach: () => attached.push(`+${name}`), detach: () => attached.push(`-${name}`) }) as never;
  const [low, high] = [layer('low'), layer('high')];
  const got: MediaOutput[] = [];
  const input: MediaInput = { kind: 'video', maxKbps: 500, receive: (_, __, from) => got.push(from) };
  const way = new LayerSwitch(input, undefined);
  const give = (from: MediaOutput, isKey: boolean) => way.receive(packet(isKey), 'vp8/90000', from, 0);
  return { attached, low, high, got, way, give };
}

test('a layer goes on until the first key frame of the one that comes after it', () => {
  const { attached, low, high, got, way, give } = stage();
  way.turnTo(low);
  give(low, false);
  expect(got, 'nothing before a key frame').toEqual([]);
  give(low, true);
  way.turnTo(high);
  give(low, false);
  give(high, false);
  give(high, true);
  give(low, false);
  give(high, false);
  expect(got).toEqual([low, low, high, high]);
  expect(attached).toEqual(['+low', '+high', '-low']);
});

test('who turns back before a key frame has come stays where it was, and nobody is asked twice', () => {
  const { attached, low, high, got, way, give } = stage();
  way.turnTo(low);
  give(low, true);
  for (const layer of [high, high, low, low]) way.turnTo(layer);
  give(high, true);
  give(low, false);
  expect(got).toEqual([low, low]);
  expect(attached).toEqual(['+low', '+high', '-high']);
  way.close();
  expect(attached.at(-1)).toBe('-low');
});
