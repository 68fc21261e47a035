import { expect, test } from '@playwright/test';
import type { Link, Network } from '../../model/network.js';
import type { Leg } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import type { ReceivedAudio, ReceivedVideo } from '../../tests/builders/streams.js';
import { aTrial, calls, withProbes } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { judge } from './judge.js';

const seen = (foreignPercent: number) =>
  judge(
    aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ delayMs: 20, foreignPercent, seen: senderOf('2b') }))),
  );

test('pictures of another sender make a trial unstable from a hundredth of the frames on, and are named', () => {
  expect(seen(0.9).kind).toBe('stable');
  expect(seen(5).reasons.map(({ text }) => text)).toEqual([
    '1a received video from 1b with the pictures of 2b in 5 % of its frames (limit 1 %).',
  ]);
});

test('whatever share of foreign frames there is: below the limit nothing is said, above it each time', () => {
  const random = randomFrom(23);
  for (let nth = 0; nth < times(200, 5000); nth += 1) {
    const percent = 100 * random() ** 6;
    const codes = seen(percent).reasons.map(({ code }) => code);
    expect(codes, `${percent} %`).toEqual(percent > 1 ? ['wrong-picture'] : []);
  }
});

test('where no sender marks its pictures there is no row of it, and nothing is judged', () => {
  const { thresholds, kind } = judge(aTrial(calls(2)));
  expect(kind).toBe('stable');
  expect(thresholds.map(({ code }) => code)).not.toContain('wrong-picture');
});

const late = (delayMs: number | ((second: number) => number), seconds = 60) =>
  judge(aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ delayMs })), { seconds }));

test('a picture that is seconds late is unstable with no limit of the plan, and so is one that gets later and later', () => {
  expect(late(10).kind).toBe('stable');
  expect(late(3000)).toMatchObject({
    kind: 'unstable',
    reasons: [
      {
        code: 'late-picture',
        text: '1a received video from 1b 3000 ms after it was taken, p95 (limit 400 ms).',
      },
    ],
  });
  expect(late((second) => 10 + 5 * second)).toMatchObject({
    kind: 'unstable',
    reasons: [
      {
        code: 'delay-growing',
        text: '1a received video from 1b later and later, by 220 ms from the start of the window to its end (limit 100 ms).',
      },
    ],
  });
});

test('one late second, and delays that come and go, are noticed by no rule on delay', () => {
  for (const seconds of [10, 30, 60])
    for (const spike of [0, seconds >> 1, seconds - 1])
      expect(late((second) => (second === spike ? 900 : 8), seconds).kind, `${spike} of ${seconds} s`).toBe('stable');
  expect(late((second) => 60 + 50 * Math.sin(second)).kind).toBe('stable');
});

/** Each on a link of this delay, both ways. */
function onLinks(delayMs: number, link: Link) {
  const trial = aTrial(withProbes(calls(1), aProbe('1a').receivesVideo({ delayMs })), { baseline: null });
  const placed = trial.probes.map(({ participant, ...probe }) => ({
    ...probe,
    participant: { ...participant, network: 'far', legs: participant.legs.map(onFar) },
  }));
  const networks: Network[] = [{ name: 'far', sharePercent: 100, up: link, down: link, steps: [] }];
  return judge({ ...trial, probes: placed, networks }).reasons.map(({ text }) => text);
}

const onFar = (leg: Leg): Leg =>
  leg.from && 'participant' in leg.from ? { ...leg, from: { ...leg.from, network: 'far' } } : leg;

test('what links take is taken off: their delay, and a repair on each that loses', () => {
  expect(onLinks(990, { delayMs: 300 })).toEqual([]);
  expect(onLinks(1010, { delayMs: 300 })).toEqual([
    '1a received video from 1b 410 ms after it was taken, p95, counted from the 600 ms of its link (limit 400 ms).',
  ]);
  const lossy: Link = { delayMs: 300, loss: { kind: 'random', percent: 0.1 } };
  expect(onLinks(600 + 2 * 620 + 390, lossy)).toEqual([]);
  expect(onLinks(5000, { delayMs: 40, rateBps: 400_000 })).toEqual([]);
});

test("a limit of the plan's own holds in place of the usual one", () => {
  const trial = aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ delayMs: 600 })));
  const own = {
    of: 'stream',
    text: '',
    aggregate: 'delayP95Ms',
    kind: 'video',
    direction: 'receive',
    unit: 'ms',
  } as const;
  const also = [{ ...own, ofBaseline: false, comparison: 'at-most', limit: 800 } as const];
  expect(judge({ ...trial, thresholds: { ...trial.thresholds, also } }).kind).toBe('stable');
});

test('sound of another sender, and sound that is late, are unstable by names of their own', () => {
  const heard = (audio: ReceivedAudio) => {
    const { kind, reasons } = judge(aTrial(withProbes(calls(2), aProbe('1a').receivesAudio(audio))));
    return [kind, ...reasons.map(({ code, text }) => `${code}: ${text}`)];
  };
  expect(heard({ delayMs: 20, foreignPercent: 0 })).toEqual(['stable']);
  expect(heard({ delayMs: 20, foreignPercent: 5, seen: senderOf('2b') })).toEqual([
    'unstable',
    'wrong-sound: 1a received audio from 1b with the sound of 2b in 5 % of its packets (limit 1 %).',
  ]);
  expect(heard({ delayMs: 900 })).toEqual([
    'unstable',
    'late-sound: 1a received audio from 1b 900 ms after it was taken, p95 (limit 400 ms).',
  ]);
});

const looked = (looks: ReceivedVideo['looks'] & object) =>
  judge(aTrial(withProbes(calls(2), aProbe('1a').receivesVideo({ looks })))).reasons.map(({ text }) => text);

test('what a full probe sees is judged: late, again and again the same, of one colour', () => {
  expect(looked({ shownMs: 350, still: 0.05, blank: 0.05 })).toEqual([]);
  expect(looked({ shownMs: 3000 })).toEqual([
    '1a received video from 1b that was shown 3000 ms after it was taken, p95 (limit 1000 ms).',
  ]);
  expect(looked({ still: 1 })).toEqual([
    '1a received video from 1b that showed the same picture again in 100 % of the looks at it (limit 10 %).',
  ]);
  expect(looked({ blank: 0.5 })).toEqual([
    '1a received video from 1b of one colour in 50 % of the looks at it (limit 10 %).',
  ]);
});

test('a delay between hosts breaks a limit only where it does however their clocks are, and says how far they leave it open', () => {
  const between = (delayMs: number, boundMs?: number) => {
    const video = { delayMs, ...(boundMs === undefined ? {} : { boundMs }) };
    return judge(aTrial(withProbes(calls(2), aProbe('1a').receivesVideo(video))));
  };
  expect([between(402).kind, between(402, 3).kind, between(404, 3).kind]).toEqual(['unstable', 'stable', 'unstable']);
  expect(between(408, 3).reasons.map(({ text }) => text)).toEqual([
    '1a received video from 1b 405 ms after it was taken, p95, at least: it is 408 ± 3 ms by the clocks of two hosts (limit 400 ms).',
  ]);
  expect(between(408, 3).reasons[0]).toMatchObject({ code: 'late-picture', measured: 405 });
});

test('a limit on the bound of delays holds on one clock, where nothing is open, and needs a delay to be known', () => {
  const own = {
    of: 'stream',
    text: '',
    aggregate: 'delayBoundMs',
    kind: 'video',
    direction: 'receive',
    unit: 'ms',
  } as const;
  const also = [{ ...own, ofBaseline: false, comparison: 'at-most', limit: 2 } as const];
  const kindOf = (video: ReceivedVideo) => {
    const all = calls(2).map((probe) => probe.receivesVideo(video));
    const trial = aTrial(all);
    const { kind, thresholds } = judge({ ...trial, thresholds: { ...trial.thresholds, also } });
    return [kind, thresholds.find(({ id }) => id.of === 'stream' && id.aggregate === 'delayBoundMs')?.worst];
  };
  expect(kindOf({ delayMs: 20 })).toEqual(['stable', 0]);
  expect(kindOf({ delayMs: 20, boundMs: 1 })).toEqual(['stable', 1]);
  expect(kindOf({ delayMs: 20, boundMs: 3 })).toEqual(['unstable', 3]);
  expect(kindOf({})).toEqual(['void', null]);
});
