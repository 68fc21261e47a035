import type { Command } from 'commander';
import { hostFit, planCost } from '../../analysis/needs/plan-cost.js';
import { costsOn } from '../../analysis/needs/probe-costs.js';
import { shellLine } from '../../analysis/wording/wording.js';
import { given } from '../../model/given.js';
import { comeAndGo } from '../../model/load.js';
import { firstServer, isSimulated, type Plan, type RealServerPlan } from '../../model/plan.js';
import { exampleOf, isElsewhere, type Kinds, type ServerKind } from '../../server-setup/server-kind.js';
import { showsAll } from '../help-text.js';
import type { ServerReach } from '../hosts/own-networks.js';
import type { LocalHostsPlan } from '../live/hosts-lines.js';
import { planReportDocument, planReportText } from '../live/plan-report.js';
import { meansFor } from '../networks/networks-part.js';
import { notTogetherLines } from '../options/beside.js';
import { assertSeveral } from '../options/cluster-flags.js';
import { assertOneRecord } from '../options/contradictions.js';
import { addFlags, type Flags, typed, type WordsOf } from '../options/flag.js';
import { localCount, playsElsewhere } from '../options/host-flags.js';
import { withListedServers } from '../options/listed-servers.js';
import { scenarioLines } from '../options/run-flags.js';
import { addSearchFlags, allSearchFlags, readSearchRequest, type SearchWords } from '../options/search-request.js';
import { readTogether } from '../options/together.js';
import { usageError } from '../options/usage-error.js';
import { readCount } from '../options/values.js';
import { planJsonSchema, planKeysOf } from '../plan-file/plan-keys.js';
import { findCommandOf, planFlags, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { fitHere, isCarriedHere, namedSize } from '../wiring/host-fit.js';
import { withStoredLimits } from '../wiring/stored-limits.js';
import { calibratedFor } from '../wiring/visit-calibration-file.js';
import { visitable } from '../wiring/visit-preflight.js';
import { namedScenario } from './search.js';

const ofPlan = {
  ...planFlags,
  each: { about: 'as for find' },
  size: { takes: 'n', about: 'plan one trial of this size, as try plays it, instead of a search', inPlans: false },
  schema: { about: 'print the JSON schema of plan files and end' },
} as const satisfies Flags;

type PlanWords = SearchWords & WordsOf<typeof ofPlan>;

const help = ({ url }: ReturnType<typeof exampleOf>, kinds: Kinds | undefined) => `
Takes the flags of find, or with --size those of try. Nothing is started; with --hosts, the bus is asked which hosts can serve, and how many are needed is said. Where this host cannot carry a size, what it carries is said first; find and try refuse a size that is named (--size, --from, --sizes), and plan warns of it.
Where a search would end because the probes run out is said. What is said of CPU is an estimate, by
what loadline calibrate found on this host or by stated figures.

Scenarios:
${scenarioLines()}${kinds ? `\n\n${notTogetherLines(kinds)}` : ''}

Examples:
  loadline plan one-to-one --server ${url} --media encoded --max 8
  loadline plan loadline.yaml
  loadline plan one-to-one --size 40
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
  const { request, trial, fit, refusal, hosts } = await reading(async () => {
    const words = await withListedServers(flags, tool, kinds);
    const name = namedScenario(scenario, 'plan');
    const { trial, asked } = readTogether({
      trial: () => trialOf(flags),
      asked: () => readSearchRequest(name, words, kinds, (next) => asTrial(next, command)),
    });
    const request = await withStoredLimits(asked, words, tool);
    const { plan } = request;
    if (flags.each) assertSeveral(plan.server);
    const visited = await visitable(request, tool);
    if (comeAndGo(plan.load) && !isCarriedHere(plan)) return { request, trial };
    if (plan.hosts && playsElsewhere(plan)) {
      const { askHosts } = await import('../hosts/hosts-there.js');
      const hosts = await askHosts({ ...request, ...given({ app: visited?.app }) }, plan.hosts.from, tool);
      return { request, trial, fit: hostFit(plan, request.scenario, {}), hosts };
    }
    const newest = await calibratedFor(request.plan, request.scenario, tool);
    const { fit, refusal } = await fitHere(plan, request.scenario, trial ?? namedSize(plan), newest);
    return { request, trial, fit, refusal };
  });
  const { plan, scenario: asked, kind } = request;
  const first = isSimulated(plan.server) ? undefined : firstServer(plan.server);
  const server = kind && first ? kind.planned(first) : 'simulated';
  const elsewhere = kind && first ? await isElsewhere(kind, first) : false;
  const means = await meansFor(plan, elsewhere, tool);
  const reach = kind && first ? await reachFor(plan, kind, first) : undefined;
  const [localHosts, unreached] = [reach && (await localHostsOf(plan, reach, tool)), unreachedIn(plan, reach)];
  const cost = planCost(plan, asked, fit && costsOn(fit.room));
  const missing = first && kind?.missing?.(first, tool.env);
  const tries = trial?.size;
  const report = given({
    tries,
    means,
    missing,
    plan,
    server,
    scenario: asked,
    cost,
    fit,
    refusal,
    hosts,
    localHosts,
    unreached,
  });
  const text = () =>
    planReportText(report, shellLine(['loadline', tries === undefined ? 'find' : 'try', ...tool.args.slice(1)]));
  tool.stdout.write(request.format === 'json' ? `${JSON.stringify(planReportDocument(report), null, 2)}\n` : text());
}

/** The size of the one trial that is planned. */
function trialOf({ size }: PlanWords) {
  return size === undefined ? undefined : { size: readCount(size, '--size'), flag: '--size' as const };
}

/** One trial as the search that tries this size once. What a plan file holds for searches is passed over. */
function asTrial(flags: PlanWords, command: Command): PlanWords {
  if (flags.size === undefined) return flags;
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli';
  const said: Readonly<Record<string, unknown>> = flags;
  const ofSearch: Flags = allSearchFlags;
  const names = Object.entries(ofSearch)
    .filter(([name, { usual }]) => isTyped(name) && said[name] !== undefined && said[name] !== usual)
    .map(([name, flag]) => typed(name, flag));
  if (names.length > 0) {
    const text = `--size plans one trial, and ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} of a search.`;
    throw usageError(text, ['--size', ...names], [{ leave: ['--size'] }, { leave: names }]);
  }
  const rest = Object.fromEntries(Object.entries(flags).filter(([name]) => !(name in allSearchFlags)));
  const usual = { max: flags.size, confirm: '1', strategy: 'fixed', sizes: flags.size };
  return { ...rest, ...usual } as PlanWords;
}

/** Where the server is, as far as that matters to networks and to hosts on this machine. */
async function reachFor({ networks, hosts }: Plan, kind: ServerKind, server: RealServerPlan) {
  if (!networks && !hosts) return undefined;
  const { serverReach } = await import('../hosts/own-networks.js');
  return serverReach(kind, server);
}

async function localHostsOf(plan: Plan, reach: ServerReach, tool: ToolProcess): Promise<LocalHostsPlan | undefined> {
  const count = plan.hosts && localCount(plan.hosts.from);
  if (!plan.hosts || count === undefined) return undefined;
  const { whyShared } = await import('../hosts/own-networks.js');
  return given({ count, spread: plan.hosts.spread, shares: await whyShared(plan, reach, tool) });
}

/** Find does not refuse it: what else the server listens on is not known before. */
function unreachedIn({ networks }: Plan, reach: ServerReach | undefined) {
  if (!networks || reach !== 'loopback') return undefined;
  const then = 'nobody connects where the server offers no other address';
  const why = `probes on a network do not reach loopback on this host: ${then}`;
  const todo = 'name it by an address that it listens on beside that, or run it on another machine or in a container';
  return { ok: false as const, why, todo };
}
