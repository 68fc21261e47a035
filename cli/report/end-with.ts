import { appendFile, writeFile } from 'node:fs/promises';
import { junit } from '../../analysis/report/junit.js';
import { markdown } from '../../analysis/report/markdown.js';
import { runLine, shortSummary } from '../../analysis/report/short-text.js';
import { summary } from '../../analysis/report/text.js';
import { messageOf } from '../../model/errors.js';
import type { FinishedRun, Requirement } from '../../model/finished-run.js';
import { isSimulated } from '../../model/plan.js';
import { coloursOf, redrawsOn } from '../live/screen.js';
import type { Ending } from '../options/ending-flags.js';
import type { ToolProcess } from '../process.js';
import { openFile } from './open-file.js';
import { reportBeside } from './report-beside.js';

/** The answer of a run as a person reads it: in one line, in some fifteen, or whole. */
export function answerText(run: FinishedRun, { quiet, verbose }: Ending, { stdout, env }: ToolProcess): string {
  if (quiet) return `${runLine(run)}\n`;
  const colours = coloursOf(redrawsOn(stdout, env));
  return verbose ? summary(run, colours) : shortSummary(run, colours, stdout.columns);
}

/**
 * Writes what is made of a run beside its answer: report.html in its folder, and the files that were asked for. The
 * answer was given before, so a file that cannot be written is told and changes nothing.
 */
export async function endWith(
  run: FinishedRun,
  ending: Ending,
  tool: ToolProcess,
  required?: Requirement,
): Promise<void> {
  const { quiet, open, summary: summaryFile, junit: junitFile } = ending;
  if (summaryFile !== undefined)
    await told(tool, summaryFile, () => appendFile(summaryFile, `${markdown(run, required)}\n`));
  if (junitFile !== undefined) await told(tool, junitFile, () => writeFile(junitFile, junit(run, required)));
  if (isSimulated(run.manifest.plan.server) && !open) return;
  const path = await reportBeside(run.runDirectory, tool);
  if (path === undefined) return;
  if (!quiet) tool.stderr.write(`  Report   ${path}\n`);
  if (open) await openFile(path, tool);
}

async function told({ stderr }: ToolProcess, path: string, write: () => Promise<void>): Promise<void> {
  try {
    await write();
  } catch (error) {
    stderr.write(`warning: ${path} could not be written: ${messageOf(error)}\n`);
  }
}
