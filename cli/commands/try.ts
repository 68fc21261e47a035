import type { Command } from 'commander';
import type { RunResult } from '../../model/run.js';
import type { VerdictKind } from '../../model/verdict.js';
import { tryOnce } from '../../trial/find-limit.js';
import { exitCodeLines, exitCodeOfTry } from '../exit-codes.js';
import { addRunFlags, type RunFlags, readRunFlags, scenarioLines } from '../options/run-flags.js';
import { readCount } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { conduct } from './conduct.js';

interface TryFlags extends RunFlags {
  readonly size: string;
}

const help = () => `
A trial of one session comes first: what one session gets alone is the measure of the others.

Scenarios:
${scenarioLines()}

Exit codes:
${exitCodeLines('try')}

Examples:
  loadline try one-to-one --size 4
  loadline try one-to-one --size 40 --server kurento://10.0.0.5:8888 --measure 5m`;

export function addTry(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('try')
    .summary('run one trial of a given size')
    .description('Runs one trial: is this size stable?')
    .argument('<scenario>', 'what a session looks like')
    .requiredOption('--size <n>', 'how many sessions')
    .allowExcessArguments(false);
  addRunFlags(command)
    .addHelpText('after', help)
    .action(async (scenario: string, flags: TryFlags) => {
      onExitCode(await runTry(scenario, flags, tool));
    });
}

async function runTry(name: string, flags: TryFlags, tool: ToolProcess): Promise<number> {
  const size = readCount(flags.size, '--size');
  const request = { ...readRunFlags(name, flags, { max: size }), tries: size };
  return conduct(request, tool, async (parts, signal) => {
    const result = await tryOnce(request.plan, request.scenario, size, parts, signal);
    return { result, exitCode: exitCodeOfTry(verdictAt(size, result)) };
  });
}

/** A trial that did not come about, because the baseline before it failed, takes the baseline's verdict for its own. */
function verdictAt(size: number, { trials, outcome }: RunResult): VerdictKind {
  if (outcome === 'void') return 'void';
  if (outcome === 'baseline-unstable') return 'unstable';
  return trials.findLast((trial) => trial.size === size)?.verdict ?? 'void';
}
