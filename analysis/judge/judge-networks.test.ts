import { expect, test } from '@playwright/test';
import type { Link, Network } from '../../model/network.js';
import type { Participant } from '../../model/scenario.js';
import { baselineOf } from '../../tests/builders/baseline-of.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';

const clean: Network = { name: 'clean', sharePercent: 75, up: {}, down: {}, steps: [] };
const lossy = { delayMs: 40, jitterMs: 5, loss: { kind: 'random', percent: 3 } } as const;
const poor: Network = { name: 'poor', sharePercent: 25, up: lossy, down: lossy, steps: [] };

/** What 3 % each way do to a probe: its own way down and the other's way up, and 80 ms of round trip. */
const onPoor = (id: string, { lossPercent = 6, rttMs = 82, jitterMs = 12 } = {}): ProbeBuilder =>
  aProbe(id)
    .receivesVideo({ lossPercent, jitterMs, fps: 27 })
    .receivesAudio({ lossPercent, jitterMs })
    .sendsVideo({ lossPercent: lossPercent / 2, rttMs })
    .sendsAudio({ lossPercent: lossPercent / 2, rttMs })
    .isRead({ rttMs });

/** The same trial with its probes on networks, by the last letter and number of their ids. */
function onNetworks(input: JudgeInput, networkOf: (id: string) => string, excused = true): JudgeInput {
  const place = (participant: Participant): Participant => ({
    ...participant,
    network: networkOf(participant.id),
    legs: participant.legs.map((leg) =>
      leg.from && 'participant' in leg.from
        ? { ...leg, from: { ...leg.from, network: networkOf(leg.from.participant) } }
        : leg,
    ),
  });
  return {
    ...input,
    probes: input.probes.map((probe) => ({ ...probe, participant: place(probe.participant) })),
    ...(excused ? { networks: [clean, poor] } : {}),
  };
}

const bothPoor = [onPoor('2a'), onPoor('2b')];
const secondIsPoor = (id: string) => (id.startsWith('2') ? 'poor' : 'clean');
const lastIsPoor = (id: string) => (id === '2b' ? 'poor' : 'clean');

/** One call on each network. */
function baseline() {
  const probes = withProbes(calls(2), ...bothPoor);
  const { probes: records } = onNetworks(aTrial(probes, { baseline: null }), secondIsPoor);
  const samples = probes.flatMap((probe) => probe.samples(startMs, 60));
  return baselineOf(
    samples,
    records.map(({ participant }) => participant),
    { startMs, endMs: startMs + 60_000 },
  );
}

const failing = (input: JudgeInput) => [...new Set(judge(input).reasons.flatMap(({ probe }) => probe ?? []))].sort();

test('the baseline on a link of 3 % each way is stable with what such a link does', () => {
  const trial = aTrial(withProbes(calls(2), ...bothPoor), { baseline: null });
  expect(judge(onNetworks(trial, secondIsPoor))).toMatchObject({ kind: 'stable' });
});

test('a baseline that loses far more than its link was set to is unstable', () => {
  const trial = aTrial(withProbes(calls(2), onPoor('2a', { lossPercent: 25 })), { baseline: null });
  expect(failing(onNetworks(trial, secondIsPoor))).toContain('2a');
});

test('what one session alone had on the same network is not blamed on the server', () => {
  const trial = aTrial(withProbes(calls(2), ...bothPoor), { baseline: baseline() });
  const verdict = judge(onNetworks(trial, secondIsPoor));
  expect(verdict).toMatchObject({ kind: 'stable' });
  const loss = verdict.thresholds.find(({ code }) => code === 'video-loss');
  expect(loss).toMatchObject({ worst: 0, limit: 1 });
});

test('what comes on top of the link is, and the sentence says from where it is counted', () => {
  const trial = aTrial(withProbes(calls(2), onPoor('2a'), onPoor('2b', { lossPercent: 14 })), { baseline: baseline() });
  const verdict = judge(onNetworks(trial, secondIsPoor));
  expect(verdict.kind).toBe('unstable');
  const text = verdict.reasons.find(({ probe, code }) => probe === '2b' && code === 'video-loss')?.text;
  expect(text).toMatch(/counted from the [\d.]+ % of its link \(limit 1 %\)/);
  expect(failing(onNetworks(trial, secondIsPoor))).toEqual(['2b']);
});

test('speech that its sender sent without repair may be as poor as the link makes it, and no poorer', () => {
  const heard = (concealedPercent: number) => {
    const poorly = onPoor('2a').receivesAudio({ lossPercent: 6, jitterMs: 12, concealedPercent });
    const trial = aTrial(withProbes(calls(2), poorly, onPoor('2b')), { baseline: baseline() });
    return judge(onNetworks(trial, secondIsPoor)).reasons.map(({ probe, code }) => `${probe} ${code}`);
  };
  expect(heard(6)).toEqual([]);
  expect(heard(25)).toEqual(['2a audio-quality']);
});

test('a rate that congestion control chose on a link of jitter is not blamed on the server', () => {
  const fails = (id: '1a' | '2a', link: Link) => {
    const slowly = id === '1a' ? aProbe('1a') : onPoor('2a');
    const trial = aTrial(withProbes(calls(2), slowly.receivesVideo({ kbps: 150 }), onPoor('2b')), {
      baseline: baseline(),
    });
    const networks = [clean, { ...poor, up: link, down: link }];
    return judge({ ...onNetworks(trial, secondIsPoor), networks }).reasons.some(({ code }) => code === 'low-bitrate');
  };
  expect(fails('2a', lossy)).toBe(false);
  expect(fails('2a', { ...lossy, jitterMs: 1 })).toBe(true);
  expect(fails('1a', lossy)).toBe(true);
});

test('a round trip counts beyond that of the link', () => {
  const of = (rttMs: number) => {
    const trial = aTrial(withProbes(calls(2), onPoor('2a'), onPoor('2b', { rttMs })), { baseline: baseline() });
    return judge(onNetworks(trial, secondIsPoor));
  };
  expect(of(380).kind).toBe('stable');
  expect(of(400).reasons[0]?.text).toBe('2b had a round trip of 318 ms beyond the 82 ms of its link (limit 300 ms).');
});

test('participants on a clean network have the plain limits, whoever else is on a poor one', () => {
  const hurt = aProbe('1a').receivesVideo({ lossPercent: 2 });
  const trial = aTrial(withProbes(calls(2), hurt, ...bothPoor), { baseline: baseline() });
  expect(failing(onNetworks(trial, secondIsPoor))).toEqual(['1a']);
});

test('who hears somebody over a poor link is not the server’s victim', () => {
  const hears = aProbe('2a').receivesVideo({ lossPercent: 3 }).receivesAudio({ lossPercent: 3 });
  const trial = aTrial(withProbes(calls(2), hears, onPoor('2b', { lossPercent: 3 })), { baseline: baseline() });
  expect(judge(onNetworks(trial, lastIsPoor))).toMatchObject({ kind: 'stable' });
});

test('with absolute limits one probe alone with 3 % of loss is named, with its call, and no other', () => {
  const trial = aTrial(withProbes(calls(4), onPoor('2b', { lossPercent: 3 })), {});
  expect(failing(onNetworks(trial, lastIsPoor, false))).toEqual(['2b']);
});

test('a slow link is no reason to grow more slowly: its own round trip is not counted', () => {
  const slow = { rttMs: 337 } as const;
  const trial = aTrial(withProbes(calls(2), onPoor('2a', slow), onPoor('2b', slow)), { baseline: baseline() });
  const far = judge({ ...onNetworks(trial, secondIsPoor), steers: true });
  expect(far.thresholds.find(({ code }) => code === 'round-trip')?.level).toBe('moderate');
  const near = aTrial(withProbes(calls(2), ...bothPoor), { baseline: baseline() });
  const judged = judge({ ...onNetworks(near, secondIsPoor), steers: true });
  expect(judged.thresholds.find(({ code }) => code === 'round-trip')?.level).toBe('bold');
});

test('a first frame that an impaired link delays is not blamed on the server, one on a clean link is', () => {
  const times = { answerMs: 50, iceConnectedMs: 200, dtlsConnectedMs: 300 };
  const slowly = (id: string, firstFrameMs: number) => onPoor(id).joined({ ...times, firstFrameMs });
  const all = aTrial(withProbes(calls(2), slowly('2a', 7000), slowly('2b', 7200)), { baseline: null });
  expect(judge(onNetworks(all, secondIsPoor))).toMatchObject({ kind: 'stable' });
  const everybody = withProbes(calls(1), slowly('1a', 7000), slowly('1b', 7200));
  const alone = judge(onNetworks(aTrial(everybody, { baseline: null }), () => 'poor'));
  expect(alone.thresholds.find(({ code }) => code === 'first-frame-late')?.limitText).toBe('≤ 10 s');
  const clean = aTrial(withProbes(calls(2), aProbe('1a').joined({ ...times, firstFrameMs: 7000 })), { baseline: null });
  expect(failing(onNetworks(clean, secondIsPoor))).toContain('1a');
});
