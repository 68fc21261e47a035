import { joinLimitTexts } from '../../analysis/arrivals/join-limits.js';
import { type ArrivalsPlan, leadInMs, presentAtATime, stormAfterMs, whoCome } from '../../model/arrivals.js';
import type { Plan } from '../../model/plan.js';
import type { ScenarioUnit } from '../../model/scenario.js';
import { sizeText } from './room-lines.js';
import { setTimeText } from './status-line.js';

/** How they come, and by what it is judged how they join. */
export function arrivalTexts({ thresholds, timing }: Plan, arrivals: ArrivalsPlan): readonly string[] {
  const { process, holdMs, stay } = arrivals;
  const about = stay === 'exponential' ? 'about ' : '';
  return [
    `for ${setTimeText(timing.measureMs)} after ${setTimeText(leadInMs(arrivals))} of coming, ${process} arrivals, each staying ${about}${holdMs / 1000} s:`,
    ...stormTexts(arrivals, timing.measureMs),
    ...joinLimitTexts(thresholds).map((text) => `  ${text}`),
    `  counted from when each is due; no answer in ${thresholds.joinMsMax / 1000} s is a failure`,
  ];
}

/** How many are there at a time, with one begun and with the most (Little's law). */
export function presentTexts(largest: number, load: ArrivalsPlan, unit: ScenarioUnit): readonly string[] {
  const about = (size: number) =>
    `about ${Number(presentAtATime(size, load).toFixed(1))} ${whoCome(unit)} at a time with ${sizeText(size, unit)}`;
  return [1, largest].map(about);
}

function stormTexts({ storm, reconnect }: ArrivalsPlan, measureMs: number): readonly string[] {
  if (storm === undefined && reconnect === undefined) return [];
  const when = `after ${setTimeText(stormAfterMs(measureMs))} of it`;
  const what = reconnect
    ? 'all who are there lose their connections, and as many come back at once'
    : `${storm} more come at once`;
  return [`  ${when} ${what}, which is over within the window`];
}
