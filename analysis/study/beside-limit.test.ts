import { expect, test } from '@playwright/test';
import type { Answer } from '../../model/run.js';
import type { StudyPart } from '../../model/study.js';
import type { TrialRecord } from '../../model/trial.js';
import type { Reason } from '../../model/verdict.js';
import { aRun } from '../../tests/builders/run-builder.js';
import { aRecord } from '../../tests/stored-run.js';
import { joinRateOf, levelsOf, recoveryOf } from './beside-limit.js';

const unstable = (...probes: readonly string[]): TrialRecord['verdict'] => ({
  kind: 'unstable',
  reasons: probes.map((probe): Reason => ({ code: 'frozen', text: 'It froze.', probe })),
  thresholds: [],
});

const withDelay = (delayP95Ms: number): Partial<TrialRecord> => ({
  streams: [{ probe: '1a', leg: '1a', direction: 'receive', kind: 'video', values: { delayP95Ms } }],
});

/** A run as `find` and `try` leave it: of a try the search is bound to the size that was tried. */
function played(part: StudyPart, size: number, trials: readonly Partial<TrialRecord>[], labels = {}) {
  const records = [{}, ...trials].map((more, nth) => aRecord(nth + 1, { size: nth === 0 ? 1 : size, ...more }));
  const run = aRun(records, { outcome: 'found', stable: size, unstable: size + 1 });
  const { manifest } = run;
  const plan = { ...manifest.plan, search: { ...manifest.plan.search, max: size } };
  return { cell: 'a+b', round: 1, part, path: part, run: { ...run, manifest: { ...manifest, plan, labels } } };
}

test('each share of the limit says its size, its delay, and who noticed something', () => {
  const levels = levelsOf([
    played('limit', 20, [withDelay(40), { verdict: unstable('1a', '1b') }]),
    played('at-50', 10, [withDelay(12)]),
    played('at-80', 16, [{ verdict: unstable('3a') }]),
  ]);
  expect(levels).toMatchObject([
    { percent: 50, size: { middle: 10 }, delayMs: { middle: 12 }, noticedIn: 0, noticed: { by: 0, what: [] } },
    { percent: 80, size: { middle: 16 }, trials: 1, noticedIn: 1, noticed: { by: 1, what: ['frozen'] } },
    { percent: 100, delayMs: { middle: 40 }, trials: 2, noticedIn: 1, noticed: { by: 2, what: ['frozen'] } },
  ]);
  // Where nobody held nothing is said of how late pictures were.
  expect(levels[1]).not.toHaveProperty('delayMs');
});

test('a round in which nobody held counts as late without end, and the middle of the rounds may be one of the others', () => {
  const inRound = (round: number, trial: Partial<TrialRecord>) => ({ ...played('at-80', 16, [trial]), round });
  const failed = { verdict: unstable('3a') };
  const [level] = levelsOf([inRound(1, withDelay(10)), inRound(2, failed), inRound(3, withDelay(30))]);
  expect(level?.delayMs).toMatchObject({ middle: 30, low: 10, high: null, rounds: 3 });
  const [most] = levelsOf([inRound(1, withDelay(10)), inRound(2, failed), inRound(3, failed)]);
  expect(most).not.toHaveProperty('delayMs');
});

test('no size is told as a share of the limit that it is not near: 1 is half of 2, and not four fifths', () => {
  const told = levelsOf([played('limit', 2, [{}]), played('at-50', 1, [{}]), played('at-80', 1, [{}])]);
  expect(told.map(({ percent }) => percent)).toEqual([50, 100]);
});

test('what a plan tolerates was noticed all the same: its trials name nobody, and their row of bad probes counts them', () => {
  const row = { unit: '%', limit: 60, limitText: '≤ 60 %', comparison: 'at-most', label: '' } as const;
  const tolerated = (worst: number): Partial<TrialRecord> => ({
    probesAsked: 104,
    verdict: {
      kind: 'stable',
      reasons: [],
      thresholds: [
        { ...row, id: { of: 'bad-probes' }, code: 'bad-probes', worst, passed: true },
        { ...row, id: { of: 'join-success' }, code: 'frozen', worst: 90, passed: worst === 0 },
      ],
    },
  });
  const [level] = levelsOf([
    played(
      'at-80',
      52,
      [45, 47, 0].map((bad) => tolerated((100 * bad) / 104)),
    ),
  ]);
  expect(level).toMatchObject({ trials: 3, noticedIn: 2, noticed: { by: 92, of: 312, what: ['frozen'] } });
});

test('of a trial that ended early, or failed by what is of no single one, nobody knows who noticed something', () => {
  const frozen = { ...unstable('1a'), thresholds: [] };
  const code = 'first-frame-late' as const;
  const ofAll = { ...frozen, reasons: [{ code, text: 'p95 is late; the slowest is 1a.', probe: '1a' }] };
  const endedEarly = { afterMs: 10_000, because: 'Many froze.' };
  const trials = [{ verdict: frozen }, { verdict: frozen, endedEarly }, { verdict: ofAll }];
  const [level] = levelsOf([played('at-50', 10, trials)]);
  expect(level).toMatchObject({ trials: 3, noticedIn: 3, noticed: { by: 1, trials: 1 } });
});

test('delay is of pictures and sound, and messages of data have theirs', () => {
  const stream = { probe: '1a', leg: '1a', direction: 'receive' as const };
  const streams = [
    { ...stream, kind: 'video' as const, values: { delayP95Ms: 40 } },
    { ...stream, kind: 'data' as const, values: { delayP95Ms: 900 } },
  ];
  expect(levelsOf([played('at-50', 10, [{ streams }])])).toMatchObject([{ delayMs: { middle: 40 } }]);
});

test('a void trial at a share of the limit says nothing of it', () => {
  const verdict = { kind: 'void' as const, reasons: [], thresholds: [] };
  expect(levelsOf([played('at-50', 10, [{ verdict }])])).toEqual([]);
});

const full = { code: 'environment', text: 'A probe host was full.' } as const;
const disturbed: TrialRecord['verdict'] = { kind: 'stable', reasons: [], thresholds: [], disturbedBy: [full] };

test('a pass that confirms nothing says as little of a share of the limit as a failure that was discarded', () => {
  const discarded: TrialRecord['verdict'] = { kind: 'void', reasons: [full], thresholds: [], discardsFailure: true };
  const told = levelsOf([played('at-80', 16, [{ verdict: disturbed }]), played('at-80', 16, [{ verdict: discarded }])]);
  expect(told).toEqual([]);
  const [limit] = levelsOf([played('limit', 20, [withDelay(40), { ...withDelay(90), verdict: disturbed }])]);
  expect(limit).toMatchObject({ trials: 1, delayMs: { middle: 40 } });
});

test('joins per second count those of the span that a size counts, and say "at least" where the search ended first', () => {
  const run = played('join-rate', 30, []);
  const load = { by: 'arrivals' as const, process: 'constant' as const, holdMs: 20_000, stay: 'constant' as const };
  const plan = { ...run.run.manifest.plan, load: { ...load, perMs: 10_000, seed: 1 } };
  const of = (answer: Partial<Answer>) => ({
    ...run,
    run: { ...run.run, answer: { ...run.run.answer, ...answer }, manifest: { ...run.run.manifest, plan } },
  });
  const found = of({});
  expect(joinRateOf([found])).toMatchObject({ perSecond: { middle: 3 }, isAtLeast: false });
  expect(joinRateOf([found, of({ outcome: 'reached-max', unstable: null })])).toMatchObject({ isAtLeast: true });
  expect(joinRateOf([found, of({ outcome: 'probe-limited', unstable: null })])).toMatchObject({ isAtLeast: true });
  const open = of({ outcome: 'probe-limited', stable: 5120, unstable: null });
  expect(joinRateOf([open, open, open, open, open])?.perSecond).toMatchObject({ middle: 512, low: 512, high: null });
  expect(joinRateOf([found, found])?.perSecond).toMatchObject({ low: 3, high: 3 });
  expect(joinRateOf([of({ cutShort: true })])).toMatchObject({ isAtLeast: true });
  expect(joinRateOf([of({ unstable: null })])).toMatchObject({ isAtLeast: true });
  // What the search left open is in the interval: sizes up to 39 may hold.
  expect(joinRateOf([of({ unstable: 40 }), of({ unstable: 40 })])?.perSecond).toMatchObject({ low: 3, high: 3.9 });
  const nobody = of({ outcome: 'baseline-unstable', stable: 0, unstable: 10 });
  expect(joinRateOf([nobody])).toMatchObject({ perSecond: { middle: 0 }, isAtLeast: false });
  expect(joinRateOf([played('limit', 30, [])])).toBeUndefined();
});

test('recovery is from the kill to an answer, and counts whoever got nothing after it', () => {
  const probe = (id: string, firstFrameMs?: number) => ({
    participant: { id, session: '1', role: 'viewer', legs: [{ id, sends: [], receives: ['video' as const] }] },
    browser: 0,
    page: 0,
    up: true,
    join: firstFrameMs === undefined ? {} : { firstFrameMs },
    failures: [],
  });
  const round = (...times: (number | undefined)[]) =>
    played('recovery', 5, [{ probes: times.map((ms, nth) => probe(`${nth}a`, ms)) as never }], {
      answers_again_ms: '812',
    });
  const told = (...times: (number | undefined)[]) => recoveryOf([round(...times)]);
  expect(told(100, 300, 200)).toMatchObject({
    answersMs: { middle: 812 },
    firstFrameMs: { middle: 300 },
    notBack: { by: 0, of: 3 },
  });
  expect(told(100, undefined)).toMatchObject({ notBack: { by: 1, of: 2 } });
  expect(told(100, undefined)).not.toHaveProperty('firstFrameMs');
  const [good, bad] = [round(200, 220, 210), round(190, undefined, undefined)];
  const mostlyBad = recoveryOf([good, bad, bad, bad, bad]);
  expect(mostlyBad).toMatchObject({ notBack: { by: 8, of: 15 } });
  expect(mostlyBad).not.toHaveProperty('firstFrameMs');
  const mostlyGood = recoveryOf([good, bad, good, good, good]);
  expect(mostlyGood?.firstFrameMs).toMatchObject({ middle: 220, low: 220, high: null, rounds: 5 });
  expect(recoveryOf([played('limit', 5, [])])).toBeUndefined();
});
