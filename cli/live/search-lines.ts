import { warmUpsOf } from '../../analysis/measure/warm-ups.js';
import { trialBound } from '../../analysis/search/search.js';
import { anytimeRepeatsFor, provenPassProbability } from '../../analysis/statistics/binomial.js';
import { setTimeText } from '../../analysis/wording/quantity.js';
import { comeAndGo, loads } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import type { Question } from '../options/run-request.js';

/** How the limit is searched, what it may cost, and when the search is ended; said before anything starts. */
export function searchTexts(plan: Plan, question: Question): readonly string[] {
  const { search, timing } = plan;
  const { scenario, fromRun } = question;
  const { clean } = trialBound(search, scenario.baselineSize);
  const { load } = plan;
  const longest = setTimeText(loads[load.by].beforeWindowMs(load, timing) + timing.measureMs);
  return [
    wayText(plan, question),
    ...(fromRun === undefined ? [] : ['from: where the last run of this plan ended,', `  ${fromRun}`]),
    ...confidenceTexts(plan),
    ...warmUpTexts(plan, scenario),
    `at most ${clean} trials of ${longest}${comeAndGo(load) ? '' : ' and joining'}, if none contradicts another`,
    ...(search.budgetMs === undefined
      ? []
      : [`no trial is begun that would end after ${setTimeText(search.budgetMs)} of trials`]),
  ];
}

/** What is done for a cold server before it is measured. */
export function warmUpTexts(plan: Plan, { baselineSize, unit }: Scenario): readonly string[] {
  const which = warmUpsOf(plan);
  if (which === 'none') return [];
  const session = `${baselineSize} ${baselineSize === 1 ? `${unit.one} joins and leaves` : `${unit.many} join and leave`}`;
  const where = plan.server.kind === 'cluster' ? ' on each server' : '';
  return [`before ${which === 'each' ? 'each trial' : 'the first trial'} a warm-up: ${session}${where}, not judged`];
}

function wayText({ search }: Plan, { scenario: { baselineSize, unit } }: Question): string {
  const passes = `the limit must pass ${search.confirm} times`;
  switch (search.strategy ?? 'bisect') {
    case 'fixed':
      return `${baselineSize} alone, then ${search.sizes?.join(', ')} ${unit.many}, each up to ${search.confirm} times`;
    case 'ramp':
      return `${baselineSize} alone, then up to ${search.max} ${unit.many} in small steps; ${passes}${holdText(search)}`;
    case 'bisect': {
      const from = search.from ?? 2 * baselineSize;
      if (search.max <= baselineSize) return `${baselineSize} alone; ${passes}`;
      const sizes = from < search.max ? `from ${from} up to ${search.max}` : search.max;
      return `${baselineSize} alone, then ${sizes} ${unit.many}; ${passes}`;
    }
  }
}

function holdText({ holdMs }: Plan['search']): string {
  return holdMs === undefined ? '' : `, and is then held for ${setTimeText(holdMs)}`;
}

function confidenceTexts({ search: { confidence, strategy = 'bisect' } }: Plan): readonly string[] {
  if (confidence === undefined || strategy !== 'bisect') return [];
  const percent = (share: number) => `${Number((100 * share).toFixed(1))} %`;
  const passes = `it must pass ${anytimeRepeatsFor(confidence)} times without a failure`;
  return [`${percent(confidence)} sure that it passes ${percent(provenPassProbability)}: ${passes}`];
}
