import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { Step, TrialOutcome } from '../../model/run.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { nextStep, trialBound } from './search.js';

type Try = Extract<Step, { kind: 'try' }>;

/** All that may join faster does, from the second trial on. */
function searched(verdictOf: (size: number, hasty: boolean, trial: number) => TrialOutcome, changes = {}) {
  const options = searchSchema.parse({ max: 256, ...changes });
  const history: TrialOutcome[] = [];
  const steps: Try[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return { answer: step.answer, history, steps, options };
    const hasty = history.length > 0 && !step.atPlanPace;
    steps.push(step);
    history.push({ ...verdictOf(step.size, hasty, history.length), ...(hasty ? { hasty } : {}) });
  }
}

const upTo = (limit: number, size: number): TrialOutcome => ({ size, verdict: size <= limit ? 'stable' : 'unstable' });

test(
  'the size above the limit has failed at the pace of the plan, too, whatever the limit, and the bound of trials holds',
  both,
  () => {
    const wrong: unknown[] = [];
    for (const refute of [1, 2]) {
      for (let limit = 1; limit <= 130; limit += limit < 20 ? 1 : times(7, 1)) {
        const { answer, history, options } = searched((size) => upTo(limit, size), { refute });
        const { stable, unstable, outcome } = answer;
        const atPlanPace = history.some((one) => one.size === unstable && one.verdict === 'unstable' && !one.hasty);
        const isBounded = history.length <= trialBound(options, 1).clean;
        if (outcome !== 'found' || !atPlanPace || !isBounded || stable > limit) wrong.push({ refute, limit, answer });
      }
    }
    expect(wrong).toEqual([]);
  },
);

test(
  'a server that carries less when participants join faster is answered by what it carries at the pace of the plan',
  both,
  () => {
    const wrong: unknown[] = [];
    for (const share of [0.3, 0.6, 0.9]) {
      for (let limit = 2; limit <= 130; limit += times(11, 3)) {
        const { answer } = searched((size, hasty) => upTo(hasty ? Math.max(1, share * limit) : limit, size));
        const isRight = answer.outcome === 'found' && answer.stable <= limit && (answer.unstable ?? 0) > limit;
        if (!isRight || answer.flaky.length > 0) wrong.push({ share, limit, answer });
      }
    }
    expect(wrong).toEqual([]);
  },
);

test('from then on all trials of the run join at the pace of the plan, and the step says why it repeats', () => {
  const { steps, history } = searched((size, hasty) => upTo(hasty ? 10 : 20, size));
  const first = history.findIndex((one) => one.verdict === 'stable' && !one.hasty && one.size > 10);
  expect(steps[first]?.text).toMatch(/joining faster than planned; it must fail at the pace of the plan, too\.$/);
  const [asFast, slowly, ...rest] = steps.slice(first + 1);
  expect(asFast).toMatchObject({ size: steps[first]?.size, why: 'refute' });
  expect(asFast?.text).toMatch(/held at the pace of the plan: once more at that of other trials\.$/);
  expect(asFast?.atPlanPace).toBeUndefined();
  expect(slowly).toMatchObject({ size: steps[first]?.size, why: 'refute', atPlanPace: true });
  expect(rest.every(({ atPlanPace }) => atPlanPace)).toBe(true);
});

test('a size that failed faster, held at the pace of the plan and then holds as fast is flaky: the run goes on as fast', () => {
  const seen = new Map<number, number>();
  const { answer, steps } = searched((size) => {
    const times = (seen.get(size) ?? 0) + 1;
    seen.set(size, times);
    return size === 12 ? { size, verdict: times === 1 ? 'unstable' : 'stable' } : upTo(12, size);
  });
  expect(answer.flaky).toEqual([12]);
  expect(steps.at(-1)?.atPlanPace).toBeUndefined();
});

test('from 40 on a size a little above tells the pace from chance, at the pace of the plan', () => {
  const { steps, history, answer } = searched((size, hasty) => upTo(hasty ? 60 : 100, size));
  const first = history.findIndex((one) => one.verdict === 'stable' && !one.hasty && one.size > 60);
  const [held, next, ...rest] = steps.slice(first);
  expect(next).toMatchObject({ why: 'refute', atPlanPace: true });
  expect(next?.text).toBe(
    `${held?.size} failed joining faster, and held at the pace of the plan: does ${next?.size} hold at that, too?`,
  );
  expect(next?.size).toBeGreaterThan(held?.size ?? 0);
  expect(next?.size).toBeLessThanOrEqual(1.1 * (held?.size ?? 0));
  expect(rest.every(({ atPlanPace }) => atPlanPace)).toBe(true);
  expect(answer.flaky).toEqual([]);
  expect([answer.stable <= 100, (answer.unstable ?? 0) > 100]).toEqual([true, true]);
});

test('where the size above fails at the pace of the plan, too, it was chance, and the run goes on as fast', () => {
  const seen = new Map<number, number>();
  const { answer, steps, history } = searched((size) => {
    const times = (seen.get(size) ?? 0) + 1;
    seen.set(size, times);
    return size === 98 ? { size, verdict: times === 1 ? 'unstable' : 'stable' } : upTo(97, size);
  });
  expect(answer.flaky).toContain(98);
  expect(answer.unstable).toBeGreaterThan(98);
  expect(history.some((one) => one.size === answer.unstable && one.verdict === 'unstable' && !one.hasty)).toBe(true);
  expect(steps.at(-1)?.atPlanPace).toBeUndefined();
});

test('a size that fails at both paces, and passes once, is flaky: no failure of it gives way', () => {
  const seen = new Map<number, number>();
  const { answer } = searched((size) => {
    const times = (seen.get(size) ?? 0) + 1;
    seen.set(size, times);
    return size === 12 ? { size, verdict: times === 2 ? 'stable' : 'unstable' } : upTo(11, size);
  });
  expect(answer).toMatchObject({ outcome: 'found', unstable: 13, flaky: [12] });
  expect(answer.stable).toBeLessThanOrEqual(11);
});

test('probes that run out while they join faster are tried at the pace of the plan before that is a ceiling', () => {
  const exhausted = (size: number): TrialOutcome => ({ size, verdict: 'void', probesExhausted: true });
  const alone = searched((size, hasty) => (hasty && size > 5 ? exhausted(size) : upTo(9, size)));
  expect(alone.answer).toMatchObject({ outcome: 'found', stable: 9, unstable: 10 });
  const always = searched((size) => (size > 5 ? exhausted(size) : upTo(9, size)));
  expect(always.answer).toMatchObject({ outcome: 'probe-limited', stable: 5 });
});

test('whatever faster joining does to a soft and unlucky server, the search ends within its bound', both, () => {
  const over: unknown[] = [];
  for (let seed = 1; seed <= times(12, 60); seed += 1) {
    const random = randomFrom(seed * 7919);
    const [capacity, width, left] = [1 + Math.floor(random() * 120), 0.3 * random(), 0.3 + 0.7 * random()];
    const { history, options } = searched((size, hasty) => {
      const held = hasty ? capacity * left : capacity;
      if (random() < 0.1) return { size, verdict: 'void', probesExhausted: random() < 0.1 };
      return { size, verdict: random() < 0.5 - (size - held) / (width * held + 0.01) ? 'stable' : 'unstable' };
    });
    const judged = history.filter(({ verdict }) => verdict !== 'void').length;
    if (judged > trialBound(options, 1).contradicted) over.push({ seed, judged });
  }
  expect(over).toEqual([]);
});
