import { relative, resolve } from 'node:path';
import type { Command } from 'commander';
import { shortSummary } from '../../analysis/report/short-text.js';
import { trialRow, trialRowHeader } from '../../analysis/report/trial-line.js';
import { historyOf } from '../../analysis/search/history.js';
import { nextStep } from '../../analysis/search/search.js';
import { shellLine } from '../../analysis/wording/wording.js';
import { LoadlineError } from '../../model/errors.js';
import { appendTrial, readPacked, unpackRun } from '../demo/packed-run.js';
import { coloursOf, redrawsOn } from '../live/screen.js';
import { addFlags, type Flags, readFlags, type WordsOf } from '../options/flag.js';
import type { ToolProcess } from '../process.js';
import { finishedRun } from '../report/finished-run.js';
import { openFile } from '../report/open-file.js';
import { openRun } from '../report/open-run.js';
import { reportBeside } from '../report/report-beside.js';
import { judgeAgain } from './judge.js';

const demoFlags = {
  out: { takes: 'dir', about: 'where the run is put', usual: 'loadline-demo' },
  open: { about: 'show the report in a browser' },
} as const satisfies Flags;

const help = `
The run is real: a media server held to a quarter of a core, with its probes on the same 2 cores.
Nothing is measured now.
After its eighth trial the run is cut off here. Going on, the search asks for the sizes that it asked for then.

Examples:
  loadline demo
  loadline demo --open`;

export function addDemo(program: Command, tool: ToolProcess, onExitCode: (code: number) => void): void {
  const command = program
    .command('demo')
    .summary('a real stored run: report it, judge it again, go on with it')
    .description('Shows what Loadline does, by a run that it brings. No media server, no browser, some seconds.');
  addFlags(command, demoFlags)
    .addHelpText('after', help)
    .action(async (words: WordsOf<typeof demoFlags>) => {
      await demo(words, tool);
      onExitCode(0);
    });
}

async function demo(words: WordsOf<typeof demoFlags>, tool: ToolProcess): Promise<void> {
  const { out, open = false } = readFlags(demoFlags, words);
  const directory = resolve(tool.workingFolder, out);
  const head = (sentence: string, command: string) =>
    tool.stdout.write(`\n  ${sentence}\n\n    loadline ${command}\n\n`);
  const { cutOff, goneOn, rest } = await unpackRun(await readPacked(), directory);
  const shown = (path: string) => shellLine([relative(tool.workingFolder, path)]);
  const cut = await openRun(cutOff);
  const { name } = cut.manifest.server;
  tool.stdout.write(`  A real run is shown: ${name}, held to a quarter of a core. Nothing is measured now.\n`);

  head('1. Its search was cut off after 8 trials. The report says what they show.', `report ${shown(cutOff)}`);
  await tellRun(cutOff, shown(cutOff), tool);

  head('2. The same trials, judged again with stricter limits.', `judge ${shown(cutOff)} --preset strict`);
  await judgeAgain(cutOff, { preset: 'strict', format: 'text' }, tool);

  const sentence = '3. The search went on where it was cut off, as --resume has it. Its report says the answer.';
  head(sentence, `report ${shown(goneOn)}`);
  await goOn(goneOn, rest, tool);
  await tellRun(goneOn, shown(goneOn), tool);

  const report = await reportBeside(goneOn, tool);
  if (report === undefined) return;
  tool.stdout.write(
    `\n  All charts: ${report}\n  The last trials are kept without samples, so judge takes the run that was cut off alone.\n  How to name your own server: loadline help servers\n`,
  );
  if (open) await openFile(report, tool);
}

/** No server is there to go on with, so that is not said to be the next step. */
async function tellRun(directory: string, named: string, { stdout, env }: ToolProcess): Promise<void> {
  const run = finishedRun(await openRun(directory));
  const manifest = { ...run.manifest, command: ['loadline', 'demo'] };
  stdout.write(shortSummary({ ...run, manifest }, coloursOf(redrawsOn(stdout, env)), stdout.columns, named));
}

/** The search decides, and each size that it asks for was tried then, too: that trial is its answer. */
async function goOn(directory: string, lines: readonly string[], { stdout, env }: ToolProcess): Promise<void> {
  const colours = coloursOf(redrawsOn(stdout, env));
  let stored = await openRun(directory);
  stdout.write(`${trialRowHeader(stored.manifest.unit ?? sessions, false, stdout.columns)}\n`);
  for (const line of lines) {
    const step = nextStep(stored.manifest.plan.search, 1, historyOf(stored.records));
    await appendTrial(directory, line);
    stored = await openRun(directory);
    const record = stored.records.at(-1);
    if (step.kind === 'done' || record?.size !== step.size)
      throw new LoadlineError('E_INTERNAL', 'The search of the demo asks for another size than was stored.');
    stdout.write(`${trialRow(record, colours, stdout.columns)}\n`);
  }
}

const sessions = { one: 'session', many: 'sessions' };
