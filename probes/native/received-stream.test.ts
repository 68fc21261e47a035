import { expect, test } from '@playwright/test';
import { writeRtpHeader } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { framePackets } from './frame-packets.js';
import { legStats } from './leg-stats.js';
import { ReceivedPacket } from './received-packet.js';
import { ReceivedSection } from './received-sections.js';
import { ReceivedStream } from './received-stream.js';

const frameMs = 1000 / 30;

interface Way {
  /** Absent: of a stream without temporal layers. */
  readonly isLayer?: boolean;
  /** The frame of which a packet is lost, and when that comes after all; absent: it does not. */
  readonly lost: number;
  readonly repairMs?: number;
}

/** Ten seconds of pictures of two packets each, 30 a second, of which one packet is lost. */
function received({ isLayer = true, lost, repairMs }: Way) {
  const cutter = framePackets('VP8', 7, isLayer);
  if (!cutter) throw new Error('no packets are made of VP8');
  const clock = new HandClock();
  const asked = { plis: 0, nacks: 0 };
  const stream = new ReceivedStream({
    ...{ kind: 'video', mid: '0', codec: 'vp8', clockRate: 90_000, ssrc: 1, clock },
    roundTripMs: () => undefined,
    soundMs: () => 0,
    sendNack: (numbers) => {
      asked.nacks += numbers.length;
    },
    sendKeyFrameRequest: () => {
      asked.plis += 1;
    },
  });
  let number = 100;
  const come = (payload: Buffer, nth: number, marker: boolean, sequenceNumber: number) => {
    const header = {
      ssrc: 1,
      sequenceNumber,
      timestamp: 3000 * nth,
      payloadType: 96,
      marker,
      padding: false,
      nowMs: 0,
    };
    const bytes = Buffer.concat([writeRtpHeader({ ...header, absSendTimeId: undefined }), payload]);
    const packet = new ReceivedPacket();
    if (!packet.read(bytes, bytes.length)) throw new Error('no packet');
    stream.receive(packet, clock.nowMs());
  };
  for (let nth = 0; nth < 300; nth += 1) {
    const parts = cutter.cut(
      Uint8Array.from({ length: 2000 }, (_, at) => (at === 0 && nth > 0 ? 1 : 0)),
      nth,
    );
    parts.forEach((part, index) => {
      const head = Buffer.alloc(6);
      head.writeUIntBE(cutter.head(index === 0), 0, 6);
      const payload = Buffer.concat([head.subarray(6 - cutter.headBytes), part]);
      const marker = index === parts.length - 1;
      number += 1;
      const of = number;
      if (nth !== lost || marker) come(payload, nth, marker, of);
      else if (repairMs !== undefined) clock.after(repairMs, () => come(payload, nth, marker, of));
    });
    clock.forward(frameMs);
  }
  stream.close();
  return { stream, asked };
}

function seen(way: Way) {
  const { stream, asked } = received(way);
  const { framesWhole, framesDecodable, freezes } = stream;
  return { framesWhole, framesDecodable, freezes: freezes.count, ...asked };
}

test('its getStats say the time between frames in all, and frames of the SSRC before as frames that were shown', () => {
  const { stream } = received({ lost: 31 });
  const section = new ReceivedSection({ kind: 'video', mid: '0' } as never);
  section.begin(stream);
  section.begin(received({ lost: 31 }).stream);
  const reading = { atMs: 10_000, streams: [section.received ?? stream], resentApart: false };
  const inbound = legStats({ ...reading, rttMs: undefined, own: undefined }).get(stream.entryId);
  expect(inbound).toMatchObject({ framesDecoded: 299, framesShown: 598 });
  expect(inbound?.totalInterFrameDelay).toBeCloseTo((299 * frameMs) / 1000, 1);
});

test('a lost frame of temporal layers that no other refers to is left out, and the picture goes on without a key frame', () => {
  expect(seen({ lost: 31 })).toEqual({ framesWhole: 299, framesDecodable: 299, freezes: 0, plis: 0, nacks: 1 });
  // Without layers, or where others refer to it, all stand still.
  for (const isLayer of [true, false])
    expect(seen({ isLayer, lost: 32 })).toMatchObject({ framesWhole: 299, framesDecodable: 32, plis: 2 });
});

test('it is waited for until the frame behind it is due to be shown, as it may still come', () => {
  // A frame later, and the 27 ms that a browser keeps each.
  const frames = [10, 58, 60, 61, 62, 150].map((repairMs) => seen({ lost: 31, repairMs }).framesDecodable);
  expect(frames).toEqual([300, 300, 300, 299, 299, 299]);
  // One that the frame behind it refers to is waited for until the frame behind both is due.
  expect([90, 100].map((repairMs) => seen({ lost: 30, repairMs }).framesDecodable)).toEqual([300, 298]);
  // What all others refer to is waited for longer.
  expect(seen({ lost: 32, repairMs: 150 })).toMatchObject({ framesDecodable: 300, plis: 0 });
});

/** Key frames of these widths, a second apart, of two packets each; those of `repaired` come at the end. */
function widthsOf(widths: readonly number[], repaired: number) {
  const clock = new HandClock();
  const nothing = () => undefined;
  const stream = new ReceivedStream({
    ...{ kind: 'video', mid: '0', codec: 'vp8', clockRate: 90_000, ssrc: 1, clock },
    ...{ roundTripMs: nothing, soundMs: () => 0, sendNack: nothing, sendKeyFrameRequest: nothing },
  });
  const packetsOf = (width: number, nth: number) => {
    const frame = [0x10, 0, 0, 0x9d, 0x01, 0x2a, width & 0xff, width >> 8, 0, 1];
    return [Buffer.from([0x10, ...frame]), Buffer.from([0, 1])].map((payload, index) => {
      const of = { sequenceNumber: 100 + 2 * nth + index, timestamp: 90_000 * nth, marker: index === 1 };
      const header = { ...of, ssrc: 1, payloadType: 96, padding: false, nowMs: 0, absSendTimeId: undefined };
      return Buffer.concat([writeRtpHeader(header), payload]);
    });
  };
  const seen: (number | undefined)[] = [];
  const come = (bytes: Buffer) => {
    const packet = new ReceivedPacket();
    if (!packet.read(bytes, bytes.length)) throw new Error('no packet');
    stream.receive(packet, clock.nowMs());
  };
  const late: Buffer[] = [];
  for (const [nth, width] of widths.entries()) {
    for (const [index, packet] of packetsOf(width, nth).entries()) {
      if (nth === repaired && index === 0) late.push(packet);
      else come(packet);
      seen.push(stream.pictures.now?.width);
    }
    clock.forward(1000);
  }
  for (const packet of late) come(packet);
  seen.push(stream.pictures.now?.width);
  stream.close();
  return seen;
}

test('pictures are as wide as the key frame that was decoded, and not as one that is coming or that comes too late', () => {
  expect(widthsOf([240, 960], 2)).toEqual([undefined, 240, 240, 960, 960]);
  expect(widthsOf([240, 480, 960], 1)).toEqual([undefined, 240, 240, 240, 240, 960, 960]);
});
