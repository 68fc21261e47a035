import type { Command } from 'commander';
import { hostFit, planCost } from '../../analysis/needs/plan-cost.js';
import { costsOn } from '../../analysis/needs/probe-costs.js';
import { shellLine } from '../../analysis/wording/wording.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import { firstServer, isSimulated } from '../../model/plan.js';
import { exampleOf, isElsewhere, type Kinds } from '../../server-setup/server-kind.js';
import { showsAll } from '../help-text.js';
import { planReportDocument, planReportText } from '../live/plan-report.js';
import { meansFor } from '../networks/networks-part.js';
import { notTogetherLines } from '../options/beside.js';
import { assertOneRecord } from '../options/contradictions.js';
import { addFlags, type Flags, type WordsOf } from '../options/flag.js';
import { playsElsewhere } from '../options/host-flags.js';
import { withListedServers } from '../options/listed-servers.js';
import { scenarioLines } from '../options/run-flags.js';
import { addSearchFlags, readSearchRequest, type SearchWords } from '../options/search-request.js';
import { planJsonSchema, planKeysOf } from '../plan-file/plan-keys.js';
import { findCommandOf, planFlags, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { checkedFit, namedSize } from '../wiring/host-fit.js';
import { withStoredLimits } from '../wiring/stored-limits.js';
import { calibratedFor } from '../wiring/visit-calibration-file.js';
import { visitable } from '../wiring/visit-preflight.js';
import { namedScenario } from './search.js';

const ofPlan = {
  ...planFlags,
  each: { about: 'as for find' },
  schema: { about: 'print the JSON schema of plan files and end' },
} as const satisfies Flags;

type PlanWords = SearchWords & WordsOf<typeof ofPlan>;

const help = ({ url }: ReturnType<typeof exampleOf>, kinds: Kinds | undefined) => `
Takes the flags of find. Nothing is started; with --hosts, the bus is asked which hosts can serve, and how many are needed is said. A size that is named (--from, --sizes) and that this host cannot carry is refused with exit 2.
Where a search would end because the probes run out is said. What is said of CPU is an estimate, by
what loadline calibrate found on this host or by stated figures.

Scenarios:
${scenarioLines()}${kinds ? `\n\n${notTogetherLines(kinds)}` : ''}

Examples:
  loadline plan one-to-one --server ${url} --media encoded --max 8
  loadline plan loadline.yaml
  loadline plan --schema > loadline.schema.json      what may stand in a plan file, for editors`;

export function addPlan(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('plan')
    .summary('say what find would do, take and need')
    .description('Says what find would do, how long it would take and what the host must have. Starts nothing.')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml');
  addSearchFlags(addFlags(command, ofPlan), kinds)
    .addHelpText('after', () => help(exampleOf(kinds), showsAll(tool) ? kinds : undefined))
    .action(async (argument: string | undefined) => {
      if (command.opts<PlanWords>().schema) printSchema(command, tool);
      else await showPlan(command, argument, tool, kinds);
      onExitCode(0);
    });
}

function printSchema(command: Command, tool: ToolProcess): void {
  const schema = planJsonSchema(planKeysOf(findCommandOf(command)));
  tool.stdout.write(`${JSON.stringify(schema, null, 2)}\n`);
}

async function showPlan(command: Command, argument: string | undefined, tool: ToolProcess, kinds: Kinds) {
  assertOneRecord(tool.args);
  const { scenario, flags, reading } = await withPlanFile<PlanWords>(command, argument, tool);
  const { request, fit, hosts } = await reading(async () => {
    const words = await withListedServers(flags, tool, kinds);
    const asked = readSearchRequest(namedScenario(scenario, 'plan'), words, kinds);
    const request = await withStoredLimits(asked, words, tool);
    const { plan } = request;
    const visited = await visitable(request, tool);
    if (comeAndGo(plan.load)) return { request };
    if (plan.hosts && playsElsewhere(plan)) {
      const { askHosts } = await import('../hosts/hosts-there.js');
      const hosts = await askHosts({ ...request, ...given({ app: visited?.app }) }, plan.hosts.from, tool);
      return { request, fit: hostFit(plan, request.scenario, {}), hosts };
    }
    const newest = await calibratedFor(request.plan, request.scenario, tool);
    return { request, fit: await checkedFit(plan, request.scenario, namedSize(plan), newest) };
  });
  const { plan, scenario: asked, kind } = request;
  const first = isSimulated(plan.server) ? undefined : firstServer(plan.server);
  const server = kind && first ? kind.planned(first) : 'simulated';
  const elsewhere = kind && first ? await isElsewhere(kind, first) : false;
  const means = await meansFor(plan, elsewhere, tool);
  const cost = planCost(plan, asked, fit && costsOn(fit.room));
  const missing = first && kind?.missing?.(first, tool.env);
  const report = given({ means, missing, plan, server, scenario: asked, cost, fit, hosts });
  const text = () => planReportText(report, shellLine(['loadline', 'find', ...tool.args.slice(1)]));
  tool.stdout.write(request.format === 'json' ? `${JSON.stringify(planReportDocument(report), null, 2)}\n` : text());
}
