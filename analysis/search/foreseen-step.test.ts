import { expect, test } from '@playwright/test';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { Step, TrialOutcome } from '../../model/run.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { mostForesightExtra } from './foreseen-step.js';
import { nextStep, trialBound } from './search.js';

const cores = 2;

/** Holds so many, takes what it takes, and says that it has so much. */
function searched(capacity: number, told: (size: number) => number, changes: Partial<SearchOptions> = {}) {
  const options = searchSchema.parse({ max: 2048, ...changes });
  const history: TrialOutcome[] = [];
  const steps: Step[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    steps.push(step);
    if (step.kind === 'done') return { answer: step.answer, history, steps };
    const { size, foresees } = step;
    history.push({
      size,
      verdict: size <= capacity ? 'stable' : 'unstable',
      used: [{ what: 'server-cpu', amount: told(size), available: cores }],
      ...(foresees ? { foresees } : {}),
    });
  }
}

const truth = (capacity: number) => (size: number) => (0.97 * cores * size) / capacity;
const sizesOf = ({ history }: { readonly history: readonly TrialOutcome[] }) => history.map(({ size }) => size);

test('the search goes where it foresees the limit, and says why', () => {
  const { history, steps, answer } = searched(44, truth(44));
  expect(sizesOf({ history }).slice(0, 5)).toEqual([1, 2, 8, 32, 40]);
  expect(steps[4]).toMatchObject({ kind: 'try', why: 'grow', foresees: 'stable' });
  expect(steps[4]?.kind === 'try' && steps[4].text).toMatch(
    /^Foreseen: 0\.044 cores of the server each, 1\.9 of them can be used: about 43\. Now 40, which should hold\.$/,
  );
  expect(answer).toMatchObject({ outcome: 'found', stable: 44, unstable: 45 });
});

test('what held though it was foreseen to be too many is passed by a little, then by more, and then doubled', () => {
  const { history, steps } = searched(400, truth(100));
  const sizes = sizesOf({ history });
  const first = sizes.indexOf(100);
  expect(sizes.slice(0, first + 5)).toEqual([1, 2, 8, 32, 92, 100, 106, 118, 146, 292]);
  expect(steps[first + 1]).toMatchObject({ why: 'grow', foresees: 'unstable' });
  expect(steps[first + 1]).toMatchObject({ text: '100 held, and was foreseen to be too many: a little further up.' });
  expect(steps[first + 4]).not.toHaveProperty('foresees');
});

test('from 64 on a jump is at most to twice what held', () => {
  expect(sizesOf(searched(450, truth(450))).slice(0, 6)).toEqual([1, 2, 8, 32, 128, 256]);
});

test('with --no-foresight sizes are doubled and halved, whatever was seen', () => {
  expect(sizesOf(searched(44, truth(44), { foresight: false })).slice(0, 8)).toEqual([1, 2, 4, 8, 16, 32, 64, 48]);
});

test('the baseline and the first size that was asked for are tried before anything is foreseen', () => {
  expect(sizesOf(searched(44, truth(44), { from: 6 })).slice(0, 3)).toEqual([1, 6, 24]);
});

test(
  'whatever it is told, the answer is that of doubling and halving, within a bounded number of trials more',
  both,
  () => {
    const random = randomFrom(4711);
    const wrong: unknown[] = [];
    let most = 0;
    for (let round = 0; round < times(100, 600); round += 1) {
      const capacity = 1 + Math.floor(random() * 500);
      const off = 8 ** (2 * random() - 1);
      const noise = random() < 0.5 ? 0 : 0.5;
      const plain = searched(capacity, () => 0, { foresight: false });
      const steered = searched(capacity, (size) => truth(capacity)(size) * off * (1 + noise * (random() - 0.5)));
      const { outcome, stable, unstable } = steered.answer;
      const isRight = outcome === 'found' && stable <= capacity && (unstable ?? 0) > capacity;
      most = Math.max(most, steered.history.length - plain.history.length);
      const isBounded = steered.history.length <= trialBound(searchSchema.parse({ max: 2048 }), 1).clean;
      if (!isRight || !isBounded) wrong.push({ capacity, off, stable, unstable });
    }
    expect(wrong).toEqual([]);
    // Bisection that begins elsewhere may end at another edge, where the limit takes other trials.
    expect(most).toBeLessThanOrEqual(mostForesightExtra + 8);
  },
);

test('replaying a stored history with what was seen gives the steps that followed it', () => {
  const { history, steps } = searched(137, truth(137));
  const stored: TrialOutcome[] = JSON.parse(JSON.stringify(history));
  const options = searchSchema.parse({ max: 2048 });
  expect(history.map((_, index) => nextStep(options, 1, stored.slice(0, index)))).toEqual(steps.slice(0, -1));
});
