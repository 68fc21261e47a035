import { expect, test } from '@playwright/test';
import { soundKbps } from '../../../model/rate-control.js';
import type { StreamSample } from '../../../model/sample.js';
import { seededRandom } from '../../../model/seeded-random.js';
import { withCheapSound } from './cheap-sound.js';
import { type Clip, packClip, type Rung, unpackClip } from './clip-file.js';
import { ClipPlayer } from './clip-player.js';
import { frameHandler } from './frame-handler.js';
import { RungChoice, resentShare, rungFor, rungLadder, topRates } from './rungs.js';
import { trueFigures } from './true-figures.js';
import type { StreamCount, StreamCounts } from './worker-wire.js';

/** Frames of one byte, which names them: rung 1 has 10, 11, 12 …. */
const rung = (kbps: number, name: number, length: number): Rung => ({
  kbps,
  frames: Array.from({ length }, (_, index) => Uint8Array.of(name * 10 + index)),
});
const clip: Clip = {
  width: 640,
  height: 360,
  framesPerSecond: 30,
  rungs: [rung(250, 1, 4), rung(500, 2, 6)],
  standIn: { key: Uint8Array.of(1, 2, 3), delta: Uint8Array.of(4) },
  packets: [Uint8Array.of(7), Uint8Array.of(8)],
  lightPackets: [Uint8Array.of(9), Uint8Array.of(10)],
};
const ladderOf = (ceilingKbps: number): readonly number[] => rungLadder(topRates(ceilingKbps));
const ladder = [112, 128, 146, 167, 190, 217, 247, 282, 322, 367, 418, 477, 500];
const names = (player: ClipPlayer, types: string): readonly number[] =>
  [...types].map((type) => player.play(type === 'K' ? 'key' : 'delta').data[0] ?? -1);

test('a packed clip is read back as it was, and one that is cut short is refused', () => {
  const packed = packClip(clip);
  expect(unpackClip(packed)).toEqual(clip);
  expect(() => unpackClip(packed.subarray(0, packed.length - 1))).toThrow('its header says');
});

test('rates go down from the ceiling in fine steps while they can be judged, then in steps that an estimate can climb', () => {
  expect(ladderOf(500)).toEqual([120, 137, 156, 178, 203, 231, 263, 300, 342, 390, 445, 467, 500]);
  for (const ceiling of [60, 150, 300, 500, 1200, 2500]) {
    const ladder = ladderOf(ceiling);
    expect(ladder.length).toBeLessThan(18);
    expect((ladder.at(-1) ?? 0) / ceiling).toBeGreaterThan(0.98);
    ladder.slice(1).forEach((kbps, index) => {
      const below = ladder[index] ?? 0;
      expect(kbps / below, `${below} to ${kbps} of ${ceiling}`).toBeLessThanOrEqual(kbps > 0.3 * ceiling ? 1.15 : 1.45);
    });
  }
});

test('the highest rate that is allowed is taken, and the lowest when none is', () => {
  expect([20, 130, 250, 300, 477, 499, 500, 9000].map((allowed) => ladder[rungFor(allowed, ladder)])).toEqual([
    112, 128, 247, 282, 477, 477, 500, 500,
  ]);
});

test('what is sent again is taken off the rate, half of it at most, as libwebrtc does with encoders', () => {
  const sent = (metrics: StreamSample['metrics']): StreamSample =>
    ({ leg: '1a', direction: 'send', kind: 'video', metrics }) as StreamSample;
  expect(resentShare(sent({ packetsSent: 100, packetsResent: 30 }))).toBe(0.3);
  expect(resentShare(sent({ packetsSent: 100, packetsResent: 80 }))).toBe(0.5);
  expect(resentShare(sent({ packetsSent: 60, packetsResent: 4 })), 'loss is no congestion').toBe(0);
  expect(resentShare(sent({ packetsSent: 0, packetsResent: 0 }))).toBe(0);
  expect(resentShare(undefined)).toBe(0);
});

/** What a sender that began at 300 kbit/s plays, second by second, of a ladder. */
function played(ladder: readonly number[], allowed: readonly number[]): readonly number[] {
  const choice = new RungChoice(ladder, rungFor(300, ladder));
  return allowed.map((kbps) => ladder[choice.choose(kbps)] ?? 0);
}
const times = <Value>(count: number, value: Value): Value[] => Array<Value>(count).fill(value);

test('a sender follows a great fall at once, a great rise after two seconds, and a small change when it lasts', () => {
  expect(played(ladder, [477, 477, 470, 480]), 'up by far').toEqual([282, 477, 477, 477]);
  expect(played(ladder, [477, 477, 428, 300]), 'down by a tenth and more').toEqual([282, 477, 418, 282]);
  expect(played(ladder, times(6, 325)), 'up by one').toEqual([...times(4, 282), 322, 322]);
  const wavering = [...times(9, 275), 285, ...times(10, 275)];
  expect(played(ladder, wavering), 'down by one').toEqual([...times(19, 282), 247]);
});

for (const ceiling of [300, 500, 1200, 2500]) {
  test(`of a ceiling of ${ceiling} kbit/s, whatever is allowed from 30 % on, 87 % of it is played once that is steady`, () => {
    const ladder = ladderOf(ceiling);
    const wrong: string[] = [];
    for (let estimate = 0.3 * ceiling; estimate <= 1.05 * ceiling; estimate += ceiling / 997) {
      const allowed = estimate - soundKbps;
      for (const before of [0, 4000]) {
        const last = played(ladder, [...times(5, before), ...times(20, allowed)]).at(-1) ?? 0;
        const inBounds = last >= 0.87 * Math.min(allowed, ceiling) && last <= Math.max(allowed, ladder[0] ?? 0);
        if (!inBounds) wrong.push(`${last} of ${allowed} allowed, ${before} before`);
      }
    }
    expect(wrong).toEqual([]);
  });
}

test('an estimate that wavers by 5 % changes the rate far less than once in ten seconds, wherever it is', () => {
  const draw = seededRandom(15);
  const ladder = ladderOf(500);
  const seconds = 600;
  let most = 0;
  for (let allowed = 110; allowed <= 520; allowed += 1) {
    const wavering = Array.from({ length: seconds }, () => allowed * (0.95 + 0.1 * draw()));
    // What it began with is not what it has to do with.
    const rates = played(ladder, wavering).slice(20);
    most = Math.max(most, rates.filter((kbps, index) => index > 0 && kbps !== rates[index - 1]).length);
  }
  expect(most).toBeLessThan(seconds / 40);
});

test('each delta is the next of the chain, and every key frame begins it anew', () => {
  const player = new ClipPlayer(clip.rungs, 1);
  expect(names(player, 'KdddKdd')).toEqual([20, 21, 22, 23, 20, 21, 22]);
});

test('another rate is asked for at once and begins with a key frame, never in the middle of a chain', () => {
  const player = new ClipPlayer([rung(250, 1, 90), rung(500, 2, 90)], 1);
  names(player, 'Kd');
  expect(player.asksForKeyFrame()).toBe(false);
  player.want(0);
  expect(player.asksForKeyFrame()).toBe(true);
  expect(player.asksForKeyFrame(), 'asked once').toBe(false);
  expect(names(player, 'dKd')).toEqual([22, 10, 11]);
  expect(player.kbps).toBe(250);
});

test('a key frame is asked for before the clip ends; without one the last frame goes out again and is told', () => {
  const player = new ClipPlayer([rung(500, 2, 6)], 0);
  expect(player.play('key').inOrder).toBe(true);
  expect(player.asksForKeyFrame()).toBe(true);
  expect(names(player, 'ddddd')).toEqual([21, 22, 23, 24, 25]);
  const { data, inOrder } = player.play('delta');
  expect([data[0], inOrder]).toEqual([25, false]);
  expect(names(player, 'Kd'), 'the answer begins the clip anew').toEqual([20, 21]);
});

test('a sender whose first frame is no key frame is not in order: nobody could decode it', () => {
  expect(new ClipPlayer(clip.rungs, 0).play('delta').inOrder).toBe(false);
});

const frame = (type: 'key' | 'delta', size = {}) => ({
  type,
  data: new ArrayBuffer(900),
  getMetadata: () => size,
});
const bytesOf = (one: { readonly data: ArrayBuffer }) => [...new Uint8Array(one.data)];

test('received frames give way to tiny ones, key for key, and their true size is kept', () => {
  const handler = frameHandler({ stream: 's', direction: 'receive', kind: 'video', rung: 0 }, clip, () => undefined);
  const [key, delta] = [frame('key', { width: 1280, height: 720 }), frame('delta')];
  handler.handle(key);
  handler.handle(delta);
  expect([bytesOf(key), bytesOf(delta)]).toEqual([[1, 2, 3], [4]]);
  expect(handler.count()).toMatchObject({ replaced: 2, keyFrames: 1, width: 1280, height: 720 });
});

test('sent speech is replaced packet by packet, again from the start at its end, in the light packets only where they were asked for', () => {
  const sentBy = (light: boolean): unknown => {
    const order = { stream: 's', direction: 'send', kind: 'audio', rung: 0, light } as const;
    const handler = frameHandler(order, clip, () => undefined);
    const packets = [frame('key'), frame('key'), frame('key')];
    for (const packet of packets) handler.handle(packet);
    return packets.map(bytesOf);
  };
  expect([sentBy(false), sentBy(true)]).toEqual([
    [[7], [8], [7]],
    [[9], [10], [9]],
  ]);
});

const audioSection = (format: string, feedback = ''): string =>
  `m=audio 9 RTP/SAVPF 111\r\n${format}${feedback}a=mid:0\r\n`;
const videoSection = 'm=video 9 RTP/SAVPF 96\r\na=rtpmap:96 VP8/90000\r\na=rtcp-fb:96 transport-cc\r\n';
const asked = 'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 minptime=10;useinbandfec=1\r\n';

test('our own encoder gives plain samples under the payload type of Opus, whatever the server wished for', () => {
  const plain = 'a=rtpmap:111 L16/48000\r\na=fmtp:111 ptime=20\r\n';
  expect(withCheapSound(audioSection(asked) + videoSection)).toBe(audioSection(plain) + videoSection);
  expect(withCheapSound(videoSection + audioSection(asked))).toBe(videoSection + audioSection(plain));
  expect(withCheapSound('v=0\r\n')).toBe('v=0\r\n');
});

test('where sound counts in the congestion control, our own encoder gives the cheapest Opus', () => {
  const cheapest = 'a=rtpmap:111 opus/48000/2\r\na=fmtp:111 maxplaybackrate=8000;maxaveragebitrate=6000\r\n';
  for (const feedback of [
    'a=rtcp-fb:111 transport-cc\r\n',
    'a=extmap:3 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01\r\n',
  ]) {
    expect(withCheapSound(audioSection(asked, feedback))).toBe(audioSection(cheapest, feedback));
  }
});

const count = (replaced: number, more: Partial<StreamCount> = {}): StreamCount => ({
  replaced,
  repeated: 0,
  keyFrames: 1,
  width: 640,
  height: 360,
  kbps: 500,
  ...more,
});
const report = (streams: readonly (readonly [string, StreamCount])[]): StreamCounts => new Map(streams);
const sent: StreamSample = {
  leg: '1a',
  direction: 'send',
  kind: 'video',
  metrics: { framesEncoded: 30, encodeMs: 3, frameWidth: 32, frameHeight: 18, targetKbps: 296 },
  qualityLimitation: 'none',
};
const received: StreamSample = {
  leg: '1a',
  direction: 'receive',
  kind: 'video',
  metrics: { framesDecoded: 30, frameWidth: 16, frameHeight: 16 },
};

test('what getStats says of the small frames is put right from what the worker saw', () => {
  const [before, now] = [100, 130].map((replaced) =>
    report([
      ['1a/send/video', count(replaced)],
      ['1a/receive/video', count(replaced, { width: 320, height: 180 })],
    ]),
  );
  expect(trueFigures([sent, received], before, now)).toEqual([
    {
      leg: '1a',
      direction: 'send',
      kind: 'video',
      metrics: { framesEncoded: 30, frameWidth: 640, frameHeight: 360, framesReplaced: 30, targetKbps: 500 },
    },
    {
      leg: '1a',
      direction: 'receive',
      kind: 'video',
      metrics: { framesDecoded: 30, frameWidth: 320, frameHeight: 180 },
    },
  ]);
});

test('of a stream that getStats does not have, what the worker knows of before tells nothing', () => {
  const gone = [sent, received].map((stream): StreamSample => ({ ...stream, metrics: {} }));
  const known = report([
    ['1a/send/video', count(100)],
    ['1a/receive/video', count(100)],
  ]);
  expect(trueFigures(gone, known, known).map(({ metrics }) => metrics)).toEqual([{}, {}]);
});

test('what the worker did not tell is absent, and never what getStats saw of the small frames', () => {
  const [own, other] = trueFigures([sent, received], report([]), undefined);
  expect(own?.metrics).toEqual({ framesEncoded: 30 });
  expect(other?.metrics).toEqual({ framesDecoded: 30 });
});
