import type { FinishedRun } from '../../model/finished-run.js';
import { given } from '../../model/given.js';
import { namesNoLimit } from '../../model/run.js';
import { confirmingAt, trialsAt } from '../measure/trials-at.js';
import { comparedRun } from './compare.js';
import { hostTypeOf } from './host-type.js';

/** "one-to-one >= 40 calls on c5.2xlarge". */
export interface Expectation {
  readonly text: string;
  readonly scenario: string;
  readonly atLeast: number;
  /** What it counts: calls. */
  readonly unit: string;
  /** Absent: on whatever host. */
  readonly hostType?: string;
}

export interface ExpectationMet {
  readonly text: string;
  readonly kind: 'met' | 'failed' | 'unknown';
  /** A whole sentence for each run that was held to it. */
  readonly sentences: readonly string[];
}

const form = /^([\w-]+)\s*(?:>=|≥)\s*(\d{1,9})\s+([\p{L}-]+)(?:\s+on\s+(.+))?$/u;

/** `undefined` for what is no expectation. */
export function readExpectation(text: string): Expectation | undefined {
  const [, scenario, size, unit, hostType] = form.exec(text.trim()) ?? [];
  if (scenario === undefined || size === undefined || unit === undefined) return undefined;
  return { text: text.trim(), scenario, atLeast: Number(size), unit, ...given({ hostType }) };
}

/** Every run of the scenario on that kind of host must hold as much. Without such a run it is unknown, so not met. */
export function heldTo(expectation: Expectation, runs: readonly FinishedRun[]): ExpectationMet {
  const { text, scenario, hostType } = expectation;
  const own = runs.filter(
    ({ manifest }) =>
      manifest.plan.scenario === scenario && (hostType === undefined || hostTypeOf(manifest) === hostType),
  );
  if (own.length === 0) return { text, kind: 'unknown', sentences: [`${text}: no run speaks of it.`] };
  const told = own.map((run) => toldOf(expectation, run));
  const kind = (['failed', 'unknown'] as const).find((one) => told.some((run) => run.kind === one)) ?? 'met';
  return { text, kind, sentences: told.map(({ sentence }) => sentence) };
}

function toldOf(
  { atLeast, text, unit: asked }: Expectation,
  run: FinishedRun,
): { kind: ExpectationMet['kind']; sentence: string } {
  const { name, outcome, stable, unstable, below, unit } = comparedRun(run);
  const { one, many } = run.manifest.unit ?? { one: 'session', many: 'sessions' };
  if (asked !== one && asked !== many) {
    return { kind: 'unknown', sentence: `${text}: cannot be said. ${name} counts ${many}.` };
  }
  const isSilent = namesNoLimit(outcome);
  const passes = trialsAt(run.records, stable).filter(({ verdict }) => verdict.kind === 'stable');
  const confirmsNothing = passes.length > 0 && confirmingAt(passes, stable).length === 0;
  const failedFrom = outcome === 'server-lost' ? unstable : below;
  const met = !isSilent && stable >= atLeast && !confirmsNothing;
  const failed = (!isSilent || outcome === 'server-lost') && failedFrom !== null && failedFrom <= atLeast;
  const kind = met ? 'met' : failed ? 'failed' : 'unknown';
  const words = { met: 'met', failed: 'not met', unknown: 'cannot be said' } as const;
  const found = confirmsNothing
    ? `held ${stable} ${unit} in trials that confirm nothing`
    : `holds ${stable} ${unit}${below === null ? ' at least' : ''}`;
  const held = isSilent ? `is ${outcome}` : found;
  return { kind, sentence: `${text}: ${words[kind]}. ${name} ${held}.` };
}
