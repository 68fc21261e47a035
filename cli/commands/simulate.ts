import { resolve } from 'node:path';
import type { Command } from 'commander';
import { planSchema } from '../../model/plan.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import { exitCodeLines } from '../exit-codes.js';
import { assertNoSearch } from '../options/contradictions.js';
import { addEndingFlags, type EndingFlags, readEndingFlags } from '../options/ending-flags.js';
import { addLabelFlags, type LabelFlags, readLabelFlags } from '../options/label-flags.js';
import { readScenario, readTiming, runValues, scenarioLines } from '../options/run-flags.js';
import type { RunRequest } from '../options/run-request.js';
import { addSearchFlags, readingSearch, type SearchFlags } from '../options/search-flags.js';
import { addSimulationFlags, readSimulation, type SimulationFlags } from '../options/simulation-flags.js';
import { addThresholdFlags, readThresholds, type ThresholdFlags } from '../options/threshold-flags.js';
import { readTogether } from '../options/together.js';
import { addTrustFlag } from '../options/trust-flag.js';
import { readCount } from '../options/values.js';
import { duration } from '../options/written.js';
import { addPlanFlag, withPlanFile } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { isShareOfLimit, sizeOfLimit } from '../wiring/last-run.js';
import { resumeRequest } from '../wiring/resume.js';
import { namedScenario, search } from './search.js';
import { runTry, tryOf } from './try.js';

type Kinds = readonly ServerKind[];

interface SimulateFlags extends SearchFlags, SimulationFlags, ThresholdFlags, LabelFlags, EndingFlags {
  readonly settle: string;
  readonly measure: string;
  readonly pace: string;
  readonly out: string;
  readonly format: string;
  readonly size?: string;
  readonly require?: string;
  readonly resume?: string;
}

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
  const command = program
    .command('simulate')
    .summary('search on a simulated server, to see what a search does')
    .description('Runs a whole search on a simulated server of a known limit, in about a second.')
    .argument('[scenario]', 'what a session looks like, or a plan file: loadline.yaml')
    .allowExcessArguments(false);
  const plan = addSimulationFlags(addLabelFlags(addPlanFlag(command)));
  addTrustFlag(addEndingFlags(addSearchFlags(addThresholdFlags(plan))))
    .option('--size <n>', 'one trial of this size instead of a search; also "80% of limit"')
    .option('--settle <time>', 'longest wait for rates to stop growing, simulated', '40s')
    .option('--measure <time>', 'length of the measured window, simulated', '10s')
    .option('--pace <n/s>', 'participants joining per second, simulated', '20/s')
    .option('--out <dir>', 'where the folder of this run is made', 'runs')
    .option('--format <format>', 'what stdout gets: text or json', 'text')
    .option('--require <n>', 'exit 3 when the limit is below this size')
    .option('--resume <run>', 'go on with a simulated run that was stopped')
    .addHelpText('after', help)
    .action(async (argument: string | undefined) => {
      const asked = await withPlanFile<SimulateFlags>(command, argument, tool, kinds);
      const { require: required, resume, size } = asked.flags;
      if (size !== undefined) assertNoSearch(command);
      const ending = readEndingFlags(asked.flags, tool.workingFolder);
      const request = await asked.reading(async () =>
        resume === undefined
          ? newRequest(namedScenario(asked.scenario, 'simulate'), asked.flags)
          : resumeRequest(asked, resume, tool, kinds),
      );
      if (asked.leftOut.length > 0) tool.stderr.write(`not simulated: ${asked.leftOut.join(', ')}\n`);
      const whole = { ...request, ending };
      onExitCode(size === undefined ? await search(whole, required, tool) : await trySimulated(whole, size, tool));
    });
}

async function trySimulated(request: RunRequest, size: string, tool: ToolProcess): Promise<number> {
  const folder = resolve(tool.workingFolder, request.out);
  const tries = isShareOfLimit(size) ? await sizeOfLimit(size, request.plan, folder) : readCount(size, '--size');
  return runTry(tryOf(request, tries), tool);
}

function newRequest(name: string, flags: SimulateFlags): RunRequest {
  const { scenario, format, labels, ...plan } = readTogether({
    scenario: () => readScenario(name),
    server: () => readSimulation(flags),
    thresholds: () => readThresholds(flags),
    search: readingSearch(flags).all,
    // Of a simulated window any length will do: no report of a receiver is waited for.
    timing: () => ({
      ...readTiming({ ...flags, measure: '10s' }),
      measureMs: duration.read(flags.measure, '--measure'),
    }),
    format: () => runValues.format.read(flags.format, '--format'),
    labels: () => readLabelFlags(flags),
  });
  return {
    scenario,
    plan: planSchema.parse({ scenario: name, ...plan }),
    chromium: undefined,
    out: flags.out,
    format,
    labels,
  };
}
