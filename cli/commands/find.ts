import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { findLimit } from '../../trial/find-limit.js';
import { exitCodeLines, exitCodeOfFind } from '../exit-codes.js';
import { addRunFlags, type RunFlags, readRunFlags, scenarioLines } from '../options/run-flags.js';
import { readCount } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { conduct } from './conduct.js';

interface FindFlags extends RunFlags {
  readonly from?: string;
  readonly max: string;
  readonly confirm: string;
  readonly require?: string;
}

const help = () => `
Scenarios:
${scenarioLines()}

Exit codes:
${exitCodeLines('find')}

Examples:
  loadline find one-to-one --egress-limit 3mbit
  loadline find one-to-one --server kurento://10.0.0.5:8888 --from 8 --max 128
  loadline find one-to-one --require 20 --format json > result.json`;

export function addFind(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('find')
    .summary('find the largest size that is stable')
    .description('Finds how many sessions of a scenario a media server carries before any participant notices.')
    .argument('<scenario>', 'what a session looks like')
    .allowExcessArguments(false);
  addRunFlags(command)
    .option('--from <n>', 'first size after the baseline (default: twice the baseline)')
    .option('--max <n>', 'no larger size is tried', '512')
    .option('--confirm <n>', 'how often the limit must pass', '3')
    .option('--require <n>', 'exit 3 when the limit is below this size')
    .addHelpText('after', help)
    .action(async (scenario: string, flags: FindFlags) => {
      onExitCode(await find(scenario, flags, tool));
    });
}

async function find(name: string, flags: FindFlags, tool: ToolProcess): Promise<number> {
  const require = flags.require === undefined ? undefined : readCount(flags.require, '--require');
  const request = readRunFlags(name, flags, readSearch(flags));
  return conduct(request, tool, async (parts, signal) => {
    const result = await findLimit(request.plan, request.scenario, parts, signal);
    return { result, exitCode: exitCodeOfFind(result, require) };
  });
}

function readSearch(flags: FindFlags): { from?: number; max: number; confirm: number } {
  const max = readCount(flags.max, '--max');
  const confirm = readCount(flags.confirm, '--confirm', { to: 100 });
  if (flags.from === undefined) return { max, confirm };
  const from = readCount(flags.from, '--from');
  if (from <= max) return { from, max, confirm };
  throw new LoadlineError('E_USAGE', `--from ${from} is above --max ${max}.`, {
    where: '--from, --max',
    why: 'the search starts at --from and tries nothing above --max',
    todo: `use --from ${max}, or --max ${from} or more`,
  });
}
