import type { Command } from 'commander';
import {
  costsOn,
  type HostRoom,
  largestFitting,
  planCost,
  type Shortage,
  shortages,
} from '../../analysis/plan-cost.js';
import { LoadlineError } from '../../model/errors.js';
import { readCalibrations } from '../calibration-file.js';
import { readHostRoom } from '../host-room.js';
import { type PlanReport, planReportDocument, planReportText } from '../live/plan-report.js';
import { addRunFlags, type RunFlags, type RunRequest, readRunFlags, scenarioLines } from '../options/run-flags.js';
import { addSearchFlags, readSearchFlags, type SearchFlags } from '../options/search-flags.js';
import { planJsonSchema, planKeysOf } from '../plan-file/plan-keys.js';
import { addPlanFlag, findCommandOf, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { namedScenario } from './search.js';

interface PlanFlags extends RunFlags, SearchFlags {
  readonly schema?: boolean;
}

const help = () => `
Takes the flags of find. Nothing is started. A plan that this host cannot carry up to its --max is refused with exit 2;
where no --max is given, the size that the host has room for is said.

Scenarios:
${scenarioLines()}

Examples:
  loadline plan one-to-one --server kurento://10.0.0.5:8888 --max 32
  loadline plan loadline.yaml
  loadline plan --schema > loadline.schema.json      what may stand in a plan file, for editors`;

export function addPlan(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('plan')
    .summary('say what find would do, take and need')
    .description('Says what find would do, how long it would take and what the host must have. Starts nothing.')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml')
    .allowExcessArguments(false);
  addSearchFlags(addRunFlags(addPlanFlag(command)))
    .option('--require <n>', 'as for find')
    .option('--schema', 'print the JSON schema of plan files and end')
    .addHelpText('after', help)
    .action(async (argument: string | undefined) => {
      if (command.opts<PlanFlags>().schema) printSchema(command, tool);
      else await showPlan(command, argument, tool);
      onExitCode(0);
    });
}

function printSchema(command: Command, tool: ToolProcess): void {
  const schema = planJsonSchema(planKeysOf(findCommandOf(command)));
  tool.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}

async function showPlan(command: Command, argument: string | undefined, tool: ToolProcess): Promise<void> {
  const { scenario, flags, reading } = await withPlanFile<PlanFlags>(command, argument, tool);
  const request = await reading(() => readRunFlags(namedScenario(scenario, 'plan'), flags, readSearchFlags(flags)));
  const report = reportOf(request, await roomOfHost(tool));
  const chosen = command.getOptionValueSource('max') !== 'default' || flags.sizes !== undefined;
  if (chosen || report.fitting < request.scenario.baselineSize) assertFits(report);
  const words = tool.args.slice(1).map((word) => (/[\s<>"'$]/.test(word) ? JSON.stringify(word) : word));
  const text = () => planReportText(report, ['loadline find', ...words].join(' '));
  tool.stdout.write(request.format === 'json' ? `${JSON.stringify(planReportDocument(report), null, 2)}\n` : text());
}

async function roomOfHost(tool: ToolProcess): Promise<HostRoom> {
  const [room, [newest]] = await Promise.all([readHostRoom(), readCalibrations(tool)]);
  return newest ? { ...room, calibrated: newest } : room;
}

function reportOf({ plan, scenario }: RunRequest, room: HostRoom): PlanReport {
  return {
    plan,
    scenario,
    room,
    cost: planCost(plan, scenario, costsOn(room)),
    fitting: largestFitting(plan, scenario, room),
  };
}

/** Throws E_HOST with every part that does not fit. */
export function assertFits({ cost: { largest }, room, fitting, scenario: { unit } }: PlanReport): void {
  const short = shortages(largest, room);
  if (short.length === 0) return;
  const many = (size: number) => `${size} ${size === 1 ? unit.one : unit.many}`;
  throw new LoadlineError('E_HOST', `This host cannot carry ${many(largest.size)}.`, {
    where: '--max',
    why: short.map(shortageText).join('\n'),
    todo: fitting > 0 ? `use --max ${fitting}, or ${remedy(short)}` : remedy(short),
  });
}

function shortageText({ what, needed, available, unit }: Shortage): string {
  return `${what}: ${needed} ${unit} are needed, ${available} are there`;
}

function remedy(short: readonly Shortage[]): string {
  const remedies: Readonly<Record<Shortage['what'], string>> = {
    memory: 'play the probes on a host with more memory',
    'UDP ports': 'widen net.ipv4.ip_local_port_range with sysctl',
    'open files': 'raise ulimit -n',
  };
  return short.map(({ what }) => remedies[what]).join(', and ');
}
