import { LoadlineError } from '../model/errors.js';
import type { ServerFacts } from '../model/run.js';
import type { Scenario } from '../model/scenario.js';
import { shapeWords } from '../model/server-abilities.js';

/** Throws E_CANNOT_MIX before anything is measured, instead of a room's refusal in each trial. */
export function assertCanCarry(scenario: Scenario, { missing = [], name, url }: ServerFacts): void {
  const shapes = new Set(scenario.sessions(scenario.baselineSize).map(({ shape }) => shape));
  const lack = missing.find(({ shape }) => shapes.has(shape));
  if (!lack) return;
  const what = lack.shape === 'mix' ? 'mix rooms' : shapeWords[lack.shape];
  throw new LoadlineError('E_CANNOT_MIX', `${name} cannot ${what}.`, { where: url, why: lack.why, todo: lack.todo });
}
