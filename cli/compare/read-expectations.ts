import { resolve } from 'node:path';
import { z } from 'zod';
import { type Expectation, readExpectation } from '../../analysis/compare/expectations.js';
import { toWriteFor } from '../../analysis/judge/thresholds/nearest-word.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { scenarios } from '../../scenarios/index.js';
import { usageError } from '../options/usage-error.js';
import { readMappingFile } from '../plan-file/read-mapping-file.js';
import type { ToolProcess } from '../process.js';

const error = 'must be an expectation: one-to-one >= 40 calls on c5.2xlarge';
const expectation = z.string({ error }).refine((text) => readExpectation(text) !== undefined, { error });

/** `capacity.yaml`: what each scenario has to hold. */
const expectationsSchema = z.strictObject({
  expect: z.array(expectation, { error: 'must be a list of expectations' }).min(1, { error: 'must not be empty' }),
});

/** Throws E_PLAN for what is no expectation, E_USAGE for one of a scenario or a unit that there is not. */
export async function readExpectations(
  path: string,
  runs: readonly FinishedRun[],
  { workingFolder }: ToolProcess,
): Promise<readonly Expectation[]> {
  const { expect } = await readMappingFile({
    path: resolve(workingFolder, path),
    what: 'expectations',
    schema: expectationsSchema,
    noMapping: 'a file of expectations has the key expect, with a list such as - one-to-one >= 40 calls',
    todo: 'correct these places: - one-to-one >= 40 calls on c5.2xlarge',
  });
  const expectations = expect.flatMap((one) => readExpectation(one) ?? []);
  const units = unitsByScenario(runs);
  const wrong = expectations.flatMap((one) => unknownIn(one, units) ?? []);
  if (wrong.length === 0) return expectations;
  const why = wrong.map(({ what }) => what).join('\n');
  const todo = [...new Set(wrong.map(({ remedy }) => remedy))].join('\n');
  throw usageError('What is expected cannot be compared with any run.', ['--expect', path], todo, why);
}

/** What each scenario counts, here and in the runs: another version may have had others. */
function unitsByScenario(runs: readonly FinishedRun[]): ReadonlyMap<string, readonly string[]> {
  const units = new Map<string, readonly string[]>();
  const add = (name: string, words: readonly string[]) =>
    units.set(name, [...new Set([...(units.get(name) ?? []), ...words])]);
  for (const { name, unit } of scenarios) add(name, [unit.many, unit.one]);
  for (const { manifest } of runs) {
    const { one, many } = manifest.unit ?? { one: 'session', many: 'sessions' };
    add(manifest.plan.scenario, [many, one]);
  }
  return units;
}

function unknownIn({ text, scenario, unit }: Expectation, units: ReadonlyMap<string, readonly string[]>) {
  const counted = units.get(scenario);
  if (!counted) {
    return { what: `"${text}": there is no scenario "${scenario}"`, remedy: toWriteFor(scenario, [...units.keys()]) };
  }
  if (counted.includes(unit)) return undefined;
  return { what: `"${text}": ${scenario} counts ${counted[0]}, not "${unit}"`, remedy: `write ${counted[0]}` };
}
