import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { aServerThatHolds, aServerThatSays, Story } from '../../tests/search-story.js';
import { nextStep } from './search.js';

test.describe('a server with a sharp limit', () => {
  test('is found by doubling, bisecting, refuting and confirming', () => {
    aServerThatHolds(13).searchedFrom(4).tries(1, 4, 8, 16, 12, 14, 13, 14, 13, 13, 13, 13, 13).answers(13, 14);
  });

  test('above 40 is answered by the edge, when nine passes of it are no luck', () => {
    aServerThatHolds(52)
      .searchedFrom(8)
      .tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 53, 53, 52, 52, 52, 52, 52, 52, 52, 52)
      .answers(52, 53);
  });

  test('above 20 is found to the size when asked for, at the price of more passes and failures', () => {
    aServerThatHolds(52)
      .searchedFrom(8)
      .within(1)
      .tries(1, 8, 16, 32, 64, 48, 56, 52, 54, 53, 52, 53, 53, 52, 52, 52, 52, 52, 52, 52)
      .answers(52, 53);
  });

  test('is answered within a share of its size', () => {
    const { answer } = aServerThatHolds(400).within('10%').tell();
    expect(answer).toMatchObject({ outcome: 'found', stable: 379, unstable: 416 });
  });

  test('is answered coarsely with fewer trials than finely: an edge that cannot be the answer is not repeated', () => {
    const held = aServerThatHolds(50).searchedFrom(40);
    held.within('20%').tries(1, 40, 80, 60, 50, 55, 52, 52, 44, 44, 44).answers(44, 52);
    const fine = held.within(1).tell().history.length;
    expect(fine).toBe(18);
    expect(held.within('20%').tell().history.length).toBeLessThan(fine);
  });

  test('below the first size is bisected from the baseline', () => {
    aServerThatHolds(2).searchedFrom(8).tries(1, 8, 4, 2, 3, 3, 2, 2).answers(2, 3);
  });

  test('that holds the baseline alone has the baseline confirmed', () => {
    aServerThatHolds(1).tries(1, 2, 2, 3, 1, 1).answers(1, 2);
  });

  test('that does not hold the baseline fails it four times before that is believed', () => {
    aServerThatHolds(0).tries(1, 1, 1, 1).ends('baseline-unstable', 0, 1);
  });

  test('above the largest size allowed is confirmed there', () => {
    aServerThatHolds(100).upTo(12).tries(1, 2, 4, 8, 12, 12, 12).ends('reached-max', 12, null);
  });

  test('with the baseline as the largest size allowed is confirmed there', () => {
    aServerThatHolds(100).upTo(1).tries(1, 1, 1).ends('reached-max', 1, null);
  });

  test('is confirmed as often as a confidence asks for', () => {
    aServerThatHolds(1).with({ confidence: 0.5 }).tries(1, 2, 2, 3, 1, 1, 1, 1, 1).answers(1, 2);
  });

  test('is not taken from a size that fails alone: the next one up is tried', () => {
    aServerThatHolds(7).tries(1, 2, 4, 8, 6, 7, 8, 9, 7, 7).answers(7, 8);
  });
});

/** More passes than a story needs. */
const ever = '+'.repeat(24);

test.describe('flaky sizes', () => {
  test('a limit that fails its confirmation is tried again, and the limit is one that all verdicts make likely', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: ever, 5: ever, 6: `+-${ever}`, 7: '--', 8: '-' })
      .tries(1, 2, 4, 8, 6, 7, 7, 6, 6, 4, 5, 5, 5, 5, 5, 5, 5, 5)
      .answers(5, 7, [6]);
  });

  test('a size above that passes its second trial is no longer the unstable one', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: ever, 5: ever, 6: ever, 7: '-+', 8: '--', 9: '-' })
      .tries(1, 2, 4, 8, 6, 7, 7, 8, 5, 6, 6, 6, 6, 6, 6, 6, 6)
      .answers(6, 8, [7]);
  });

  test('a baseline that failed before it passed, and fails again, is unstable', () => {
    aServerThatSays({ 1: '-+---', 2: '--', 3: '-' }).tries(1, 1, 2, 2, 1, 1, 1).ends('baseline-unstable', 0, 1, [1]);
  });

  test('a largest size that fails its confirmation leaves nothing refuted', () => {
    const { answer } = aServerThatSays({ 1: '+', 2: '+++++++++++', 3: '++++++++++++', 4: '+----' }).upTo(4).tell();
    expect(answer).toMatchObject({ outcome: 'reached-max', unstable: null, flaky: [4] });
  });

  test('a soft edge is an interval with its chances, as they were seen', () => {
    const soft = {
      13: ever,
      20: `+-${ever}`,
      18: ever,
      15: ever,
      16: '-+',
      17: '++',
      19: '+',
      21: '---',
      22: '--',
      23: '---',
      24: '-',
      32: '-',
    };
    const grown = { 1: '+', 2: '+', 4: '+', 8: '+', 12: ever, 14: ever };
    const { answer, history } = aServerThatSays({ ...grown, ...soft }).tell();
    expect(answer).toMatchObject({ outcome: 'found', stable: 14, unstable: 22, flaky: [16] });
    const between = { from: 16, upTo: 20, passed: 2, of: 3 };
    expect(answer.edge).toEqual({ alwaysUpTo: 15, between, neverFrom: 22 });
    expect(answer.because).toMatch(
      /^14 was stable in (\d+) of \1 trials, 22 unstable in 2 of 2\. Flaky: 16 stable in 1 of 2\./,
    );
    expect(history.length).toBeLessThanOrEqual(30);
  });
});

/**
 * The verdicts of a real server under a CPU quota, as they came: 16 viewers failed and passed, 23 failed and passed.
 */
const underQuota = '1+ 2+ 4+ 8+ 16- 12+ 14+ 15+ 16+ 17+ 19+ 23- 23+';

test(
  'a real server under a CPU quota is answered within thirty trials more, by an interval with its chances',
  both,
  () => {
    const stored = underQuota.split(' ').map((word): TrialOutcome => {
      return { size: Number.parseInt(word, 10), verdict: word.endsWith('+') ? 'stable' : 'unstable' };
    });
    const options = searchSchema.parse({ max: 80 });
    for (let seed = 1; seed <= times(8, 40); seed += 1) {
      const random = randomFrom(seed);
      const history = [...stored];
      let step = nextStep(options, 1, history);
      for (; step.kind === 'try'; step = nextStep(options, 1, history)) {
        const chance = 1 / (1 + Math.exp((step.size - 21) / 2));
        history.push({ size: step.size, verdict: random() < chance ? 'stable' : 'unstable' });
        expect(history.length).toBeLessThanOrEqual(stored.length + 30);
      }
      expect(step.answer.outcome).toBe('found');
      expect(step.answer.flaky.length).toBeGreaterThan(0);
      expect(step.answer.because).toMatch(/\d+ (was )?stable in \d+ of \d+/);
    }
  },
);

test.describe('bad luck', () => {
  test('with the baseline does not end the search', () => {
    const story = new Story((size, nth) => ({
      size,
      verdict: size > 9 || (size === 1 && nth < 2) ? 'unstable' : 'stable',
    }));
    expect(story.tell().answer).toMatchObject({ outcome: 'found', flaky: [1] });
    expect(story.tell().answer.stable).toBeGreaterThanOrEqual(8);
  });

  test('far below the limit is forgiven when larger sizes pass, and told', () => {
    const { answer } = aServerThatSays({ 1: '+', 2: '+', 3: '+', 4: '-+', 5: '+', 8: '+', ...holding(60, 50) }).tell();
    expect(answer).toMatchObject({ outcome: 'found', flaky: [4] });
    expect(answer.stable).toBeGreaterThanOrEqual(40);
  });

  test('one size that always fails is named, and is not the limit', () => {
    const { answer } = new Story((size) => ({ size, verdict: size === 8 || size > 50 ? 'unstable' : 'stable' })).tell();
    expect(answer).toMatchObject({ outcome: 'found', stable: 39, unstable: 51, failedBelow: [8] });
    expect(answer.because).toContain('8 failed in 2 of 2, though larger sizes passed.');
  });

  test('a faint failure is repeated before the search goes below it, and stays a failure', () => {
    const { history, answer } = new Story((size, nth) =>
      size === 8 && nth === 0
        ? { size, verdict: 'unstable', faint: true }
        : { size, verdict: size > 12 ? 'unstable' : 'stable' },
    ).tell();
    expect(history.slice(0, 6).map(({ size }) => size)).toEqual([1, 2, 4, 8, 8, 16]);
    expect(answer).toMatchObject({ unstable: 13, flaky: [8] });
  });
});

test.describe('a server that gets worse', () => {
  const shrinking = (capacity: number, percent: number) => {
    let trials = 0;
    return new Story((size) => {
      trials += 1;
      return { size, verdict: size <= capacity * (1 - (percent / 100) * (trials - 1)) ? 'stable' : 'unstable' };
    });
  };

  test('by 4 % with each trial is called drifting, with what it held when fresh and at the end', () => {
    const { answer, history } = shrinking(30, 4).tell();
    expect(answer).toMatchObject({
      outcome: 'drifting',
      stable: 7,
      drift: { fresh: { size: 20, trial: 8, failedAgain: 11 }, end: { size: 7, trial: 18 } },
    });
    expect(history).toHaveLength(18);
  });

  test('by 2 % with each trial is called drifting, after a size that had passed was tried again', () => {
    const { answer, steps } = shrinking(60, 2).tell();
    expect(answer).toMatchObject({ outcome: 'drifting', drift: { fresh: { size: 48, trial: 8 } } });
    expect(steps.filter((step) => step.kind === 'try' && step.why === 'anchor').length).toBeGreaterThan(0);
  });

  const leaking = (capacity: number) => {
    let opened = 0;
    return new Story((size) => {
      opened += size;
      return { size, verdict: size <= capacity * 0.9 ** opened ? 'stable' : 'unstable' };
    });
  };

  test('by a tenth with each session that ever came is called drifting, once one alone has failed again and again', () => {
    const { answer, history } = leaking(5).tell();
    expect(answer).toMatchObject({ outcome: 'drifting', stable: 0, drift: { fresh: { size: 2, trial: 2 } } });
    expect(history.filter(({ size, verdict }) => size === 1 && verdict === 'unstable').length).toBeGreaterThan(2);
  });

  test('is called drifting when one alone was all that it held, and not unstable from the start', () => {
    const { answer, steps } = leaking(2.3).tell();
    expect(answer).toMatchObject({ outcome: 'drifting', stable: 0, drift: { fresh: { size: 1, trial: 1 } } });
    expect(steps.findLast((step) => step.kind === 'try')).toMatchObject({ size: 1, why: 'anchor' });
  });

  test('is no longer likelier than one that never was stable once one alone passes now and then', () => {
    let trials = 0;
    const { answer, steps } = new Story((size) => {
      trials += 1;
      return { size, verdict: [1, 10, 12].includes(trials) ? 'stable' : 'unstable' };
    }).tell();
    expect(steps[8]).toMatchObject({ size: 1, why: 'anchor' });
    expect(answer.outcome).toBe('baseline-unstable');
  });

  test('is not answered by a limit while getting worse explains its verdicts better: a size that tells is tried first', () => {
    const { answer, steps } = shrinking(300, 1.5).tell();
    expect(answer.outcome).toBe('drifting');
    const told = steps.flatMap((step) => (step.kind === 'try' && step.why === 'anchor' ? [step.text] : []));
    expect(told.filter((text) => text.includes('was not tried: a server that is as it was passes it'))).not.toEqual([]);
  });

  test('is called drifting before anybody notices, when the same load costs more and more', () => {
    const costing = (rise: number) =>
      new Story((size, nth) => {
        const noise = 1 + 0.03 * Math.sin(size + 7 * nth);
        const verdict = size <= 30 ? 'stable' : 'unstable';
        return { size, verdict, cost: { serverCores: 0.05 * size * (1 + rise * nth) * noise } };
      });
    expect(costing(0.04).tell().answer).toMatchObject({
      outcome: 'drifting',
      drift: { costs: [{ of: 'serverCores' }] },
    });
    expect(costing(0).tell().answer).toMatchObject({ outcome: 'found' });
  });
});

/** A script in which sizes from 10 on pass up to the capacity, however often. */
function holding(largest: number, capacity: number): Record<number, string> {
  const sizes = Array.from({ length: 2 * largest }, (_, index) => index + 6);
  return Object.fromEntries(sizes.map((size) => [size, (size <= capacity ? '+' : '-').repeat(20)]));
}

test.describe('the probes’ own limit', () => {
  test('is a ceiling below which the search goes on', () => {
    aServerThatHolds(5).whoseProbesCarry(7).tries(1, 2, 4, 8, 6, 5, 6, 7, 5, 5).answers(5, 6);
  });

  test('below the server’s gives a limit of at least that', () => {
    aServerThatHolds(50).whoseProbesCarry(6).tries(1, 2, 4, 8, 6, 7, 6, 6).ends('probe-limited', 6, null);
  });

  test('below the baseline says nothing', () => {
    aServerThatHolds(50).whoseProbesCarry(0).tries(1).ends('void', 0, null);
  });

  test('hides failures above it, because the probes may have caused them', () => {
    aServerThatSays({ 1: '+', 2: '+', 4: '+', 5: '+++', 6: '!', 8: '-' })
      .tries(1, 2, 4, 8, 6, 5, 5, 5)
      .ends('probe-limited', 5, null);
  });
});

test.describe('void trials', () => {
  test('are repeated and do not move the search', () => {
    aServerThatSays({ 1: '?++?+', 2: '?-?-', 3: '-' }).tries(1, 1, 2, 2, 2, 2, 3, 1, 1, 1).answers(1, 2);
  });

  test('of the baseline end the run when every repeat is void', () => {
    aServerThatSays({ 1: '???' }).tries(1, 1, 1).ends('void', 0, null);
  });

  test('of one size are a ceiling after the last repeat, tried once more before the end', () => {
    aServerThatSays({ 1: '+++', 2: '????' }).tries(1, 2, 2, 2, 1, 1, 2).ends('probe-limited', 1, null);
  });

  test('that end with the last try let the search go on above', () => {
    aServerThatSays({ 1: '+++', 2: '???--', 3: '-' }).tries(1, 2, 2, 2, 1, 1, 2, 2, 3).answers(1, 2);
  });

  test('of a size that could be measured before get twice the repeats', () => {
    aServerThatSays({ 1: '+????++', 2: '--', 3: '-' }).tries(1, 2, 2, 3, 1, 1, 1, 1, 1, 1).answers(1, 2);
  });
});

test('every step of a search carries a sentence', () => {
  const sentences = aServerThatHolds(52).searchedFrom(8).sentences();
  expect(sentences.slice(0, 2)).toEqual(['What one alone gets is what all others are judged by.', '1 was stable: up.']);
  expect(sentences.at(-1)).toMatch(/^52 .* 53 /);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
});
