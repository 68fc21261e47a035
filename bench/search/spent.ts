import type { Answer, Step } from '../../model/run.js';
import type { SampledTrial } from './sampled-server.js';

/** What trials are for, as the probe-minutes of a search are told apart. */
export const trialKinds = [
  'growing',
  'bisecting',
  'the size above, as fast as others',
  'at the pace of the plan',
  'passes of the edge',
  'passes of the limit',
  'after a contradiction',
  'void',
] as const;
type TrialKind = (typeof trialKinds)[number];

export const trialPhases = ['joining', 'settling', 'measuring'] as const;
type TrialPhase = (typeof trialPhases)[number];

/** Probe-seconds of a search, and how many trials took them. */
export interface Spent {
  readonly trials: Readonly<Record<TrialKind, number>>;
  readonly kinds: Readonly<Record<TrialKind, number>>;
  readonly phases: Readonly<Record<TrialPhase, number>>;
}

export interface SteppedTrial {
  readonly step: Extract<Step, { kind: 'try' }>;
  readonly trial: SampledTrial;
}

export function spentBy(stepped: readonly SteppedTrial[], { stable }: Answer): Spent {
  const kinds = kindsOf(stepped, stable);
  const sumOf = (kind: TrialKind, what: (one: SteppedTrial) => number) =>
    stepped.reduce((sum, one, index) => (kinds[index] === kind ? sum + what(one) : sum), 0);
  return {
    trials: record(trialKinds, (kind) => sumOf(kind, () => 1)),
    kinds: record(trialKinds, (kind) => sumOf(kind, ({ trial }) => trial.probeSeconds)),
    phases: record(trialPhases, (phase) => stepped.reduce((sum, { trial }) => sum + trial.phases[phase], 0)),
  };
}

function kindsOf(stepped: readonly SteppedTrial[], stable: number): TrialKind[] {
  let [largestPass, smallestFail, contradicted] = [0, Number.POSITIVE_INFINITY, false];
  return stepped.map(({ step, trial }, index) => {
    const { size, verdict } = trial.outcome;
    const asked = step.why === 'repeat-void' ? firstAsked(stepped, index) : step;
    const kind = contradicted ? 'after a contradiction' : kindOf(asked, stable);
    if (verdict === 'void') return 'void';
    contradicted ||= verdict === 'stable' ? size >= smallestFail : size <= largestPass;
    if (verdict === 'stable') largestPass = Math.max(largestPass, size);
    else smallestFail = Math.min(smallestFail, size);
    return step.atPlanPace ? 'at the pace of the plan' : kind;
  });
}

/** A trial that was void is asked again: for what, its first step says. */
function firstAsked(stepped: readonly SteppedTrial[], index: number): SteppedTrial['step'] {
  const { step } = stepped[index] as SteppedTrial;
  const before = stepped
    .slice(0, index)
    .findLast((one) => one.step.size === step.size && one.step.why !== 'repeat-void');
  return before?.step ?? step;
}

function kindOf({ why, size }: SteppedTrial['step'], stable: number): TrialKind {
  if (why === 'confirm') return size === stable ? 'passes of the limit' : 'passes of the edge';
  if (why === 'refute') return 'the size above, as fast as others';
  return why === 'bisect' ? 'bisecting' : 'growing';
}

function record<Key extends string>(keys: readonly Key[], numberOf: (key: Key) => number): Record<Key, number> {
  return Object.fromEntries(keys.map((key) => [key, numberOf(key)])) as Record<Key, number>;
}
