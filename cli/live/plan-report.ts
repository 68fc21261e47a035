import { calibratedTexts } from '../../analysis/calibration.js';
import type { HostRoom, PlanCost, Range } from '../../analysis/plan-cost.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import { mediaText, questionText, rateText, thresholdTexts } from './plan-lines.js';
import { searchTexts } from './search-lines.js';

/** What `loadline plan` says of a plan, before anything starts. */
export interface PlanReport {
  readonly plan: Plan;
  readonly scenario: Scenario;
  readonly cost: PlanCost;
  readonly room: HostRoom;
  /** The largest size that this host has room for, up to the plan's largest. */
  readonly fitting: number;
}

export function planReportText(report: PlanReport, command: string): string {
  const { plan, scenario, cost } = report;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['server', [serverText(plan)]],
    ['session', [scenario.summary]],
    ['media', [mediaText(plan)]],
    ['stable', thresholdTexts(plan, scenario)],
    ['search', searchTexts(plan, { scenario })],
    ['cost', [`${rangeText(cost.trials)} trials, ${rangeText(roundedMinutes(cost.minutes))} minutes`]],
    ['needs', needsTexts(report)],
  ];
  return [
    `${scenario.name}: ${questionText(scenario, undefined)}`,
    '',
    ...rows.flatMap(([label, texts]) => texts.map((text, index) => `  ${(index === 0 ? label : '').padEnd(9)}${text}`)),
    '',
    `  Nothing was started. Run it with:  ${command}`,
    '',
  ].join('\n');
}

/** The same as one JSON document. */
export function planReportDocument({ plan, scenario, cost, room, fitting }: PlanReport): object {
  return { scenario: scenario.name, unit: scenario.unit.many, plan, ...cost, room, largestFitting: fitting };
}

function serverText({ server }: Plan): string {
  if (server.kind === 'kurento') return server.url;
  if (server.kind === 'simulated') return 'simulated';
  const limit =
    server.egressLimitBps === undefined ? '' : `, its up-link limited to ${rateText(server.egressLimitBps)}`;
  return `the embedded media server on this machine${limit}`;
}

function needsTexts({ cost: { largest }, room, fitting, scenario: { unit } }: PlanReport): readonly string[] {
  const { size, probes, pages, browsers, memoryMb, udpPorts, openFiles } = largest;
  const of = (available: number | undefined) => (available === undefined ? '' : ` of ${available}`);
  const all = [
    `with ${size} ${size === 1 ? unit.one : unit.many}: ${counted(probes, 'probe')} on ${counted(pages, 'page')} in ${counted(browsers, 'browser')},`,
    `about ${memoryMb}${of(room.memoryMb)} MiB of memory, ${udpPorts}${of(room.udpPorts)} UDP ports,`,
    `${openFiles}${of(room.openFiles)} open files in one process, and about ${Math.ceil(largest.cores)}${of(room.cores)} cores`,
    ...calibratedTexts(room.calibrated),
  ];
  if (fitting >= size) return all;
  return [
    ...all,
    `this host has memory, ports and files for ${fitting} ${fitting === 1 ? unit.one : unit.many}: there the probes end the search`,
  ];
}

function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

function roundedMinutes({ min, max }: Range): Range {
  return { min: Math.max(1, Math.floor(min)), max: Math.max(1, Math.ceil(max)) };
}

function rangeText({ min, max }: Range): string {
  return min === max ? String(min) : `${min} to ${max}`;
}
