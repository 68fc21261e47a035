import { expect, test } from '@playwright/test';
import { atOnce } from '../../model/in-steps.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, withProbes } from '../../tests/builders/trial-builder.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { endedAt, randomTrial } from '../../tests/random-trial.js';
import { decisionMoments, decisiveJoining, decisivePartUntil, findingDecisivePart } from './early-verdict.js';
import { judge } from './judge.js';
import type { JudgeInput } from './judge-input.js';

const decisivePart = (input: JudgeInput) => atOnce(findingDecisivePart(input));
const withOne = (probe: ProbeBuilder, changes = {}) => aTrial(withProbes(calls(2), probe), changes);
const secondOf = (input: JudgeInput) => {
  const part = decisivePart(input);
  return part?.window && (part.window.endMs - part.window.startMs) / 1000;
};

test('moments are ten seconds and then a fifth later each, while there is something to save', () => {
  expect(decisionMoments(60_000).map((ms) => ms / 1000)).toEqual([10, 12, 15, 18, 22, 27, 33, 40, 48]);
  expect(decisionMoments(12_000)).toEqual([]);
});

const batches = 10;
/** Ten times as many as the long suite has before a release of the judge: LOADLINE_EARLY_TRIALS=3000. */
const trialsPerBatch = Number(process.env.LOADLINE_EARLY_TRIALS ?? times(8, 300));
let [decided, undecidedUnstable, undecidedOther] = [0, 0, 0];
for (let batch = 0; batch < batches; batch += 1) {
  test(
    `an early verdict is that of the whole trial, whatever the rest brings: seeds from ${batch * trialsPerBatch}`,
    both,
    () => {
      test.setTimeout(180_000);
      for (let index = 0; index < trialsPerBatch; index += 1) {
        const trial = randomTrial(batch * trialsPerBatch + index + 1);
        const full = judge(trial).kind;
        const moments = decisionMoments(trial.timing.measureMs);
        const early = moments.find((ms) => decisivePartUntil(endedAt(trial, ms), ms));
        if (early === undefined) {
          if (full === 'unstable') undecidedUnstable += 1;
          else undecidedOther += 1;
          continue;
        }
        decided += 1;
        expect(judge(endedAt(trial, early)).kind).toBe('unstable');
        expect(full, `seed ${batch * trialsPerBatch + index + 1}, ended after ${early} ms`).toBe('unstable');
      }
    },
  );
}

test('the random trials are of all kinds: decided early, decided late, and never', both, () => {
  test.skip(
    decided + undecidedUnstable + undecidedOther < batches * trialsPerBatch,
    'the batches did not all run here',
  );
  expect(Math.min(decided, undecidedUnstable, undecidedOther)).toBeGreaterThan(0.05 * batches * trialsPerBatch);
});

test('an early verdict on freezes is that of the whole window, however long and often the rest freezes', both, () => {
  const random = randomFrom(31_337);
  const wrong: object[] = [];
  let [early, late, never] = [0, 0, 0];
  for (let round = 0; round < times(40, 400); round += 1) {
    const seconds = 15 + Math.floor(60 * random());
    const often = 0.3 * random() ** 2;
    // Mostly short freezes, some of several seconds in which no frame comes.
    const freezes = Array.from({ length: seconds }, () => (random() > often ? 0 : 160 + 4000 * random() ** 6));
    const stillFrom = random() < 0.3 ? Math.floor(seconds * random()) : seconds;
    const still = (second: number) => second >= stillFrom && second < stillFrom + 2;
    const freezeMs = (second: number) => (still(second) ? 0 : (freezes[second] ?? 0));
    const freezing = aProbe('1a').receivesVideo({ freezeMs, fps: (second) => (still(second) ? 0 : 30) });
    const trial = aTrial(withProbes(calls(1), freezing), { seconds });
    const moment = decisionMoments(trial.timing.measureMs).find((ms) => decisivePartUntil(endedAt(trial, ms), ms));
    const full = judge(trial).kind;
    if (moment !== undefined && full !== 'unstable') wrong.push({ round, seconds, moment, full });
    if (moment !== undefined) early += 1;
    else if (full === 'unstable') late += 1;
    else never += 1;
  }
  expect(wrong).toEqual([]);
  expect(Math.min(early, late, never)).toBeGreaterThan(times(2, 20));
});

test('heavy loss is decided long before the end, a loss that the rest may dilute is not', () => {
  expect(secondOf(withOne(aProbe('1a').receivesVideo({ lossPercent: 12 })))).toBeLessThanOrEqual(15);
  expect(secondOf(withOne(aProbe('1a').receivesVideo({ lossPercent: 1.05 })))).toBeUndefined();
});

test('one of a hundred participants who notices something ends no trial early, two do', () => {
  const lossy = (id: string) => aProbe(id).receivesVideo({ lossPercent: 12 });
  const seconds = { seconds: 15 };
  const one = aTrial(withProbes(calls(50), lossy('7a')), seconds);
  expect(judge(one).kind).toBe('unstable');
  expect(secondOf(one)).toBeUndefined();
  expect(secondOf(aTrial(withProbes(calls(50), lossy('7a'), lossy('9b')), seconds))).toBe(10);
});

test('a healthy trial is never ended early', () => {
  expect(secondOf(aTrial(calls(2)))).toBeUndefined();
});

test('a failure that only just shows is given two seconds in which the probe side may explain it', () => {
  const fell = { probe: '1a', code: 'disconnected', atMs: startMs + 9000, detail: 'gone' } as const;
  const trial = aTrial(calls(2));
  const probes = trial.probes.map((probe, index) => (index === 0 ? { ...probe, failures: [fell] } : probe));
  expect(decisivePartUntil({ ...trial, probes }, 10_000)).toBeUndefined();
  expect(decisivePartUntil({ ...trial, probes }, 12_000)).toBeDefined();
});

test('any sign of the probe side, however small, takes the whole window', () => {
  const frozen = aProbe('2b').receivesVideo({ fps: 3 });
  const once = (second: number) => second === 4;
  expect(secondOf(withOne(frozen))).toBeDefined();
  const signs: readonly JudgeInput[] = [
    aTrial(withProbes(calls(2), frozen, aProbe('1a').isRead({ lateMs: (second) => (once(second) ? 400 : 2) }))),
    aTrial(withProbes(calls(2), frozen, aProbe('1a').sendsVideo({ limitedBy: (s) => (once(s) ? 'cpu' : 'none') }))),
    aTrial(withProbes(calls(2), frozen, aProbe('1a').sendsVideo({ sourceFps: (s) => (once(s) ? 20 : 30) }))),
    withOne(frozen, { host: (second: number) => (once(second) ? { busyCores: 4 } : {}) }),
    withOne(frozen, { host: (second: number) => ({ throttledShare: second < 10 ? 0.3 : 0 }) }),
  ];
  for (const trial of signs) {
    expect(secondOf(trial)).toBeUndefined();
    expect(judge(trial).kind).toBe('unstable');
  }
});

test('what befalls the probes after the decision does not excuse the server', () => {
  const dead = aProbe('2b').receivesVideo({ lossPercent: 20 });
  const shortLater = aProbe('1a').sendsVideo({ sourceFps: (second) => (second < 30 ? 30 : 5) });
  const whole = aTrial(withProbes(calls(2), dead, shortLater));
  expect(judge(whole)).toMatchObject({ kind: 'unstable', reasons: [{ probe: '2b' }, {}] });
  expect(judge(withOne(shortLater)).kind).toBe('void');
});

test('a window that was cut short before the decision is void', () => {
  const slow = withOne(aProbe('2b').receivesVideo({ kbps: 200, fps: 12 }));
  expect(judge(endedAt(slow, 10_000)).kind).toBe('void');
  expect(judge(slow).kind).toBe('unstable');
});

const joinEvents = [
  { type: 'phase', atMs: startMs - 20_000, phase: 'join' },
  { type: 'phase', atMs: startMs - 5000, phase: 'settle' },
] as const;

function joining(absent: number, code: 'refused' | 'ice-timeout', busyCores = 1) {
  const probes = calls(2).map((probe, index) => (index < absent ? probe.fails(code, 'no') : probe));
  const trial = aTrial(probes, { events: joinEvents });
  const reading = trial.evidence.probeHost[0];
  const before = [1, 2, 3, 4, 5, 6].map((second) => ({
    ...reading,
    busyCores,
    atMs: startMs - 20_000 + second * 1000,
  }));
  const probeHost = [...before, ...trial.evidence.probeHost] as JudgeInput['evidence']['probeHost'];
  return { ...trial, evidence: { ...trial.evidence, probeHost } };
}

test('a trial that half of the probes never joined is dead when joining is over', () => {
  expect(decisiveJoining(joining(2, 'ice-timeout'))).toBeDefined();
  expect(decisiveJoining(joining(1, 'ice-timeout'))).toBeUndefined();
  expect(judge({ ...joining(2, 'ice-timeout'), window: undefined }).kind).toBe('unstable');
});

test('a dead trial on a host that was full while they joined is not decided', () => {
  expect(decisiveJoining(joining(2, 'ice-timeout', 4))).toBeUndefined();
});

test('one refusal decides, for no rest can take back the own word of the server', () => {
  expect(decisiveJoining(joining(1, 'refused', 4))).toBeDefined();
  expect(judge({ ...joining(1, 'refused', 4), window: undefined }).kind).toBe('unstable');
});

test('a plan that puts up with bad probes is measured to its end', () => {
  const trial = withOne(aProbe('1a').receivesVideo({ lossPercent: 12 }));
  const thresholds = { ...trial.thresholds, badProbes: { max: 1, unit: 'probes' } } as const;
  expect(decisivePart({ ...trial, thresholds })).toBeUndefined();
});

test('what the last report says lost may be told as repaired by the next one, and decides nothing yet', () => {
  const lossy = (reportSeconds: number) =>
    secondOf(withOne(aProbe('1a').sendsVideo({ reportSeconds, lossPercent: 4.5 }))) ?? 0;
  expect(lossy(1)).toBeGreaterThan(0);
  expect(lossy(7)).toBeGreaterThan(lossy(1));
});
