import { expect, test } from '@playwright/test';
import { readRtcp } from '../../rtp/rtcp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { LegMedia } from './leg-media.js';

/** A frame of VP8 in one packet that is no key frame. */
function frame(number: number, ssrc: number): Buffer {
  const packet = Buffer.alloc(24);
  packet.writeUInt16BE(0x80e0, 0);
  packet.writeUInt16BE(number, 2);
  packet.writeUInt32BE(number * 3000, 4);
  packet.writeUInt32BE(ssrc, 8);
  packet.writeUInt16BE(0x1001, 12);
  return packet;
}

test('a key frame is asked for behind a report on its stream, as some servers know by that alone whose request it is', () => {
  const clock = new HandClock();
  const sent: Buffer[] = [];
  const media = new LegMedia({
    ...{ clock, cname: 'a', ssrc: 7, reducedSize: true, roundTripMs: () => undefined },
    sections: [
      {
        ...{ kind: 'video', mid: '0', theySend: true, takesRemb: false, ssrcs: [] },
        codecs: new Map([[96, { name: 'VP8', clockRate: 90_000 }]]),
        repairs: new Map(),
      } as never,
    ],
    sendRtcp: (compound) => void sent.push(compound),
  });
  media.start();
  for (let number = 0; number < 150; number += 1) {
    clock.forward(33);
    const datagram = frame(number, 1000);
    media.onRtp(datagram, datagram.length, clock.nowMs());
    if (number % 30 === 29) media.tick([]);
  }
  const asked = sent.map(readRtcp).find((messages) => messages.some(({ type }) => type === 'key-frame-request'));
  expect(asked?.map(({ type }) => type)).toEqual(['receiver-report', 'key-frame-request']);
  expect(asked?.[0]).toMatchObject({ reports: [{ ssrc: 1000 }] });
  media.close();
});

test('what may be sent is told by the pictures that are there: one that gets another SSRC leaves that of the others as it was', () => {
  const clock = new HandClock();
  const granted: number[] = [];
  const section = (mid: string, ssrc: number) =>
    ({
      ...{ kind: 'video', mid, theySend: true, takesRemb: true, ssrcs: [ssrc, ssrc + 1] },
      codecs: new Map([[96, { name: 'VP8', clockRate: 90_000 }]]),
      repairs: new Map(),
    }) as never;
  const media = new LegMedia({
    ...{ clock, cname: 'a', ssrc: 7, reducedSize: true, roundTripMs: () => undefined },
    sections: [section('0', 1000), section('1', 2000)],
    sendRtcp: (compound) => {
      for (const message of readRtcp(compound)) if (message.type === 'remb') granted.push(message.bitrateBps);
    },
  });
  media.start();
  for (let number = 0; number < 300; number += 1) {
    clock.forward(33);
    const second = number < 150 ? frame(number, 2000) : frame(number - 150, 2001);
    for (const datagram of [frame(number, 1000), second]) media.onRtp(datagram, datagram.length, clock.nowMs());
    if (number % 30 === 29) media.tick([]);
  }
  expect(granted.length).toBeGreaterThan(3);
  // Times of the new SSRC lie behind those of the one before: to an estimate that went on they had come late.
  expect(Math.min(...granted.slice(1))).toBeGreaterThan(0.5 * Math.max(...granted.slice(1)));
  media.close();
});

test('what a held-up process received over three seconds is no rate of one second', () => {
  const clock = new HandClock();
  const granted: number[] = [];
  const section = {
    ...{ kind: 'video', mid: '0', theySend: true, takesRemb: true, ssrcs: [1000] },
    codecs: new Map([[96, { name: 'VP8', clockRate: 90_000 }]]),
    repairs: new Map(),
  } as never;
  const media = new LegMedia({
    ...{ clock, cname: 'a', ssrc: 7, reducedSize: true, roundTripMs: () => undefined, sections: [section] },
    sendRtcp: (compound) => {
      for (const message of readRtcp(compound)) if (message.type === 'remb') granted.push(message.bitrateBps);
    },
  });
  media.start();
  for (let number = 0; number < 300; number += 1) {
    clock.forward(33);
    const datagram = frame(number, 1000);
    media.onRtp(datagram, datagram.length, clock.nowMs());
    const isHeldUp = number > 150 && number < 239;
    if (number % 30 === 29 && !isHeldUp) media.tick([]);
  }
  expect(Math.max(...granted)).toBeLessThan(1.2 * Math.min(...granted));
  media.close();
});
