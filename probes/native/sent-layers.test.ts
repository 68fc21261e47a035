import { expect, test } from '@playwright/test';
import { payloadOf } from '../../rtp/outgoing-packet.js';
import { elementAt, readRtp, writeRtpHeader } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { clipOfBytes } from '../../tests/native-clip.js';
import { entriesOf } from '../page/stats-report.js';
import type { AgreedMedia } from './agreed-media.js';
import { LegSending } from './leg-sending.js';
import { sentEntries } from './sent-stats.js';

const layers = [
  { rid: 'l', ssrc: 21, resent: 31 },
  { rid: 'm', ssrc: 22, resent: 32 },
  { rid: 'h', ssrc: 23, resent: 33 },
];
const own = { ssrcs: { audio: 11, video: 21 }, resent: 31, layers, cname: '1a' };
const agreed: AgreedMedia = {
  ...{ kind: 'video', mid: '1', theySend: false, theyTake: true, ssrcs: [] },
  ...{ transportNumberId: undefined, absSendTimeId: 2, midId: 4, takesRemb: true },
  codecs: new Map([[96, { name: 'vp8', clockRate: 90_000, fmtp: undefined }]]),
  repairs: new Map([[97, 96]]),
  layers: { rids: ['h', 'm', 'l'], ridId: 10, repairedRidId: 11 },
};

/** A leg that sends three layers, and what left of each SSRC. */
function aLeg(media: AgreedMedia = agreed) {
  const clock = new HandClock(1_700_000_000_000);
  const left: Buffer[] = [];
  const leg = new LegSending({
    clock,
    clips: [clipOfBytes([80, 110], 10, 240), clipOfBytes([250, 350], 10, 480), clipOfBytes([500, 700], 10, 960)],
    voice: { packets: [] },
    videoCodec: 'VP8',
    own,
    sends: ['video'],
    agreed: [media],
    ceilingBps: Number.POSITIVE_INFINITY,
    feedback: ['remb'],
    transmit: (outgoing) => {
      const datagram = Buffer.concat([writeRtpHeader(outgoing.header), payloadOf(outgoing)]);
      left.push(datagram);
      return datagram.length;
    },
  });
  leg.start();
  const of = (ssrc: number) => left.filter((datagram) => readRtp(datagram)?.ssrc === ssrc);
  const outbound = () => entriesOf(new Map(sentEntries(leg, 0).map((one) => [one.id, one])), 'outbound-rtp');
  const seconds = (count: number) => {
    for (let second = 0; second < count; second += 1) {
      clock.forward(1000);
      leg.tick();
    }
  };
  return { clock, leg, of, outbound, seconds };
}

/** The text under an identifier of a packet's header extensions. */
function textOf(datagram: Buffer | undefined, id: number): string | undefined {
  const at = datagram && elementAt(datagram, datagram.length, id);
  return at === undefined ? undefined : datagram?.toString('latin1', at + 1, at + 2 + ((datagram[at] ?? 0) & 0x0f));
}

test('each layer has an SSRC of its own, and its packets say whose they are until the other end has reported on it', () => {
  const { clock, leg, of, outbound } = aLeg();
  leg.onMessage({ type: 'remb', bitrateBps: 1_200_000, ssrcs: [] });
  leg.tick();
  clock.forward(990);
  expect(layers.map(({ ssrc }) => textOf(of(ssrc).at(-1), 10))).toEqual(['l', 'm', 'h']);
  expect(layers.map(({ ssrc }) => textOf(of(ssrc).at(-1), 4))).toEqual(['1', '1', '1']);
  expect(outbound().map(({ rid, frameWidth }) => [rid, frameWidth])).toEqual([
    ['l', 240],
    ['m', 480],
    ['h', 960],
  ]);
  const report = { fractionLost: 0, cumulativeLost: 0, highestSequenceNumber: 1, jitter: 0 };
  const unasked = { lastSenderReport: 0, delaySinceLastSenderReport: 0 };
  leg.onMessage({ type: 'receiver-report', ssrc: 9, reports: [{ ssrc: 22, ...report, ...unasked }] });
  clock.forward(40);
  expect(layers.map(({ ssrc }) => textOf(of(ssrc).at(-1), 10))).toEqual(['l', undefined, 'h']);
});

test('what is sent again of a layer says so under the identifier for that, on the SSRC for that', () => {
  const { clock, leg, of } = aLeg();
  clock.forward(300);
  const lost = readRtp(of(22).at(-1) ?? Buffer.alloc(0));
  leg.onMessage({ type: 'nack', mediaSsrc: 22, sequenceNumbers: [lost?.sequenceNumber ?? 0] });
  clock.forward(5);
  const [again, ...more] = of(32);
  expect(more).toEqual([]);
  expect([textOf(again, 11), textOf(again, 10), textOf(again, 4)]).toEqual(['m', undefined, '1']);
  expect([of(31), of(33)]).toEqual([[], []]);
});

test('the highest layer is left out while too little is allowed, begins with a key frame, and counts as sending nothing before', () => {
  const { leg, of, outbound, seconds } = aLeg();
  seconds(2);
  expect(of(23)).toEqual([]);
  expect(outbound().map(({ frameWidth }) => frameWidth)).toEqual([240, 480, undefined]);
  expect(outbound().map(({ targetBitrate }) => targetBitrate)).toEqual([110_000, 250_000, 0]);
  leg.onMessage({ type: 'remb', bitrateBps: 1_300_000, ssrcs: [] });
  seconds(7);
  expect(outbound().map(({ targetBitrate }) => targetBitrate)).toEqual([110_000, 350_000, 700_000]);
  // RFC 6386, 9.1: the lowest bit of a key frame is clear; six bytes of descriptor stand before it.
  const first = readRtp(of(23)[0] ?? Buffer.alloc(0))?.payload;
  expect([first?.[0], (first?.[6] ?? 1) & 1]).toEqual([0x90, 0]);
});

test('a server that takes fewer layers is told of by how many', () => {
  const { leg } = aLeg({ ...agreed, layers: { rids: ['h'], ridId: 10, repairedRidId: undefined } });
  expect(leg.refused).toBe('1 of our 3 layers');
  expect(aLeg().leg.refused).toBeUndefined();
});
