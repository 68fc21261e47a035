import { resolve } from 'node:path';
import { Command, CommanderError } from 'commander';
import { planSchema } from '../../model/plan.js';
import type { Kinds } from '../../server-setup/server-kind.js';
import { exitCodeLines } from '../exit-codes.js';
import { mistyped } from '../mistyped.js';
import { readAddingUp } from '../options/adding-up.js';
import { assertNoSearch, assertReachable, assertSimulable } from '../options/contradictions.js';
import { endingFlags, readEnding } from '../options/ending-flags.js';
import { addFlags, type Flags, readEach, valuesOf, type WordsOf } from '../options/flag.js';
import { labelFlags, labelsOf } from '../options/label-flags.js';
import { outputFlags, scenarioLines, timingOf, trialFlags } from '../options/run-flags.js';
import type { RunRequest } from '../options/run-request.js';
import { searchFlags, searchOf } from '../options/search-flags.js';
import { requireFlags } from '../options/search-request.js';
import { memberFlags, sessionOf } from '../options/session-flags.js';
import { simulationFlags, simulationOf } from '../options/simulation-flags.js';
import { thresholdFlags, thresholdsOf } from '../options/threshold-flags.js';
import { readTogether } from '../options/together.js';
import { trustFlags } from '../options/trust-flag.js';
import { usageError } from '../options/usage-error.js';
import { duration, pace } from '../options/written.js';
import { planFlags, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { namedSize } from '../wiring/host-fit.js';
import { isShareOfLimit, readSize, sizeOfLimit } from '../wiring/last-run.js';
import { resumeFlags, resumeRequest } from '../wiring/resume.js';
import { namedScenario, search } from './search.js';
import { runTry, tryOf } from './try.js';

const trial = {
  settle: { ...trialFlags.settle, about: 'longest wait for rates to stop growing, simulated' },
  // Of a simulated window any length will do: no report of a receiver is waited for.
  measure: { about: 'length of the measured window, simulated', value: duration, usual: '10s', everyday: true },
  pace: { about: 'participants joining per second, simulated', value: pace, usual: '20/s' },
} as const satisfies Flags;

const asking = {
  ...planFlags,
  ...resumeFlags,
  size: { takes: 'n', about: 'one trial of this size instead of a search; also "80% of limit"', everyday: true },
  ...trustFlags,
  ...endingFlags,
} as const satisfies Flags;

const simulated = {
  ...labelFlags,
  ...memberFlags,
  ...simulationFlags,
  ...thresholdFlags,
  ...searchFlags,
  ...requireFlags,
  ...trial,
  ...outputFlags,
};

type SimulateWords = WordsOf<typeof asking> & WordsOf<typeof simulated>;

const help = () => `
Search, judge, store and report are the real ones; server, probes and time exist in numbers only.

Scenarios:
${scenarioLines()}

Exit codes:
${exitCodeLines('find')}

Examples:
  loadline simulate one-to-one --capacity 18 --flaky-width 2 --seed 7
  loadline simulate examples/rollout-sizing.yaml --capacity 18
  loadline simulate one-to-one --capacity 200 --void-rate 0.1 --confidence 0.9
  loadline simulate broadcast --capacity 80 --strategy ramp --format json`;

export function addSimulate(
  program: Command,
  tool: ToolProcess,
  onExitCode: (code: number) => void,
  kinds: Kinds,
): void {
  const command = simulateCommand(program);
  command.action(async (argument: string | undefined) => {
    const { request, leftOut, required, size } = await readAsked(command, argument, tool, kinds);
    if (leftOut.length > 0) tool.stderr.write(`not simulated: ${leftOut.join(', ')}\n`);
    onExitCode(size === undefined ? await search(request, required, tool) : await trySimulated(request, size, tool));
  });
}

/** The same of what follows `loadline simulate`, as far as it can be told without a trial. Throws what that refuses. */
export async function assertSimulates(words: readonly string[], tool: ToolProcess, kinds: Kinds): Promise<void> {
  const program = new Command('loadline').exitOverride().configureOutput({ outputError: () => undefined });
  const command = simulateCommand(program);
  command.action(async (argument: string | undefined) => {
    const { request, size } = await readAsked(command, argument, tool, kinds);
    if (size !== undefined && !isShareOfLimit(size)) triedSize(request, size);
  });
  const args = ['simulate', ...words];
  await program.parseAsync(args, { from: 'user' }).catch((error: unknown) => {
    throw error instanceof CommanderError ? mistyped(error, program, args) : error;
  });
}

function simulateCommand(program: Command): Command {
  const command = program
    .command('simulate')
    .summary('search on a simulated server, to see what a search does')
    .description('Runs a whole search on a simulated server of a known limit, in about a second.')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml');
  addFlags(command, asking);
  addFlags(command.optionsGroup('What is simulated:'), { ...simulationFlags, ...memberFlags });
  addFlags(command.optionsGroup('Limits:'), thresholdFlags);
  addFlags(command.optionsGroup('A trial:'), trial);
  addFlags(command.optionsGroup('The run:'), { ...labelFlags, ...outputFlags });
  return addFlags(command.optionsGroup('Search:'), { ...searchFlags, ...requireFlags }).addHelpText('after', help);
}

async function readAsked(command: Command, argument: string | undefined, tool: ToolProcess, kinds: Kinds) {
  const asked = await withPlanFile<SimulateWords>(command, argument, tool);
  const { require: required, resume, size } = asked.flags;
  if (size !== undefined) assertNoSearch(command);
  const ending = readEnding(asked.flags, tool.workingFolder);
  const request: RunRequest = await asked.reading(async () =>
    resume === undefined
      ? addedUp(namedScenario(asked.scenario, 'simulate'), asked.flags)
      : resumeRequest(asked, resume, tool, kinds),
  );
  return { request: { ...request, ending }, leftOut: asked.leftOut, required, size };
}

async function trySimulated(request: RunRequest, size: string, tool: ToolProcess): Promise<number> {
  const folder = resolve(tool.workingFolder, request.out);
  const tries = isShareOfLimit(size) ? await sizeOfLimit(size, request.plan, folder) : size;
  return runTry(tryOf(request, triedSize(request, String(tries))), tool);
}

function triedSize({ plan, scenario }: RunRequest, text: string): number {
  const size = readSize(text);
  assertSimulable(plan, scenario, { size, flag: '--size' });
  return size;
}

function addedUp(name: string, words: SimulateWords): RunRequest {
  const usual = () => simulateCommand(new Command()).opts<SimulateWords>();
  return readAddingUp({ name, words }, usual, (asked) => newRequest(asked.name, asked.words));
}

function newRequest(name: string, words: SimulateWords): RunRequest {
  const asked = valuesOf(simulated, words);
  const { session, labels, each, ...plan } = readTogether({
    session: () => sessionOf(name, asked, { records: false }),
    each: () => readEach(simulated, asked),
    server: () => simulationOf(asked),
    thresholds: () => thresholdsOf(asked),
    search: () => searchOf(asked),
    timing: () => timingOf({ ...asked, earlyStop: undefined, warmUp: undefined }),
    labels: () => labelsOf(asked),
  });
  const { scenario } = session;
  if (plan.server.cluster && scenario.unit.countsParticipants) {
    const what = `A session of ${name} is on one server, and there is one session.`;
    throw usageError(what, ['scenario', '--cluster'], 'leave --cluster out, and see loadline capacity for cascades');
  }
  const whole = planSchema.parse({ ...session.plan, ...plan });
  assertReachable(whole, scenario, asked.threshold);
  const named = namedSize(whole);
  if (named) assertSimulable(whole, scenario, named);
  return {
    scenario,
    plan: whole,
    chromium: undefined,
    out: each.out,
    format: each.format,
    labels,
  };
}
