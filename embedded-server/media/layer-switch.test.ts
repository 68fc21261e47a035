import { expect, test } from '@playwright/test';
import type { LayerFault } from '../../model/layer.js';
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
function stage(fault?: LayerFault) {
  const attached: string[] = [];
  const layer = (name: string): IncomingTrack =>
    ({
      attach: () => attached.push(`+${name}`),
      attachUnasked: () => attached.push(`(${name})`),
      detach: () => attached.push(`-${name}`),
    }) as never;
  const [low, high] = [layer('low'), layer('high')];
  const got: MediaOutput[] = [];
  const input: MediaInput = { kind: 'video', maxKbps: 500, receive: (_, __, from) => got.push(from) };
  const way = new LayerSwitch(input, fault, high);
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

test('a paused video stops at once, and begins again with a key frame that was asked for', () => {
  const { attached, low, got, way, give } = stage();
  way.turnTo(low);
  give(low, true);
  way.turnTo(undefined);
  give(low, true);
  way.turnTo(low);
  give(low, false);
  give(low, true);
  expect(got).toEqual([low, low]);
  expect(attached).toEqual(['+low', '-low', '+low']);
});

test('faults on purpose: one never moves from the layer that it got first, one turns without asking for a key frame', () => {
  const unmoved = stage('unmoved');
  unmoved.way.turnTo(unmoved.low);
  unmoved.give(unmoved.low, true);
  unmoved.way.turnTo(unmoved.high);
  unmoved.give(unmoved.high, true);
  unmoved.give(unmoved.low, false);
  expect(unmoved.got).toEqual([unmoved.low, unmoved.low]);
  const keyless = stage('keyless');
  keyless.way.turnTo(keyless.low);
  keyless.give(keyless.low, true);
  keyless.way.turnTo(keyless.high);
  keyless.give(keyless.high, false);
  expect(keyless.got).toEqual([keyless.low, keyless.high]);
  expect(keyless.attached).toEqual(['+low', '(high)', '-low']);
});
