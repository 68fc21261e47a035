import { expect, test } from '@playwright/test';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { Answer, TrialOutcome } from '../../model/run.js';
import { both, times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { nextStep, resolutionAt, trialBound } from './search.js';

type Server = (size: number) => TrialOutcome;

interface Searched {
  readonly options: SearchOptions;
  readonly history: readonly TrialOutcome[];
  readonly answer: Answer;
}

/** Searches to the end, which must come within `bound` trials. */
function search(options: SearchOptions, server: Server, bound: number): Searched {
  const history: TrialOutcome[] = [];
  for (;;) {
    const step = nextStep(options, 1, history);
    if (step.kind === 'done') return { options, history, answer: step.answer };
    if (history.length >= bound) throw new Error(`no end after ${bound} trials: ${JSON.stringify(history)}`);
    history.push(server(step.size));
  }
}

/** What each search breaks, so that thousands of them need one assertion. */
function broken(searches: readonly Searched[], rules: Readonly<Record<string, (searched: Searched) => boolean>>) {
  return searches.flatMap((searched) =>
    Object.entries(rules).flatMap(([rule, holds]) => (holds(searched) ? [] : [{ rule, ...searched }])),
  );
}

function count({ history }: Searched, verdict: TrialOutcome['verdict'], fits: (size: number) => boolean): number {
  return history.filter((trial) => trial.verdict === verdict && fits(trial.size)).length;
}

const sharp =
  (capacity: number): Server =>
  (size) => ({ size, verdict: size <= capacity ? 'stable' : 'unstable' });

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, index) => from + index);

const resolutions: readonly SearchOptions['within'][] = [undefined, 1, 2, 7, '1%', '20%'];

for (const within of resolutions) {
  test(
    `for any capacity a search within ${within ?? 'the default'} is so, and takes no more trials than planned`,
    both,
    () => {
      const options = searchSchema.parse({ within });
      const bound = trialBound(options, 1).clean;
      for (const capacity of range(1, 511).filter((one) => one < 40 || one % times(7, 1) === 0)) {
        const { answer } = search(options, sharp(capacity), bound);
        const { outcome, stable, unstable } = answer;
        const gap = (unstable ?? Number.POSITIVE_INFINITY) - stable;
        const right = outcome === 'found' && stable <= capacity && stable + gap > capacity;
        if (!right || gap > resolutionAt(options, stable))
          expect({ capacity, ...answer }).toBe('within its resolution');
      }
    },
  );
}

test('below 19 a sharp limit is found to the size, from any first size, with 2 failures and 3 passes, 6 from 10 on', () => {
  const capacities = range(1, 18).flatMap((capacity) => range(1, 40).map((from) => ({ capacity, from })));
  const searches = capacities.map(({ capacity, from }) => {
    const options = searchSchema.parse({ from });
    return { capacity, ...search(options, sharp(capacity), trialBound(options, 1).clean) };
  });
  const wrong = searches.filter((searched) => {
    const { capacity, answer } = searched;
    const passes = count(searched, 'stable', (size) => size === capacity);
    const fails = count(searched, 'unstable', (size) => size === capacity + 1);
    return (
      answer.stable !== capacity ||
      answer.unstable !== capacity + 1 ||
      passes !== (capacity < 10 ? 3 : 6) ||
      fails !== 2
    );
  });
  expect(wrong).toEqual([]);
});

/** Any server at all: each size passes with a chance of its own, drawn once, and is void now and then. */
function anySearch(seed: number, voidRate: number): { options: SearchOptions; server: Server } {
  const random = randomFrom(seed);
  const upTo = (largest: number) => 1 + Math.floor(random() * largest);
  const options = searchSchema.parse({
    from: upTo(30),
    max: upTo(300),
    confirm: upTo(4),
    refute: upTo(3),
    voidRepeats: upTo(3) - 1,
    within: resolutions[upTo(resolutions.length) - 1],
    strategy: (['bisect', 'bisect', 'bisect', 'ramp', 'fixed'] as const)[upTo(5) - 1],
    sizes: [12, 3, 40, 1],
  });
  const temper = random();
  const chances = new Map<number, number>();
  const server: Server = (size) => {
    const chance = chances.get(size) ?? (random() < temper ? Math.round(random() * 1.3) : random());
    chances.set(size, chance);
    if (random() < voidRate) return { size, verdict: 'void', probesExhausted: random() < 0.1 };
    if (random() < chance) return { size, verdict: 'stable' };
    return random() < 0.2 ? { size, verdict: 'unstable', faint: true } : { size, verdict: 'unstable' };
  };
  return { options, server };
}

test('whatever a server does, the search ends within its bound and claims no more than its trials show', both, () => {
  const searches = range(1, times(100, 1500)).map((seed) => {
    const { options, server } = anySearch(seed, 0);
    return search(options, server, trialBound(options, 1).contradicted);
  });
  const wrong = broken(searches, {
    'no size above the largest allowed': ({ options, history }) =>
      options.strategy === 'fixed' || history.every((trial) => trial.size <= options.max),
    'where nothing contradicted, nothing failed at or below the stable size': (searched) =>
      searched.answer.flaky.length > 0 ||
      searched.answer.failedBelow !== undefined ||
      searched.answer.outcome === 'drifting' ||
      count(searched, 'unstable', (size) => size <= searched.answer.stable) === 0,
    'the stable size passed as often as asked': (searched) =>
      searched.answer.stable === 0 ||
      searched.answer.outcome === 'drifting' ||
      searched.options.strategy === 'fixed' ||
      count(searched, 'stable', (size) => size === searched.answer.stable) >= searched.options.confirm,
    'the stable size passed more often than it failed': (searched) =>
      searched.answer.outcome === 'drifting' ||
      searched.answer.stable === 0 ||
      count(searched, 'stable', (size) => size === searched.answer.stable) >
        count(searched, 'unstable', (size) => size === searched.answer.stable),
    'sizes below the stable one that never passed are named': (searched) =>
      searched.answer.outcome !== 'found' ||
      searched.options.strategy === 'fixed' ||
      searched.answer.failedBelow !== undefined ||
      searched.history.every(
        ({ size }) => size >= searched.answer.stable || count(searched, 'stable', (other) => other === size) > 0,
      ),
    'nothing passed at or above the unstable size, which failed as often as asked': (searched) => {
      const { outcome, unstable, cutShort } = searched.answer;
      if (outcome !== 'found' || unstable === null || searched.options.strategy === 'ramp') return true;
      const failed = cutShort || count(searched, 'unstable', (size) => size === unstable) >= searched.options.refute;
      return failed && count(searched, 'stable', (size) => size >= unstable) === 0;
    },
    'flaky sizes are those of which some passed and some failed': (searched) =>
      searched.answer.flaky.every((flaky) =>
        (['stable', 'unstable'] as const).every((verdict) => count(searched, verdict, (size) => size === flaky) > 0),
      ),
  });
  expect(wrong.slice(0, 3)).toEqual([]);
});

test('with void trials the search still ends, and goes on below a size that exhausted the probes', both, () => {
  const searches = range(1, times(100, 1500)).map((seed) => {
    const { options, server } = anySearch(seed, 0.3);
    return search(options, server, Math.min(5000, trialBound(options, 1).most));
  });
  const wrong = broken(searches, {
    'nothing is tried at or above a size that exhausted the probes': ({ history }) =>
      history.every((trial, index) => {
        const later = history.slice(index + 1);
        return !trial.probesExhausted || later.every((other) => other.size < trial.size);
      }),
    'no answer reaches a size that exhausted the probes': ({ history, answer }) =>
      history.every((trial) => !trial.probesExhausted || Math.max(answer.stable, answer.unstable ?? 0) < trial.size),
  });
  expect(wrong.slice(0, 3)).toEqual([]);
});

test('replaying any prefix of a stored history gives the step that followed it', both, () => {
  for (const seed of range(1, times(30, 300))) {
    const { options, server } = anySearch(seed, 0.1);
    const { history } = search(options, server, 5000);
    const stored: TrialOutcome[] = JSON.parse(JSON.stringify(history));
    const next = stored.map((_, index) => nextStep(options, 1, stored.slice(0, index)));
    expect(next.map((step) => step.kind === 'try' && step.size)).toEqual(history.map((trial) => trial.size));
  }
});

test('where a confidence cannot be shown, the search names what its trials make likely, as an interval', () => {
  const options = searchSchema.parse({ confidence: 0.9 });
  const answers = Array.from({ length: 20 }, (_, nth) => {
    const random = randomFrom(nth + 1);
    const history: TrialOutcome[] = [];
    for (;;) {
      const step = nextStep(options, 1, history);
      if (step.kind === 'done') return step.answer;
      const passes = step.size <= 15 && random() < 0.95;
      history.push({ size: step.size, verdict: passes ? 'stable' : 'unstable' });
    }
  });
  const givenUp = answers.filter(({ cutShort }) => cutShort);
  expect(givenUp.length).toBeGreaterThan(0);
  expect(givenUp.filter(({ outcome, stable }) => outcome !== 'found' || stable < 8)).toEqual([]);
});
