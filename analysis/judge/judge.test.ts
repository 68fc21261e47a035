import { expect, test } from '@playwright/test';
import type { TrialEvent } from '../../model/trial.js';
import type { Reason, Verdict } from '../../model/verdict.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

const judged = (probes: readonly ProbeBuilder[], options?: TrialOptions) => judge(aTrial(probes, options));
const codes = (verdict: Verdict) => [...new Set(verdict.reasons.map((reason) => reason.code))];
const withOne = (probe: ProbeBuilder, options?: TrialOptions) => judged(withProbes(calls(3), probe), options);
const firstSeconds = (count: number, then: number, otherwise: number) => (second: number) =>
  second < count ? then : otherwise;

test('a trial in which every stream arrives as in the baseline is stable', () => {
  const verdict = judged(calls(3));
  expect(verdict).toMatchObject({ kind: 'stable', reasons: [] });
  expect(verdict).not.toHaveProperty('probesExhausted');
  expect(verdict.thresholds.map(({ code }) => code)).toEqual([
    'join-late',
    'first-frame-late',
    'low-bitrate',
    'low-frame-rate',
    'video-loss',
    'video-loss-burst',
    'audio-loss',
    'jitter',
    'frozen',
    'audio-quality',
    'sound-gap',
    'narrow-picture',
    'jitter-buffer',
    'round-trip',
    'round-trip-peaks',
  ]);
  expect(verdict.thresholds.every(({ passed, worst }) => passed && worst !== null)).toBe(true);
});

interface Edge {
  readonly code: Reason['code'];
  readonly inside: ProbeBuilder;
  readonly outside: ProbeBuilder;
  readonly says: string;
}

const joining = (ms: number, firstFrameMs = 800) => aProbe('3b').joined({ dtlsConnectedMs: ms, firstFrameMs });

const edges: readonly Edge[] = [
  {
    code: 'join-late',
    inside: joining(10_000),
    outside: joining(10_001),
    says: '3b joined after 10.001 s (limit 10 s).',
  },
  {
    code: 'first-frame-late',
    inside: joining(300, 5000),
    outside: joining(300, 5100),
    says: '3b saw its first frame after 5.1 s, the p95 of all (limit 5 s); 1 probe of 6 took longer than the limit.',
  },
  {
    code: 'low-bitrate',
    inside: aProbe('3b').receivesVideo({ kbps: 400 }),
    outside: aProbe('3b').receivesVideo({ kbps: 212 }),
    says: "3b received video from 3a at 212 kbit/s, 42.4 % of the baseline's 500 (limit 80 %).",
  },
  {
    code: 'low-bitrate',
    inside: aProbe('3b').receivesAudio({ kbps: 32 }),
    outside: aProbe('3b').receivesAudio({ kbps: 31.9 }),
    says: "3b received audio from 3a at 31.9 kbit/s, 79.8 % of the baseline's 40 (limit 80 %).",
  },
  {
    code: 'low-bitrate',
    inside: aProbe('3b').sendsVideo({ kbps: 400 }),
    outside: aProbe('3b').sendsVideo({ kbps: 300 }),
    says: "3b sent video at 300 kbit/s, 60 % of the baseline's 500 (limit 80 %).",
  },
  {
    code: 'low-frame-rate',
    inside: aProbe('3b').receivesVideo({ fps: 24 }),
    outside: aProbe('3b').receivesVideo({ fps: 23 }),
    says: "3b received video from 3a at 23 fps, 76.7 % of the baseline's 30 (limit 80 %).",
  },
  {
    code: 'video-loss',
    inside: aProbe('3b').receivesVideo({ lossPercent: 0.99 }),
    outside: aProbe('3b').receivesVideo({ lossPercent: 1.004 }),
    says: '3b lost 1.004 % of the video from 3a on the way from the server (limit 1 %).',
  },
  {
    code: 'video-loss',
    inside: aProbe('3b').sendsVideo({ lossPercent: 0.99 }),
    outside: aProbe('3b').sendsVideo({ lossPercent: 1.5 }),
    says: '3b lost 1.5 % of the video it sent on the way to the server (limit 1 %).',
  },
  {
    code: 'video-loss-burst',
    inside: aProbe('3b').receivesVideo({ lossPercent: firstSeconds(5, 4.9, 0) }),
    outside: aProbe('3b').receivesVideo({ lossPercent: firstSeconds(5, 6, 0) }),
    says: '3b lost 6 % of the video from 3a on the way from the server in its worst 5 s (limit 5 %).',
  },
  {
    code: 'audio-loss',
    inside: aProbe('3b').receivesAudio({ lossPercent: 0.99 }),
    outside: aProbe('3b').receivesAudio({ lossPercent: 2 }),
    says: '3b lost 2 % of the audio from 3a on the way from the server (limit 1 %).',
  },
  {
    code: 'jitter',
    inside: aProbe('3b').receivesAudio({ jitterMs: 30 }),
    outside: aProbe('3b').receivesAudio({ jitterMs: 31 }),
    says: '3b received audio from 3a with 31 ms of jitter (limit 30 ms).',
  },
  {
    code: 'frozen',
    inside: aProbe('3b').receivesVideo({ freezeMs: (second) => (second === 30 ? 1199 : 0) }),
    outside: aProbe('3b').receivesVideo({ freezeMs: (second) => (second === 30 ? 1500 : 0) }),
    says: '3b received video from 3a that stood still 2.5 % of the time: 1.5 s in 1 freeze (limit 2 %).',
  },
  {
    code: 'round-trip',
    inside: aProbe('3b').isRead({ rttMs: 299 }),
    outside: aProbe('3b').isRead({ rttMs: 310 }),
    says: '3b had a round trip of 310 ms (limit 300 ms).',
  },
  {
    code: 'audio-quality',
    inside: aProbe('3b').receivesAudio({ concealedPercent: 2.9 }),
    outside: aProbe('3b').receivesAudio({ concealedPercent: 4 }),
    says: '3b received audio from 3a at an estimated MOS (G.107, narrow band) of 3.32 (limit 3.5).',
  },
];

for (const { code, inside, outside, says } of edges) {
  test(`just inside ${code} is stable, just outside is unstable: ${says}`, () => {
    expect(withOne(inside)).toMatchObject({ kind: 'stable', reasons: [] });
    const verdict = withOne(outside);
    expect(verdict.kind).toBe('unstable');
    expect(verdict.reasons.map((reason) => reason.text)).toEqual([says]);
    expect(verdict.reasons[0]).toMatchObject({ code, probe: '3b', session: '3' });
    expect(verdict.thresholds.find((threshold) => threshold.code === code)).toMatchObject({
      passed: false,
      worstProbe: '3b',
    });
  });
}

test('one starving probe of forty fails the trial, and the worst is named first', () => {
  const verdict = judged(
    withProbes(calls(20), aProbe('7b').receivesVideo({ kbps: 390 }), aProbe('9a').receivesVideo({ kbps: 50, fps: 10 })),
  );
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons.map(({ probe, code }) => `${probe} ${code}`)).toEqual([
    '9a low-bitrate',
    '9a low-frame-rate',
    '7b low-bitrate',
  ]);
});

const missingStreams: readonly [string, ProbeBuilder, string][] = [
  ['never in getStats', aProbe('2a').lacks('receive', 'video'), '2a received no video from 2b in 60 s.'],
  ['without a byte', aProbe('2a').receivesAudio({ kbps: 0 }), '2a received no audio from 2b in 60 s.'],
  [
    'without a whole frame',
    aProbe('2a').receivesVideo({ fps: 0 }),
    '2a received video from 2b at 500 kbit/s but not one frame that could be decoded in 60 s.',
  ],
  ['not sent', aProbe('2a').lacks('send', 'audio'), '2a sent no audio in 60 s.'],
];

for (const [how, probe, text] of missingStreams) {
  test(`an expected stream that is ${how} fails by the name no-media`, () => {
    const verdict = withOne(probe);
    expect(verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'no-media', probe: '2a', text }] });
    expect(verdict.thresholds.some((threshold) => !threshold.passed)).toBe(true);
  });
}

test('asked is not up: whoever did not come up fails the trial by the reason of the failure', () => {
  expect(withOne(aProbe('3b').fails('ice-timeout', 'why'))).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'join-failed', text: '3b could not connect: why.' }],
  });
  expect(codes(withOne(aProbe('3b').neverUp()))).toEqual(['join-failed']);
  expect(codes(withOne(aProbe('3b').fails('disconnected', 'state failed', true)))).toEqual(['disconnected']);
  expect(codes(withOne(aProbe('3b').fails('no-media', 'no video from 3a for 10 s')))).toEqual(['no-media']);
});

test('probes that were never started make a clean trial void', () => {
  expect(judged(calls(3), { asked: 8 })).toMatchObject({
    kind: 'void',
    probesExhausted: false,
    reasons: [{ code: 'samples-missing', text: '2 probes of 8 were never started.' }],
  });
});

test('a starved presenter is told apart from starved viewers', () => {
  const presenter = aProbe('1p')
    .inRole('presenter')
    .presenting()
    .without('receive', 'audio')
    .without('receive', 'video')
    .sendsVideo({ kbps: 500 });
  const viewer = (id: string) => aProbe(id).inRole('viewer').without('send', 'audio').without('send', 'video');
  const measure = aTrial([presenter, viewer('1v')]);
  const baseline = {
    streams: {
      'presenter/send/video': { bitrateKbps: 500, fps: 30 },
      'presenter/send/audio': { bitrateKbps: 40 },
      'viewer/receive/video': { bitrateKbps: 500, fps: 30 },
      'viewer/receive/audio': { bitrateKbps: 40 },
    },
  };
  expect(judge({ ...measure, baseline }).kind).toBe('stable');
  const starved = aTrial([presenter.sendsVideo({ lossPercent: 5 }), viewer('1v').receivesVideo({ lossPercent: 9 })]);
  expect(codes(judge({ ...starved, baseline }))[0]).toBe('presenter-starved');
});

test('the baseline trial measures frames against the camera, and a mix against 15 fps', () => {
  const baseline = null;
  expect(judged(calls(1), { baseline }).kind).toBe('stable');
  expect(codes(judged(withProbes(calls(1), aProbe('1a').receivesVideo({ fps: 20 })), { baseline }))).toEqual([
    'low-frame-rate',
  ]);
  const mixed = (fps: number) => [aProbe('1a').hearsTheMix().receivesVideo({ fps }), aProbe('1b')];
  expect(judged(mixed(15), { baseline }).kind).toBe('stable');
  expect(judged(mixed(11), { baseline }).reasons[0]?.text).toBe(
    '1a received video of the mix at 11 fps, 73.3 % of the expected 15 (limit 80 %).',
  );
});

test('a mix of a server whose own rate is not known is measured against the camera, too', () => {
  const trial = aTrial([aProbe('1a').hearsTheMix().receivesVideo({ fps: 20 }), aProbe('1b')], { baseline: null });
  expect(judge(trial).kind).toBe('stable');
  expect(judge({ ...trial, mixedFps: undefined }).reasons[0]?.text).toBe(
    '1a received video of the mix at 20 fps, 66.7 % of the expected 30 (limit 80 %).',
  );
});

const server = (kind: 'lost' | 'reconnected', atMs: number): TrialEvent => ({
  type: 'server',
  kind,
  atMs,
  detail: 'exit code 137',
});

test('a media server that went away under load is the finding, unless it came back', () => {
  const dying = calls(2).map((probe) => probe.receivesVideo({ kbps: firstSeconds(30, 500, 0) }));
  const verdict = judged(dying, { events: [server('lost', startMs + 30_000)] });
  expect(verdict).toMatchObject({
    kind: 'unstable',
    reasons: [{ code: 'server-lost', text: 'The media server went away: exit code 137.' }],
  });
  const back = [server('reconnected', startMs + 31_000), server('lost', startMs + 30_000)];
  expect(judged(calls(2), { events: back }).kind).toBe('stable');
});

test('what the server reported as an error before all left is named first, and alone makes nothing unstable', () => {
  const events: TrialEvent[] = [
    {
      type: 'server',
      kind: 'failed',
      atMs: startMs,
      of: 'session',
      session: '2',
      detail: 'MIXER_DIED (1): The mixer of this room ended: ',
    },
  ];
  const starving = calls(2).map((probe) => probe.receivesVideo({ kbps: 0, fps: 0 }));
  const verdict = judged(starving, { events });
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons[0]).toEqual({
    code: 'server-error',
    session: '2',
    text: 'The media server reported an error: session 2: MIXER_DIED (1): The mixer of this room ended.',
  });
  expect(judged(calls(2), { events }).kind).toBe('stable');
  const leaving: TrialEvent[] = [{ type: 'phase', phase: 'leave', atMs: startMs }, ...events];
  expect(judged(starving, { events: leaving }).reasons[0]?.code).not.toBe('server-error');
});

test('the order of probes, samples and evidence never changes a verdict', () => {
  const trial = aTrial(
    withProbes(
      calls(6),
      aProbe('2a').receivesVideo({ kbps: 300, fps: 20 }),
      aProbe('4b').receivesVideo({ kbps: 300, fps: 20 }),
      aProbe('5a').fails('ice-timeout', 'no ICE connection in 10 s'),
      aProbe('6b').receivesAudio({ lossPercent: 3 }),
    ),
  );
  const expected = judge(trial);
  expect(expected.kind).toBe('unstable');
  let seed = 7;
  const random = () => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed / 2_147_483_647;
  };
  const shuffled = <T>(list: readonly T[]): T[] =>
    list
      .map((item) => ({ item, key: random() }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);
  for (let round = 0; round < 5; round += 1) {
    const evidence = { probeHost: shuffled(trial.evidence.probeHost), server: shuffled(trial.evidence.server) };
    const input = { ...trial, probes: shuffled(trial.probes), samples: shuffled(trial.samples), evidence };
    expect(judge(input)).toEqual(expected);
  }
});
