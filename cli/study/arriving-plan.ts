import type { PlanValues } from './study-file.js';

/** Who signals alone has no media, and the sizes of its search are others. What else is refused there, the run tells. */
const notOfJoins: ReadonlySet<string> = new Set([
  ...['media', 'sentinels', 'fullShare', 'videoKbps', 'resolution', 'codec', 'simulcast', 'svc', 'layer', 'speech'],
  ...['warmUp', 'settle', 'strategy', 'sizes', 'from', 'max', 'within', 'holdAtLimit', 'pace', 'probesPerPage'],
]);

/** Of the run that finds how many sessions of a cell join in a second. */
export function arrivingPlan(plan: PlanValues, joins: PlanValues): PlanValues {
  const asked = Object.entries(plan).filter(([key]) => !notOfJoins.has(key));
  return { ...Object.fromEntries(asked), by: 'arrivals', media: 'none', ...joins };
}
