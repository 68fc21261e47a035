import { resolve } from 'node:path';
import type { Command } from 'commander';
import { compareRuns } from '../../analysis/compare/compare.js';
import { holdsShare } from '../../analysis/compare/fail-below.js';
import { comparisonMarkdown, comparisonText } from '../../analysis/report/comparison.js';
import { LoadlineError } from '../../model/errors.js';
import { exampleOf, type ServerKind } from '../../server-setup/server-kind.js';
import { exitCodeOfShare } from '../exit-codes.js';
import { readShare, readWord } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';

const help = ({ name }: ReturnType<typeof exampleOf>) => `
Limits side by side, and everything that was written down and differs: plan, server, machine, kernel, Chromium, Loadline.

Exit codes with --fail-below: 0 when each later run holds the share, 3 when one does not, 4 when one cannot say.

Examples:
  loadline compare runs/before runs/after --fail-below 95%
  loadline compare runs/2026-11-20T09-00-00-one-to-one-${name} runs/2026-11-21T09-00-00-one-to-one-${name}
  loadline compare runs/*-${name} --format markdown`;

interface CompareFlags {
  readonly format: string;
  readonly failBelow?: string;
}

export function addCompare(
  program: Command,
  tool: ToolProcess,
  onExitCode: (code: number) => void,
  kinds: readonly ServerKind[],
): void {
  program
    .command('compare')
    .summary('put stored runs side by side')
    .description('Puts the limits of stored runs side by side, with what else differs between them.')
    .argument('<runs...>', 'the folders of two runs or more')
    .option('--format <format>', 'text, json or markdown', 'text')
    .option('--fail-below <share>', 'exit 3 when a later run holds less than this share of what the first holds: 95%')
    .addHelpText('after', help(exampleOf(kinds)))
    .action(async (paths: readonly string[], flags: CompareFlags) => {
      onExitCode(await compare(paths, flags, tool));
    });
}

async function compare(paths: readonly string[], flags: CompareFlags, tool: ToolProcess): Promise<number> {
  const share = flags.failBelow === undefined ? undefined : readShare(flags.failBelow, '--fail-below');
  const format = readWord(flags.format, '--format', ['text', 'json', 'markdown']);
  if (paths.length < 2) {
    const todo = 'name two folders or more: loadline compare RUN RUN';
    throw new LoadlineError('E_USAGE', 'One run alone cannot be compared.', { where: paths[0] ?? 'compare', todo });
  }
  const stored = await Promise.all(paths.map((path) => openRun(resolve(tool.workingFolder, path))));
  for (const { directory, warnings } of stored) {
    for (const warning of warnings) tool.stderr.write(`warning: ${directory}: ${warning}\n`);
  }
  const comparison = compareRuns(stored.map(finishedRun));
  const texts = {
    text: () => comparisonText(comparison),
    json: () => `${JSON.stringify(comparison, null, 2)}\n`,
    markdown: () => comparisonMarkdown(comparison),
  };
  tool.stdout.write(texts[format]());
  if (share === undefined) return 0;
  const { kind, sentences } = holdsShare(comparison, share);
  const said = sentences.map((sentence) => `  ${sentence}\n`).join('');
  (format === 'text' ? tool.stdout : tool.stderr).write(said);
  return exitCodeOfShare(kind);
}
