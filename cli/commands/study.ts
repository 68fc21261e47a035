import { resolve } from 'node:path';
import type { Command } from 'commander';
import type { Kinds } from '../../server-setup/server-kind.js';
import { exitCodeLines } from '../exit-codes.js';
import { addFlags, type WordsOf } from '../options/flag.js';
import { planKeysOf } from '../plan-file/plan-keys.js';
import { findCommandOf } from '../plan-file/with-plan-file.js';
import type { ToolProcess } from '../process.js';
import { studyFlags } from '../study/study-flags.js';
import { addStudyReport } from './study-report.js';

const help = `
FILE names servers, scenarios and what a run of each is asked, by the keys of plan files. Every server runs under every
scenario once in each round, in an order that is drawn by its seed. Each run is an ordinary search, in a folder of its
own.

Exit codes:
${exitCodeLines('check')}

Examples:
  loadline study study.yaml --dry-run                 what it would do, and how long that takes
  loadline study study.yaml
  loadline study study.yaml --resume runs/2026-11-21T14-03-12-study
  loadline study report runs/2026-11-21T14-03-12-study --format markdown`;

export function addStudy(program: Command, tool: ToolProcess, onExitCode: (code: number) => void, kinds: Kinds): void {
  const command = program
    .command('study')
    .summary('find the limits of several servers, in turns, and rank them')
    .description(
      'Finds the limits of several servers under the same loads, round after round, and says who holds more.',
    )
    .argument('<file>', 'a study file: study.yaml');
  addFlags(command, studyFlags)
    .addHelpText('after', help)
    .action(async (file: string, words: WordsOf<typeof studyFlags>) => {
      // Loaded late, as all that only a study needs.
      const { study } = await import('../study/conduct-study.js');
      const keys = planKeysOf(findCommandOf(command));
      onExitCode(await study(resolve(tool.workingFolder, file), words, { keys, kinds, tool }));
    });
  addStudyReport(command, tool, onExitCode);
}
