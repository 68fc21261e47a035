import { expect, test } from '@playwright/test';
import { searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';
import { answerSoFar } from './answer-so-far.js';
import { nextStep } from './search.js';
import { singleSizeStep } from './single-size.js';

const options = searchSchema.parse({});
const unreached = 'The media server offered no candidate, so there was no address to connect to.';
const failed: TrialOutcome = { size: 1, verdict: 'unstable', unreached };
const voided: TrialOutcome = { size: 1, verdict: 'void', probesExhausted: false, unreached };
const told = (trials: readonly TrialOutcome[]) => {
  const step = nextStep(options, 1, trials);
  return step.kind === 'done' ? step.answer : step;
};

test('a baseline in which nobody ever connected is no limit, of a search, of one size, and cut short', () => {
  const nobody = { outcome: 'never-connected', stable: 0, unstable: null, because: unreached };
  const trials = [failed, failed, failed, failed];
  expect(told(trials)).toMatchObject(nobody);
  expect(singleSizeStep(8, options, 1, trials)).toMatchObject({ kind: 'done', answer: nobody });
  expect(answerSoFar(options, 1, [failed], 'It is over.')).toMatchObject({ ...nobody, cutShort: true });
});

test('one trial in which somebody connected makes it the limit that it was', () => {
  const { unreached: _, ...connected } = failed;
  expect(told([failed, connected, failed, failed])).toMatchObject({ outcome: 'baseline-unstable', unstable: 1 });
});

test('it is told of a baseline that was void, too, and not where one trial says otherwise', () => {
  const { unreached: _, ...crashed } = voided;
  expect(told([voided, voided, voided])).toMatchObject({
    outcome: 'never-connected',
    because: unreached,
  });
  expect(told([voided, crashed, voided])).toMatchObject({ outcome: 'void' });
});

test('one trial is enough where no repeat can bring anybody a connection, and not after one that connected', () => {
  const wayless: TrialOutcome = { ...failed, wayless: true };
  const nobody = { kind: 'done', answer: { outcome: 'never-connected', stable: 0, because: unreached } };
  const { unreached: _, ...connected } = failed;
  for (const step of [nextStep.bind(undefined, options, 1), singleSizeStep.bind(undefined, 8, options, 1)]) {
    expect(step([wayless])).toMatchObject(nobody);
    expect(step([{ ...voided, wayless: true }])).toMatchObject(nobody);
    expect(step([connected, wayless])).toMatchObject({ kind: 'try', size: 1 });
    expect(step([failed])).toMatchObject({ kind: 'try', size: 1 });
  }
});
