import { expect, test } from '@playwright/test';
import type { RateFeedback } from '../../model/rate-control.js';
import { middleOf, toNtp } from '../../rtp/ntp.js';
import { payloadOf } from '../../rtp/outgoing-packet.js';
import { type RtpPacket, readRtp, writeRtpHeader } from '../../rtp/rtp.js';
import { HandClock } from '../../tests/embedded/hand-clock.js';
import { clipOfBytes } from '../../tests/native-clip.js';
import { entriesOf } from '../page/stats-report.js';
import type { AgreedMedia } from './agreed-media.js';
import { LegSending } from './leg-sending.js';
import { type SentVoice, voiceOf } from './sent-sound.js';
import { sentEntries } from './sent-stats.js';

const own = { ssrcs: { audio: 11, video: 22 }, resent: 33, cname: '1a' };
const taken = {
  ...{ mid: '0', theySend: false, theyTake: true, ssrcs: [] },
  ...{ transportNumberId: undefined, absSendTimeId: 2, midId: undefined, takesRemb: true },
};
const agreed: readonly AgreedMedia[] = [
  {
    ...taken,
    kind: 'audio',
    codecs: new Map([[111, { name: 'opus', clockRate: 48_000, fmtp: undefined }]]),
    repairs: new Map(),
  },
  {
    ...taken,
    kind: 'video',
    codecs: new Map([[96, { name: 'vp8', clockRate: 90_000, fmtp: undefined }]]),
    repairs: new Map([[97, 96]]),
  },
];

interface Left {
  readonly atMs: number;
  readonly bytes: number;
}

const clip = clipOfBytes([100, 250, 400]);

/** A leg that sends, by a clock that stands until it is told to go on, and the packets that left. */
function aLeg(
  media: readonly AgreedMedia[] = agreed,
  voice: SentVoice = { packets: clip.packets },
  feedback: readonly RateFeedback[] = ['remb'],
) {
  const clock = new HandClock(1_700_000_000_000);
  const packets: RtpPacket[] = [];
  const left: Left[] = [];
  const missing = { told: 0 };
  const leg = new LegSending({
    clock,
    clips: [clip],
    voice,
    videoCodec: 'VP8',
    own,
    sends: ['audio', 'video'],
    agreed: media,
    ceilingBps: Number.POSITIVE_INFINITY,
    feedback,
    transmit: (outgoing) => {
      const datagram = Buffer.concat([writeRtpHeader(outgoing.header), payloadOf(outgoing)]);
      const packet = readRtp(datagram);
      if (packet) packets.push(packet);
      left.push({ atMs: clock.nowMs(), bytes: datagram.length });
      return datagram.length;
    },
    onMissing: () => {
      missing.told += 1;
    },
  });
  leg.start();
  const of = (ssrc: number) => packets.filter((packet) => packet.ssrc === ssrc);
  /** The first packets of frames that are key frames (RFC 7741, 4.2; RFC 6386, 9.1). */
  const keys = () => of(22).filter(({ payload: [head = 0, , , , first = 1] }) => head === 0x90 && (first & 1) === 0);
  const outbound = (kind: string) =>
    entriesOf(new Map(sentEntries(leg, clock.nowMs()).map((one) => [one.id, one])), 'outbound-rtp').find(
      (one) => one.kind === kind,
    );
  return { clock, leg, left, missing, of, keys, outbound };
}

test('a second of a leg has 30 frames and 50 packets of sound, in order, and says so', () => {
  const { clock, leg, of, keys, outbound } = aLeg();
  clock.forward(990);
  expect(of(11)).toHaveLength(50);
  expect(new Set(of(22).map(({ timestamp }) => timestamp)).size).toBe(30);
  expect(of(22).filter(({ marker }) => marker)).toHaveLength(30);
  expect(keys()).toHaveLength(1);
  const [first] = of(22);
  const numbers = of(22).map(({ sequenceNumber }) => sequenceNumber - (first?.sequenceNumber ?? 0));
  expect(numbers).toEqual(numbers.map((_, nth) => nth));
  expect(outbound('video')).toMatchObject({ packetsSent: of(22).length, framesSent: 30, keyFramesEncoded: 1 });
  expect(outbound('video')?.bytesSent).toBe(of(22).reduce((sum, { payload }) => sum + payload.length, 0));
  expect(outbound('audio')).toMatchObject({ packetsSent: 50, bytesSent: 4000 });
  const [report] = leg.tick();
  expect(report).toMatchObject({ ssrc: 22, packets: of(22).length });
  const sinceFirst = ((report?.rtpTimestamp ?? 0) - (first?.timestamp ?? 0)) >>> 0;
  expect(Math.round(sinceFirst / 90)).toBe(990);
});

test('a mute leg sends a frame of silence and the beginning of a pause, each 420 ms, at the times of speech', () => {
  const mute = { id: '1a', sends: ['audio'], receives: [], muted: true } as const;
  const { clock, of } = aLeg(agreed, voiceOf({ clips: [clip], videoKbps: 500 }, mute));
  clock.forward(4190);
  const sound = of(11);
  expect(sound.map(({ payload }) => payload.length)).toEqual(Array.from({ length: 10 }, () => [35, 1]).flat());
  const [first, ...others] = sound.map(({ timestamp }) => timestamp);
  const ticks = others.map((timestamp) => (timestamp - (first ?? 0)) >>> 0);
  expect(ticks.slice(0, 3)).toEqual([960, 420 * 48, 420 * 48 + 960]);
});

test('a voice that pauses sends silence for 200 ms, then as a mute one, and marks where it goes on', () => {
  let isSpeaking = true;
  const { clock, of } = aLeg(agreed, { packets: clip.packets, speech: { speaks: () => isSpeaking } });
  clock.forward(990);
  const spoken = of(11).length;
  isSpeaking = false;
  clock.forward(1000);
  const silent = of(11).slice(spoken);
  expect(silent.map(({ payload }) => payload.length)).toEqual(
    [...Array(10).fill(35), 1, 35, 1, 35, 1].slice(0, silent.length),
  );
  expect(silent.length).toBeGreaterThan(12);
  expect(silent.some(({ marker }) => marker)).toBe(false);
  isSpeaking = true;
  clock.forward(100);
  const again = of(11).slice(spoken + silent.length);
  expect(again.map(({ marker }) => marker)).toEqual([true, ...again.slice(1).map(() => false)]);
  const [first, last] = [of(11)[0], of(11).at(-1)];
  expect(((last?.timestamp ?? 0) - (first?.timestamp ?? 0)) >>> 0).toBeGreaterThan(48 * 2000);
});

test('what is asked for again comes on the stream for that, with its number in front, and counts as sent again', () => {
  const { clock, leg, missing, of, outbound } = aLeg();
  clock.forward(500);
  expect(missing.told).toBe(0);
  const lost = of(22).at(-3);
  if (!lost) throw new Error('nothing was sent');
  const before = Number(outbound('video')?.packetsSent);
  leg.onMessage({ type: 'nack', mediaSsrc: 22, sequenceNumbers: [lost.sequenceNumber] });
  clock.forward(1);
  const [again, ...others] = of(33);
  expect(others).toEqual([]);
  expect(again).toMatchObject({ payloadType: 97, timestamp: lost.timestamp, marker: lost.marker });
  expect(again?.payload.readUInt16BE(0)).toBe(lost.sequenceNumber);
  expect(again?.payload.subarray(2).equals(lost.payload)).toBe(true);
  expect(outbound('video')).toMatchObject({ nackCount: 1, retransmittedPacketsSent: 1, packetsSent: before + 1 });
  leg.onMessage({ type: 'nack', mediaSsrc: 22, sequenceNumbers: [(lost.sequenceNumber + 5000) & 0xffff] });
  expect(outbound('video')).toMatchObject({ nackCount: 2, retransmittedPacketsSent: 1 });
  expect(missing.told).toBe(2);
});

test('a request for a key frame is answered with the next frame, and both forms of it count as what they are', () => {
  const { clock, leg, keys, outbound } = aLeg();
  clock.forward(500);
  leg.onMessage({ type: 'key-frame-request', mediaSsrc: 22, form: 'pli' });
  clock.forward(40);
  expect(keys()).toHaveLength(2);
  // No sooner than 300 ms after the last one.
  leg.onMessage({ type: 'key-frame-request', mediaSsrc: 22, form: 'fir' });
  clock.forward(200);
  expect(keys()).toHaveLength(2);
  clock.forward(100);
  expect(keys()).toHaveLength(3);
  expect(outbound('video')).toMatchObject({ pliCount: 1, keyFramesEncoded: 3 });
});

test('the picture follows what the server allows, less what goes to the sound, and a report tells loss, jitter and round trip', () => {
  const { clock, leg, outbound } = aLeg();
  expect(outbound('video')).toMatchObject({ targetBitrate: 250_000 });
  leg.onMessage({ type: 'remb', bitrateBps: 500_000, ssrcs: [22] });
  for (let second = 0; second < 4; second += 1) {
    clock.forward(1000);
    leg.tick();
  }
  // Of 477 kbit/s; a change is a key frame, and comes with the next one.
  expect(outbound('video')).toMatchObject({ targetBitrate: 250_000 });
  for (let second = 0; second < 4; second += 1) {
    clock.forward(1000);
    leg.tick();
  }
  expect(outbound('video')).toMatchObject({ targetBitrate: 400_000 });
  const sentMs = clock.nowMs();
  clock.forward(80);
  const report = { fractionLost: 0, cumulativeLost: 3, highestSequenceNumber: 500, jitter: 900 };
  const heard = { ssrc: 22, lastSenderReport: middleOf(toNtp(sentMs)), delaySinceLastSenderReport: 65_536 * 0.05 };
  leg.onMessage({ type: 'receiver-report', ssrc: 9, reports: [{ ...report, ...heard }] });
  const entries = new Map(sentEntries(leg, clock.nowMs()).map((one) => [one.id, one]));
  const [remote] = entriesOf(entries, 'remote-inbound-rtp');
  expect(remote).toMatchObject({ packetsLost: 3, jitter: 0.01, roundTripTimeMeasurements: 1 });
  expect(Math.round(1000 * Number(remote?.roundTripTime))).toBe(30);
});

test('where packets are numbered, what the server allows is of their headers, too', () => {
  const targetOf = (feedback: readonly RateFeedback[]) => {
    const { clock, leg, outbound } = aLeg(agreed, undefined, feedback);
    leg.onMessage({ type: 'remb', bitrateBps: 430_000, ssrcs: [22] });
    for (let second = 0; second < 8; second += 1) {
      clock.forward(1000);
      leg.tick();
    }
    return outbound('video')?.targetBitrate;
  };
  // Of 407 and of 381 kbit/s, the clip has 400 and 250.
  expect([targetOf(['remb']), targetOf(['remb', 'transport-cc'])]).toEqual([400_000, 250_000]);
});

test('more requests for key frames than the rate carries make fewer frames, in order, and none waits for long; the camera is not to blame', () => {
  const { clock, leg, of, outbound } = aLeg();
  clock.forward(1000);
  leg.tick();
  const before = of(22).length;
  leg.onMessage({ type: 'remb', bitrateBps: 40_000, ssrcs: [22] });
  for (let tenth = 0; tenth < 50; tenth += 1) {
    leg.onMessage({ type: 'key-frame-request', mediaSsrc: 22, form: 'pli' });
    clock.forward(100);
    if (tenth % 10 === 9) leg.tick();
  }
  const inStorm = of(22).slice(before);
  const frames = new Set(inStorm.map(({ timestamp }) => timestamp)).size;
  expect(frames).toBeLessThan(5 * 30);
  expect(frames).toBeGreaterThan(5 * 5);
  const now = inStorm.at(-1);
  const numbers = inStorm.map(({ sequenceNumber }) => sequenceNumber - (inStorm[0]?.sequenceNumber ?? 0));
  expect(numbers).toEqual(numbers.map((_, nth) => nth));
  expect(Number(outbound('video')?.framesSent)).toBeLessThan(30 + 5 * 30);
  const entries = new Map(sentEntries(leg, clock.nowMs()).map((one) => [one.id, one]));
  expect(Math.round(Number(entriesOf(entries, 'media-source')[0]?.framesPerSecond))).toBe(30);
  // Of the picture that left last: how long after it was taken.
  const [report] = leg.tick();
  const takenAgoMs = ((report?.rtpTimestamp ?? 0) - (now?.timestamp ?? 0)) / 90;
  expect(takenAgoMs).toBeLessThan(500);
});

test('what feedback tells of a queue on the way is followed within the second, and not at its end', () => {
  const { clock, leg, left, outbound } = aLeg(agreed.map((media) => ({ ...media, transportNumberId: 3 })));
  const startMs = clock.nowMs();
  let [told, freeAtMs, linkBps] = [0, startMs, 2_000_000];
  const goOn = (tenths: number) => {
    for (let tenth = 0; tenth < tenths; tenth += 1) {
      clock.forward(100);
      const arrivedMs: number[] = [];
      for (const { atMs, bytes } of left.slice(told)) {
        const arrivesAtMs = Math.max(freeAtMs, atMs) + (8000 * bytes) / linkBps;
        if (arrivesAtMs > clock.nowMs()) break;
        freeAtMs = arrivesAtMs;
        arrivedMs.push(arrivesAtMs - startMs);
      }
      leg.onMessage({ type: 'transport-feedback', base: told & 0xffff, reference: 0, arrivedMs });
      told += arrivedMs.length;
      if (tenth % 10 === 9) leg.tick();
    }
  };
  goOn(20);
  expect(outbound('video')).toMatchObject({ targetBitrate: 250_000 });
  linkBps = 120_000;
  goOn(8);
  expect(outbound('video')).toMatchObject({ targetBitrate: 100_000 });
});
