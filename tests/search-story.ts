import { expect } from '@playwright/test';
import { nextStep } from '../analysis/search/search.js';
import { type SearchOptions, searchSchema } from '../model/plan.js';
import type { Answer, Outcome, Step, TrialOutcome } from '../model/run.js';

type Try = Extract<Step, { kind: 'try' }>;

/** The outcome of the nth trial (from 0) of this size. */
type Server = (size: number, nth: number, step: Try) => TrialOutcome;

interface Told {
  readonly steps: readonly Step[];
  readonly history: readonly TrialOutcome[];
  readonly answer: Answer;
}

/** A search test that reads as its specification: what the server is like, which sizes are tried, what is answered. */
export class Story {
  constructor(
    private readonly server: Server,
    private readonly options: Partial<SearchOptions> = {},
  ) {}

  searchedFrom(from: number): Story {
    return this.with({ from });
  }

  upTo(max: number): Story {
    return this.with({ max });
  }

  within(within: SearchOptions['within']): Story {
    return this.with({ within });
  }

  with(options: Partial<SearchOptions>): Story {
    return new Story(this.server, { ...this.options, ...options });
  }

  whoseProbesCarry(probeLimit: number): Story {
    return new Story(
      (size, nth, step) =>
        size > probeLimit ? { size, verdict: 'void', probesExhausted: true } : this.server(size, nth, step),
      this.options,
    );
  }

  tries(...sizes: number[]): Story {
    expect(this.tell().history.map((trial) => trial.size)).toEqual(sizes);
    return this;
  }

  answers(stable: number, unstable: number, flaky: number[] = []): void {
    this.ends('found', stable, unstable, flaky);
  }

  ends(outcome: Outcome, stable: number, unstable: number | null, flaky: number[] = []): void {
    expect(this.tell().answer).toEqual({ outcome, stable, unstable, flaky, because: expect.stringMatching(/^.+\.$/) });
  }

  sentences(): string[] {
    return this.tell().steps.map((step) => (step.kind === 'try' ? step.text : step.answer.because));
  }

  tell(): Told {
    const options = searchSchema.parse(this.options);
    const history: TrialOutcome[] = [];
    const steps: Step[] = [];
    while (history.length < 1000) {
      const step = nextStep(options, 1, history);
      steps.push(step);
      if (step.kind === 'done') return { steps, history, answer: step.answer };
      const nth = history.filter((trial) => trial.size === step.size).length;
      history.push(this.server(step.size, nth, step));
    }
    throw new Error('the search did not end within 1000 trials');
  }
}

/** Every trial up to `capacity` is stable, every one above unstable. */
export function aServerThatHolds(capacity: number): Story {
  return new Story((size) => ({ size, verdict: size <= capacity ? 'stable' : 'unstable' }));
}

const verdicts: Readonly<Record<string, Pick<TrialOutcome, 'verdict' | 'probesExhausted'>>> = {
  '+': { verdict: 'stable' },
  '-': { verdict: 'unstable' },
  '?': { verdict: 'void' },
  '!': { verdict: 'void', probesExhausted: true },
};

/**
 * Each size's outcomes in order: `+` stable, `-` unstable, `?` void by accident, `!` void because the probes ran out.
 */
export function aServerThatSays(script: Readonly<Record<number, string>>): Story {
  return new Story((size, nth) => {
    const verdict = verdicts[script[size]?.[nth] ?? ''];
    if (!verdict) throw new Error(`the story has no trial ${nth + 1} of size ${size}`);
    return { size, ...verdict };
  });
}
