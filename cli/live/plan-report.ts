import type { HostsNeed } from '../../analysis/needs/hosts-need.js';
import type { HostFit, PlanCost, Range } from '../../analysis/needs/plan-cost.js';
import type { MissingSecret } from '../../model/environment.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import type { Scenario } from '../../model/scenario.js';
import type { MeansChoice } from '../../server-setup/network/means.js';
import { presentTexts } from './arrival-lines.js';
import { hostsNeedTexts } from './hosts-lines.js';
import { mediaText, networkRows, questionText, thresholdTexts, turnText } from './plan-lines.js';
import { roomTexts } from './room-lines.js';
import { searchTexts } from './search-lines.js';

/** What `loadline plan` says of a plan, before anything starts. */
interface PlanReport {
  readonly plan: Plan;
  /** What the server is, in a few words. */
  readonly server: string;
  /** What it lets nobody in without, and the environment lacks. */
  readonly missing?: MissingSecret;
  readonly scenario: Scenario;
  readonly cost: PlanCost;
  /** With hosts elsewhere: of all of them together, with no host's room. Absent of who comes and goes. */
  readonly fit?: HostFit;
  /** Of the bus that was asked; absent where this host plays the probes. */
  readonly hosts?: HostsNeed;
  /** By what this host would impair the plan's networks, or what it lacks; absent when none are asked. */
  readonly means?: MeansChoice;
}

export function planReportText(report: PlanReport, command: string): string {
  const { plan, scenario, cost, fit } = report;
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['server', [report.server, ...(report.missing ? warned(report.missing.text, report.missing.todo) : [])]],
    ...(plan.turn ? [['relay', [turnText(plan.turn)]] as const] : []),
    ['session', [scenario.summary]],
    ...networkRows(plan).map(([label, texts]) => [label, [...texts, ...meansTexts(report.means)]] as const),
    ['media', [mediaText(plan, scenario)]],
    ['stable', thresholdTexts(plan, scenario)],
    ['search', searchTexts(plan, { scenario })],
    [
      'cost',
      [
        `${rangeText(cost.trials)} trials, ${rangeText(roundedMinutes(cost.minutes))} minutes`,
        ...(fit ? [`up to about ${Math.max(1, Math.round(cost.diskMb))} MB of samples on disk`] : []),
      ],
    ],
    ...(fit ? [['needs', roomTexts(fit, scenario.unit)] as const] : []),
    ...(comeAndGo(plan.load) ? [['there', presentTexts(cost.largest.size, plan.load, scenario.unit)] as const] : []),
    ...(report.hosts ? [['hosts', hostsNeedTexts(report.hosts, scenario.unit)] as const] : []),
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

function meansTexts(means: MeansChoice | undefined): readonly string[] {
  return !means || means.ok ? [] : warned(means.why, means.todo);
}

const warned = (why: string, todo: string) => [`warning: find would refuse this here: ${why}`, `  do  ${todo}`];

export function planReportDocument({ plan, scenario, cost, fit, hosts, means, missing }: PlanReport): object {
  const asked = { scenario: scenario.name, unit: scenario.unit.many, plan };
  if (!fit) return { ...asked, trials: cost.trials, minutes: cost.minutes, ...given({ networks: means, missing }) };
  const { room, fitting, cpu } = fit;
  return {
    ...asked,
    ...cost,
    room,
    largestFitting: hosts ? hosts.fitting : fitting,
    hosts,
    likelyEnd: cpu && { size: cpu.fitting, by: cpu.by, estimate: true },
    networks: means,
    missing,
  };
}

function roundedMinutes({ min, max }: Range): Range {
  return { min: Math.max(1, Math.floor(min)), max: Math.max(1, Math.ceil(max)) };
}

function rangeText({ min, max }: Range): string {
  return min === max ? String(min) : `${min} to ${max}`;
}
