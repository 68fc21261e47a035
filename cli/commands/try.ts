import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { RunResult } from '../../model/run.js';
import type { VerdictKind } from '../../model/verdict.js';
import { exampleOf, type Kinds } from '../../server-setup/server-kind.js';
import { tryOnce } from '../../trial/find-limit.js';
import { exitCodeLines, exitCodeOfTry, interruptedCode } from '../exit-codes.js';
import { showsAll } from '../help-text.js';
import { notTogetherLines } from '../options/beside.js';
import { assertOneRecord } from '../options/contradictions.js';
import { endingFlags, readEnding } from '../options/ending-flags.js';
import { addFlags, type Flags, type WordsOf } from '../options/flag.js';
import { withListedServers } from '../options/listed-servers.js';
import { addRunFlags, type RunWords, scenarioLines } from '../options/run-flags.js';
import type { RunRequest } from '../options/run-request.js';
import { sinkHelp } from '../options/sink-flags.js';
import { readTogether } from '../options/together.js';
import { readTrialRequest } from '../options/trial-request.js';
import { planFlags, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { checkedFit, isCarriedHere } from '../wiring/host-fit.js';
import { isShareOfLimit, readSize, sizeOfLimit } from '../wiring/last-run.js';
import { withStoredLimits } from '../wiring/stored-limits.js';
import { calibratedFor } from '../wiring/visit-calibration-file.js';
import { conduct, whole } from './conduct.js';
import { namedScenario } from './search.js';

const tryFlags = {
  ...planFlags,
  size: {
    takes: 'n',
    about: 'how many sessions, or a share of the last limit: "80% of limit"',
    suchAs: '4',
    mustBeGiven: true,
    everyday: true,
  },
  ...endingFlags,
} as const satisfies Flags;

type TryWords = RunWords & WordsOf<typeof tryFlags>;

const help = ({ url }: ReturnType<typeof exampleOf>, kinds: Kinds | undefined) => `
A trial of one session comes first: what one session gets alone is the measure of the others.

Scenarios:
${scenarioLines()}${kinds ? `\n\n${notTogetherLines(kinds)}` : ''}

Exit codes:
${exitCodeLines('try')}${kinds ? `\n\n${sinkHelp()}` : ''}

Examples:
  loadline try one-to-one --size 4
  loadline try one-to-one --size 40 --server ${url} --measure 5m`;

export function addTry(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('try')
    .summary('run one trial of a given size')
    .description('Runs one trial: is this size stable?')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml');
  addRunFlags(addFlags(command, tryFlags), kinds)
    .addHelpText('after', () => help(exampleOf(kinds), showsAll(tool) ? kinds : undefined))
    .action(async (argument: string | undefined) => {
      assertOneRecord(tool.args);
      const { scenario, flags, reading } = await withPlanFile<TryWords>(command, argument, tool);
      const ending = readEnding(flags, tool.workingFolder);
      const request = await reading(() => tryRequest(scenario, flags, tool, kinds));
      onExitCode(await runTry({ ...request, ending }, tool));
    });
}

async function tryRequest(name: string | undefined, flags: TryWords, tool: ToolProcess, kinds: Kinds) {
  const words = await withListedServers(flags, tool, kinds);
  const run = () => readTrialRequest(namedScenario(name, 'try'), words, kinds);
  if (!isShareOfLimit(flags.size)) {
    const { size, asked } = readTogether({ size: () => readSize(flags.size), asked: run });
    return carried(tryOf(await withStoredLimits(asked, words, tool), size), tool);
  }
  const asked = await withStoredLimits(run(), words, tool);
  return carried(tryOf(asked, await sizeOfLimit(flags.size, asked.plan, resolve(tool.workingFolder, asked.out))), tool);
}

/** Throws E_HOST where this host has to play it and cannot. */
async function carried<One extends ReturnType<typeof tryOf>>(request: One, tool: ToolProcess): Promise<One> {
  const { plan, scenario, tries: size } = request;
  if (!isCarriedHere(plan)) return request;
  await checkedFit(plan, scenario, { size, flag: '--size' }, await calibratedFor(plan, scenario, tool));
  return request;
}

/** One trial of this size instead of a search. */
export function tryOf(request: RunRequest, size: number): RunRequest & { readonly tries: number } {
  const { plan } = request;
  return { ...request, tries: size, plan: { ...plan, search: { ...plan.search, max: size } } };
}

export async function runTry(asked: RunRequest & { readonly tries: number }, tool: ToolProcess): Promise<number> {
  const request = await whole(asked, tool);
  if (!request) return interruptedCode;
  const size = request.tries;
  return conduct(request, tool, async (parts, signal) => {
    const result = await tryOnce(request, size, parts, signal);
    return { result, exitCode: exitCodeOfTry(verdictAt(size, result)) };
  });
}

/** A trial that did not come about, because the baseline before it failed, takes the baseline's verdict for its own. */
function verdictAt(size: number, { trials, outcome }: RunResult): VerdictKind {
  if (outcome === 'void' || outcome === 'never-connected') return 'void';
  if (outcome === 'baseline-unstable' || outcome === 'server-lost') return 'unstable';
  return trials.findLast((trial) => trial.size === size)?.verdict ?? 'void';
}
