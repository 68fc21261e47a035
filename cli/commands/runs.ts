import { resolve } from 'node:path';
import type { Command } from 'commander';
import { runListDocument, runListText } from '../../analysis/report/run-list.js';
import { listRuns } from '../../store/run-directory/list-runs.js';
import { readWord } from '../options/values.js';
import type { ToolProcess } from '../process.js';
import { withAnswer } from '../report/finished-run.js';
import { openRun } from '../report/open-run.js';

const help = `
Examples:
  loadline runs
  loadline runs /srv/load-tests --format json`;

export function addRuns(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  program
    .command('runs')
    .summary('list stored runs')
    .description('Lists the runs of a folder, with the answer of each.')
    .argument('[dir]', 'the folder that --out names', 'runs')
    .option('--format <format>', 'text or json', 'text')
    .addHelpText('after', help)
    .allowExcessArguments(false)
    .action(async (dir: string, flags: { readonly format: string }) => {
      const format = readWord(flags.format, '--format', ['text', 'json']);
      const folder = resolve(tool.workingFolder, dir);
      const { runs, unreadable } = await listRuns(folder, async (directory) => withAnswer(await openRun(directory)));
      tool.stdout.write(
        format === 'json'
          ? `${JSON.stringify(runListDocument(runs, unreadable), null, 2)}\n`
          : runListText(runs, unreadable, folder),
      );
      onExitCode(0);
    });
}
