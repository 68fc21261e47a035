import type { HostsNeed } from '../../analysis/needs/hosts-need.js';
import { grownTo, probesByKind } from '../../analysis/needs/kind-needs.js';
import { type HostFit, likelyMinutes, type PlanCost, type Range } from '../../analysis/needs/plan-cost.js';
import { loadWords } from '../../analysis/report/load-words.js';
import type { MissingSecret } from '../../model/environment.js';
import type { LoadlineError } from '../../model/errors.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import type { Plan } from '../../model/plan.js';
import { judgedBySentinels } from '../../model/players.js';
import { isBrowserless } from '../../model/probe-kinds.js';
import type { Scenario } from '../../model/scenario.js';
import { those } from '../../model/those.js';
import type { MeansChoice } from '../../server-setup/network/means.js';
import { hostsNeedTexts, type LocalHostsPlan, localHostsTexts } from './hosts-lines.js';
import { mediaText, networkRows, questionText, searchRow, thresholdTexts, turnText } from './plan-lines.js';
import { roomTexts, sizeText } from './room-lines.js';

/** What `loadline plan` says of a plan, before anything starts. */
interface PlanReport {
  readonly plan: Plan;
  /** What the server is, in a few words. */
  readonly server: string;
  /** What it lets nobody in without, and the environment lacks. */
  readonly missing?: MissingSecret;
  readonly scenario: Scenario;
  /** The one size that is tried; absent of a search. */
  readonly tries?: number;
  readonly cost: PlanCost;
  /** With hosts elsewhere: of all of them together, with no host's room. Absent of who comes and goes. */
  readonly fit?: HostFit;
  /** Why this host is not let play a size that is named. */
  readonly refusal?: LoadlineError;
  /** Of the bus that was asked; absent where this host plays the probes. */
  readonly hosts?: HostsNeed;
  /** By what this host would impair the plan's networks, or what it lacks; absent when none are asked. */
  readonly means?: MeansChoice;
  /** Hosts that the run would start on this machine. */
  readonly localHosts?: LocalHostsPlan;
  /** What find would do with this server, and not as asked. */
  readonly unreached?: Extract<MeansChoice, { readonly ok: false }>;
}

export function planReportText(report: PlanReport, command: string): string {
  const { plan, scenario, cost, fit } = report;
  const likely = fit && likelyMinutes(plan, scenario, fit);
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['server', [report.server, ...(report.missing ? warned(report.missing.text, report.missing.todo) : [])]],
    ...(plan.turn ? [['relay', [turnText(plan.turn)]] as const] : []),
    ['session', [scenario.summary]],
    ...networkRows(plan).map(
      ([label, texts]) =>
        [label, [...texts, ...meansTexts(report.means), ...unreachedTexts(report.unreached)]] as const,
    ),
    ['media', [mediaText(plan, scenario), ...browsersTexts(report)]],
    ['stable', thresholdTexts(plan, scenario)],
    searchRow(plan, { scenario, ...given({ tries: report.tries }) }),
    [
      'cost',
      those(
        `${rangeText(cost.trials)} ${cost.trials.max === 1 ? 'trial' : 'trials'}, ${rangeText(roundedMinutes(cost.minutes))} minutes`,
        likely !== undefined &&
          `likely ${Math.ceil(likely)} minutes at most: the probes of this host run out before ${cost.largest.size}`,
        fit && `up to about ${Math.max(1, Math.round(cost.diskMb))} MB of samples on disk`,
      ),
    ],
    ...(fit ? [['needs', [...refusalTexts(report), ...roomTexts(fit, scenario.unit)]] as const] : []),
    ['there', loadWords[plan.load.by].thereTexts(plan.load, cost.largest.size, scenario.unit)],
    ...(report.hosts ? [['hosts', hostsNeedTexts(report.hosts, scenario.unit)] as const] : []),
    ...(report.localHosts ? [['hosts', localHostsTexts(report.localHosts)] as const] : []),
  ];
  return [
    `${scenario.name}: ${questionText(scenario, report.tries)}`,
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

function unreachedTexts(unreached: PlanReport['unreached']): readonly string[] {
  return unreached ? [`warning: ${unreached.why}`, `  do  ${unreached.todo}`] : [];
}

/** Where most have no browser: how many have one, at the smallest size and at the largest. */
function browsersTexts({ plan, scenario, cost, localHosts }: PlanReport): readonly string[] {
  if (!judgedBySentinels(plan.players) || comeAndGo(plan.load)) return [];
  const sizes = new Set([scenario.baselineSize, cost.largest.size]);
  return [...sizes].map((size) => {
    const grown = grownTo(scenario, size);
    const all = grown(({ length }) => length);
    const kinds = probesByKind(plan, grown, localHosts?.count);
    const browsers = all - (kinds.find(({ kind }) => isBrowserless(kind))?.count ?? 0);
    const which = browsers === all ? `all ${all} participants are browsers` : `${browsers} of ${all} are browsers`;
    return `with ${sizeText(size, scenario.unit)} ${which}`;
  });
}

const warned = (why: string, todo = '', by = 'find') => [
  `warning: ${by} would refuse this here: ${why}`,
  ...(todo === '' ? [] : [`  do  ${todo}`]),
];

function refusalTexts({ refusal, tries }: PlanReport): readonly string[] {
  return refusal ? warned(refusal.message, refusal.todo, tries === undefined ? 'find' : 'try') : [];
}

export function planReportDocument(report: PlanReport): object {
  const { plan, scenario, cost, fit, refusal, hosts, means, missing, localHosts, unreached } = report;
  const asked = { scenario: scenario.name, unit: scenario.unit.many, plan };
  if (!fit)
    return { ...asked, trials: cost.trials, minutes: cost.minutes, ...given({ networks: means, missing, unreached }) };
  const { room, fitting, cpu } = fit;
  return {
    ...asked,
    ...cost,
    room,
    largestFitting: hosts ? hosts.fitting : fitting,
    refused: refusal && { text: refusal.message, why: refusal.why, todo: refusal.todo },
    hosts,
    likelyEnd: cpu && { size: cpu.fitting, by: cpu.by, estimate: true },
    likelyMinutes: likelyMinutes(plan, scenario, fit),
    networks: means,
    missing,
    localHosts,
    unreached,
  };
}

function roundedMinutes({ min, max }: Range): Range {
  return { min: Math.max(1, Math.floor(min)), max: Math.max(1, Math.ceil(max)) };
}

function rangeText({ min, max }: Range): string {
  return min === max ? String(min) : `${min} to ${max}`;
}
