import { nextStep, resolutionAt } from '../../analysis/search/search.js';
import { type SearchOptions, searchSchema } from '../../model/plan.js';
import type { TrialOutcome } from '../../model/run.js';

/** One way to look for a limit. */
export interface Contender {
  readonly name: string;
  readonly within: SearchOptions['within'];
  readonly search: (tryOnce: (size: number) => TrialOutcome) => Found;
}

export interface Found {
  readonly stable: number;
  readonly unstable: number | null;
  /** No limit is named: nothing was measured that says anything, or the server was taken for one that gets worse. */
  readonly void: boolean;
  readonly history: readonly TrialOutcome[];
}

/** Well above twice the largest capacity, so that no search ends because it reached the largest size. */
const max = 2048;

export function loadlineSearch(within: SearchOptions['within']): Contender {
  const options = searchSchema.parse({ max, within });
  return {
    name: within === undefined ? 'Loadline' : `Loadline, within ${within}`,
    within,
    search: (tryOnce) => {
      const history: TrialOutcome[] = [];
      for (;;) {
        const step = nextStep(options, 1, history);
        if (step.kind === 'try') history.push(tryOnce(step.size));
        else
          return {
            ...step.answer,
            void: step.answer.outcome === 'void' || step.answer.outcome === 'drifting',
            history,
          };
      }
    },
  };
}

/** Doubling and bisection, each size tried until it is not void, and believed at once. */
export function plainBisection(within: SearchOptions['within']): Contender {
  const options = searchSchema.parse({ max, within });
  return {
    name: 'bisection, believed at once',
    within,
    search: (tryOnce) => {
      const history: TrialOutcome[] = [];
      let stable = 0;
      let unstable: number | null = null;
      while (unstable === null || unstable - stable > resolutionAt(options, stable)) {
        const size: number = unstable === null ? Math.max(1, stable * 2) : Math.floor((stable + unstable) / 2);
        if (passes(size, tryOnce, history)) stable = size;
        else unstable = size;
      }
      return { stable, unstable, void: false, history };
    },
  };
}

/** Up by one resolution until something fails. */
export function linearRamp(within: SearchOptions['within']): Contender {
  const options = searchSchema.parse({ max, within });
  return {
    name: 'linear ramp',
    within,
    search: (tryOnce) => {
      const history: TrialOutcome[] = [];
      let stable = 0;
      for (;;) {
        const size = stable + (stable === 0 ? 1 : resolutionAt(options, stable));
        if (!passes(size, tryOnce, history)) return { stable, unstable: size, void: false, history };
        stable = size;
      }
    },
  };
}

function passes(size: number, tryOnce: (size: number) => TrialOutcome, history: TrialOutcome[]): boolean {
  for (;;) {
    const trial = tryOnce(size);
    history.push(trial);
    if (trial.verdict !== 'void') return trial.verdict === 'stable';
  }
}
