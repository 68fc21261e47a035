import type { FinishedRun } from '../../model/finished-run.js';
import { namesNoLimit, type Outcome } from '../../model/run.js';
import { talliesOf } from '../judge/summary.js';
import { isOpen, probesAt } from '../search/result.js';
import { type ComparedFact, comparedFacts, isOf, scenarioText } from './compared-facts.js';
import { placementSentences } from './placements.js';

export interface ComparedRun {
  readonly name: string;
  readonly scenario: string;
  readonly unit: string;
  readonly server: string;
  readonly outcome: Outcome;
  readonly stable: number;
  readonly unstable: number | null;
  readonly flaky: readonly number[];
  readonly probesAtLimit: number;
  /** Bounds of the limit without contradicted sizes: all below the first held, none from the second on. */
  readonly atLeast: number;
  readonly below: number | null;
  readonly cutShort: boolean;
  /** What lies between the two sizes is not known. */
  readonly undecided: boolean;
  readonly trials: number;
}

export interface Comparison {
  readonly runs: readonly ComparedRun[];
  readonly facts: readonly ComparedFact[];
  /** Whole sentences: who holds how much more, or why that cannot be said. */
  readonly conclusions: readonly string[];
  /** Limits of different scenarios count different things. */
  readonly ofOneScenario: boolean;
}

export function compareRuns(runs: readonly FinishedRun[]): Comparison {
  const facts = comparedFacts(runs);
  const compared = runs.map(comparedRun);
  const ofOneScenario = new Set(compared.map(({ scenario }) => scenario)).size === 1;
  const isOneLoad = facts.every((fact) => fact.same || !isOf('load', fact));
  const conclusions = [...conclusionsOf(compared, facts), ...(isOneLoad ? placementSentences(runs) : [])];
  return { runs: compared, facts, conclusions, ofOneScenario };
}

export function comparedRun(run: FinishedRun): ComparedRun {
  const { manifest, answer, records, runDirectory } = run;
  return {
    name: runDirectory.split(/[\\/]/).filter(Boolean).at(-1) ?? runDirectory,
    scenario: scenarioText(manifest.plan),
    unit: manifest.unit?.many ?? 'sessions',
    server: manifest.server.name,
    outcome: answer.outcome,
    stable: answer.stable,
    unstable: answer.unstable,
    flaky: answer.flaky,
    probesAtLimit: probesAt(records, answer.stable),
    ...doubtOf(run),
    cutShort: answer.cutShort === true,
    undecided: isOpen(run),
    trials: records.length,
  };
}

/**
 * A size that failed in some trials, or passed where that confirms nothing, may be above the limit. So the lower end
 * is the largest size up to the limit that only ever held, and the upper end is above all that ever passed.
 */
function doubtOf({ answer, records }: FinishedRun): Pick<ComparedRun, 'atLeast' | 'below'> {
  const tallies = talliesOf(records);
  const held = tallies.filter(({ stable, judged }) => judged > 0 && stable === judged).map(({ size }) => size);
  const isDoubted = tallies.some(({ size }) => size === answer.stable && !held.includes(size));
  const atLeast = isDoubted ? Math.max(0, ...held.filter((size) => size < answer.stable)) : answer.stable;
  if (answer.unstable === null) return { atLeast, below: null };
  const passed = tallies.findLast(({ stable }) => stable > 0)?.size ?? 0;
  const above = tallies.find(({ size, stable, judged }) => size > passed && stable < judged)?.size;
  return { atLeast, below: passed < answer.unstable ? answer.unstable : (above ?? null) };
}

const whySilent: Readonly<Partial<Record<Outcome, string>>> = {
  drifting: 'drifts: no one size is its limit.',
  'server-lost': 'lost its server: no size is its limit.',
  'never-connected': 'never connected: it says nothing of a limit.',
};

function conclusionsOf(runs: readonly ComparedRun[], facts: readonly ComparedFact[]): string[] {
  if (new Set(runs.map(({ scenario }) => scenario)).size > 1) {
    return ['The runs are of different scenarios: their limits count different things.'];
  }
  const caution = facts.some(({ label, same }) => label.startsWith('limits') && !same)
    ? ['The runs were judged by different limits; loadline judge brings them together.']
    : [];
  const told = runs.filter(({ outcome }) => !namesNoLimit(outcome));
  const silent = runs
    .filter((run) => !told.includes(run))
    .map(({ name, outcome }) => `${name} ${whySilent[outcome] ?? 'is void: it says nothing.'}`);
  const [best, ...rest] = [...told].sort((a, b) => b.stable - a.stable);
  if (!best) return silent;
  return [...rest.map((other) => ratioSentence(best, other)), ...silent, ...caution];
}

/** Interval that holds wherever each limit is within its own interval; rounded outwards. */
function ratioSentence(best: ComparedRun, other: ComparedRun): string {
  const names = best.server === other.server ? [best.name, other.name] : [best.server, other.server];
  const overlap = other.below === null || best.atLeast < other.below;
  if (overlap) return `${names[0]} and ${names[1]} cannot be told apart: what is known of their limits overlaps.`;
  if (other.stable === 0)
    return `${names[0]} holds ${best.stable} ${best.unit}, ${names[1]} not even the smallest size.`;
  const low = (Math.floor((100 * best.atLeast) / (other.below ?? 1)) / 100).toFixed(2);
  const times =
    best.below === null || other.atLeast === 0
      ? `at least ${low}`
      : `${low} to ${(Math.ceil((100 * best.below) / other.atLeast) / 100).toFixed(2)}`;
  return `${names[0]} holds ${times} times as many ${best.unit} as ${names[1]}, by one search each.`;
}
