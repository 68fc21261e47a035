import { expect, test } from '@playwright/test';
import type { Sample } from '../../model/sample.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

/** Calls 5 to 8 are played without browsers: what these cannot know is not in their samples. */
const isNative = (id: string) => Number.parseInt(id, 10) > 4;
const unknown = new Set(['jitterBufferMs', 'concealedSamples', 'silentConcealedSamples', 'totalSamples', 'audioLevel']);

function asNative(sample: Sample): Sample {
  if (!isNative(sample.probe)) return sample;
  const streams = sample.streams.map((stream) => ({
    ...stream,
    metrics: Object.fromEntries(Object.entries(stream.metrics).filter(([name]) => !unknown.has(name))),
  }));
  return { ...sample, streams };
}

function mixed(options: TrialOptions, ...changed: readonly ProbeBuilder[]) {
  const trial = aTrial(withProbes(calls(8), ...changed), options);
  return {
    ...trial,
    probes: trial.probes.map((probe) => (isNative(probe.participant.id) ? { ...probe, native: true as const } : probe)),
    samples: trial.samples.map(asNative),
  };
}

const judged = (...of: Parameters<typeof mixed>) => judge(mixed(...of));

const codes = (verdict: ReturnType<typeof judged>) => [...new Set(verdict.reasons.map(({ code }) => code))];
const starving = (id: string) => aProbe(id).receivesVideo({ kbps: 200, fps: 12 });
const ofCalls = (...numbers: readonly number[]) => numbers.flatMap((call) => [`${call}a`, `${call}b`]);

test('what a native probe cannot know is not missing, and limits on it are judged by the browsers', () => {
  const verdict = judged({});
  expect(verdict).toMatchObject({ kind: 'stable', reasons: [] });
  expect(verdict.thresholds.find(({ code }) => code === 'audio-quality')).toMatchObject({ passed: true });
});

test('a probe with a browser that lacks the same is still unmeasured', () => {
  const trial = aTrial(calls(4));
  const samples = trial.samples.map((sample) => ({ ...asNative({ ...sample, probe: '9x' }), probe: sample.probe }));
  const verdict = judge({ ...trial, samples });
  expect([verdict.kind, ...codes(verdict)]).toEqual(['void', 'samples-missing']);
});

test('one starving native probe makes a trial unstable, as one with a browser does', () => {
  expect(judged({}, starving('6a'))).toMatchObject({ kind: 'unstable', reasons: [{ probe: '6a' }, { probe: '6a' }] });
  expect(judged({}, starving('2a')).kind).toBe('unstable');
});

test('where all native probes starve and no browser does, or the other way round, nobody knows: the trial is void', () => {
  for (const suffering of [ofCalls(5, 6, 7, 8), ofCalls(1, 2, 3, 4)]) {
    const verdict = judged({}, ...suffering.map(starving));
    expect([verdict.kind, ...codes(verdict)]).toEqual(['void', 'kinds-disagree']);
    const texts = verdict.reasons.map(({ text }) => text).join(' ');
    expect(texts).toContain('did not see the same received video');
    expect(texts).toContain('disagree on whether something was wrong');
  }
});

test('where both kinds starve the server is to blame', () => {
  const verdict = judged({}, ...ofCalls(1, 2, 3, 4, 5, 6, 7, 8).map(starving));
  expect(verdict.kind).toBe('unstable');
  expect(codes(verdict)).not.toContain('kinds-disagree');
});

test('where both kinds suffer, the server is to blame, however differently they measure how much', () => {
  const native = ofCalls(5, 6, 7, 8).map((id) => aProbe(id).receivesVideo({ kbps: 200, fps: 12 }));
  const browsers = (...ids: readonly string[]) => ids.map((id) => aProbe(id).receivesVideo({ kbps: 320, fps: 20 }));
  const half = judged({}, ...native, ...browsers(...ofCalls(1, 2)));
  expect([half.kind, codes(half).includes('kinds-disagree')]).toEqual(['unstable', false]);
  const fewer = judged({}, ...native, ...browsers('1a', '1b', '2a'));
  expect([fewer.kind, ...codes(fewer)]).toEqual(['void', 'kinds-disagree']);
});

test('a difference of medians within its bound is none, and beyond it is named with both figures', () => {
  const less = (kbps: number) => ofCalls(5, 6, 7, 8).map((id) => aProbe(id).receivesVideo({ kbps }));
  expect(judged({}, ...less(460)).kind).toBe('stable');
  const verdict = judged({}, ...less(440));
  expect([verdict.kind, ...codes(verdict)]).toEqual(['void', 'kinds-disagree']);
  expect(verdict.reasons[0]?.text).toBe(
    'Native and browser probes did not see the same received video: 440 and 500 kbit/s in the median (limit 10 % apart).',
  );
});

test('kinds are compared by the senders that both receive: what they send differs, and is no difference of kinds', () => {
  const all = ofCalls(1, 2, 3, 4, 5, 6, 7, 8);
  /** Browsers receive x, native probes y, which sends less; the first two of each kind receive both. */
  const rooms = (ofNative: number) =>
    all.map((id) => {
      const isOfBoth = ['1a', '1b', '5a', '5b'].includes(id);
      const factor = isNative(id) ? ofNative : 1;
      const x = aProbe(id).receivesVideoFrom('x', { kbps: 500 * factor });
      const y = (probe: ProbeBuilder) => probe.receivesVideoFrom('y', { kbps: 430 * factor });
      if (isOfBoth) return y(x);
      return isNative(id) ? y(aProbe(id)) : x;
    });
  expect(codes(judged({}, ...rooms(1)))).toEqual([]);
  expect(codes(judged({}, ...rooms(0.88)))).toEqual(['kinds-disagree']);
});

test('native probes whose model of a picture buffer freezes where browsers do not are no proof, on a jittered link either', () => {
  const freezing = (percent: number) =>
    ofCalls(5, 6, 7, 8).map((id) =>
      aProbe(id).receivesVideo({ freezeMs: (second) => (second % 10 === 5 ? 100 * percent : 0) }),
    );
  const behindLinks = (percent: number) => {
    const trial = mixed({}, ...freezing(percent));
    const probes = trial.probes.map((probe) => ({ ...probe, participant: { ...probe.participant, network: 'far' } }));
    return judge({ ...trial, probes });
  };
  expect(codes(behindLinks(1.9))).not.toContain('kinds-disagree');
  for (const verdict of [behindLinks(4), judged({}, ...freezing(4))]) {
    expect([verdict.kind, ...codes(verdict)]).toEqual(['void', 'kinds-disagree']);
    expect(verdict.reasons[0]?.text).toContain('did not see the same frozen time: 4 and 0 % in the median (limit 2 %');
  }
});

test('native probes that send far less than browsers are no proof of what the server carries', () => {
  const sending = (kbps: number) => ofCalls(5, 6, 7, 8).map((id) => aProbe(id).sendsVideo({ kbps }));
  expect(judged({}, ...sending(440)).kind).toBe('stable');
  const verdict = judged({}, ...sending(390));
  expect(codes(verdict)).toContain('kinds-disagree');
  expect(verdict.reasons.map(({ text }) => text).join(' ')).toContain(
    'did not send the same video: 390 and 500 kbit/s in the median (limit 20 % apart)',
  );
});

test('datagrams that our own sockets dropped, and processes that were late, excuse the server from what failed', () => {
  const dropping = { host: (second: number) => ({ socketDrops: second === 30 ? 5 : 0 }) };
  const late = { host: (second: number) => ({ nativeLateMs: second % 10 === 0 ? 90 : 5 }) };
  expect(judged(dropping).kind).toBe('stable');
  expect(judged(late).kind).toBe('stable');
  expect(codes(judged(dropping, starving('6a')))).toEqual(['probe-socket-drops']);
  // The second at the end of which the window begins is of before it.
  const before = { host: (second: number) => ({ socketDrops: second === 0 ? 5 : 0 }) };
  expect(codes(judged(before, starving('6a')))).not.toContain('probe-socket-drops');
  const verdict = judged(late, starving('6a'));
  expect([verdict.kind, ...codes(verdict)]).toEqual(['void', 'probe-late']);
  expect(verdict.reasons[0]?.text).toContain('over 60 ms late in 6 of 60 s, at worst 90 ms');
  // One host of four: a tenth of its own seconds, and a fortieth of all.
  const hosts = ['a', 'b', 'c', 'd'];
  const trial = mixed({}, starving('6a'));
  const probeHost = trial.evidence.probeHost.flatMap((reading, second) =>
    hosts.map((host) => ({ ...reading, host, nativeLateMs: host === 'c' && second % 10 === 0 ? 90 : 5 })),
  );
  const ofMany = judge({ ...trial, evidence: { ...trial.evidence, probeHost } });
  expect(ofMany.reasons).toMatchObject([{ code: 'probe-late', host: 'c' }]);
  expect(ofMany.reasons[0]?.text).toContain('native probes on the probe host c was over 60 ms late in 6 of 60 s');
  const seldom = { host: (second: number) => ({ nativeLateMs: second < 2 ? 90 : 5 }) };
  expect(judged(seldom, starving('6a')).kind).toBe('unstable');
});

test('where no native probe got an ICE connection and browsers did, the trial says nothing of the server', () => {
  const out = (id: string) => aProbe(id).fails('ice-timeout', 'no ICE connection in 10 s').joined({ answerMs: 90 });
  const inTime = (id: string) => aProbe(id).joined({ answerMs: 90, iceConnectedMs: 300, firstFrameMs: 900 });
  const all = ofCalls(5, 6, 7, 8);
  const browsers = ofCalls(1, 2, 3, 4).map(inTime);
  const verdict = judged({}, ...browsers, ...all.map(out));
  expect(verdict.kind).toBe('void');
  expect(verdict.reasons.map(({ text }) => text).join(' ')).toContain('None of 8 native probes got an ICE connection');
  // One that did, or browsers that did not either: then it is the server's.
  expect(
    judged({}, ...browsers, ...all.slice(1).map(out), inTime('5a'))
      .reasons.map(({ text }) => text)
      .join(' '),
  ).not.toContain('None of');
  const nobody = judged({}, ...ofCalls(1, 2, 3, 4).map(out), ...all.map(out));
  expect(codes(nobody)).not.toContain('kinds-disagree');
});

test('what only marks say, which browsers do not read, is no disagreement', () => {
  const late = ofCalls(5, 6, 7, 8).map((id) => aProbe(id).receivesVideo({ delayMs: 3000 }));
  const verdict = judged({}, ...late);
  expect([verdict.kind, ...codes(verdict)]).toEqual(['unstable', 'late-picture']);
});
