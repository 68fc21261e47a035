import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../model/errors.js';
import type { ToolProcess } from '../process.js';
import { openRun } from './open-run.js';
import { writeHtmlReport } from './write-html.js';

/**
 * Writes report.html into the folder of a run that has ended, and resolves with its path. The answer was given before,
 * so nothing that goes wrong here may change how the run ends: it is said, and no more, and there is no path.
 */
export async function reportBeside(
  runDirectory: string,
  { stderr }: Pick<ToolProcess, 'stderr'>,
  write: typeof writeHtmlReport = writeHtmlReport,
): Promise<string | undefined> {
  const path = join(runDirectory, 'report.html');
  try {
    await write(await openRun(runDirectory, 'any'), path);
    return path;
  } catch (error) {
    await rm(`${path}.new`, { force: true }).catch(() => undefined);
    const why = messageOf(error);
    stderr.write(`warning: report.html could not be written: ${why}\n  loadline report ${runDirectory} tries again.\n`);
    return undefined;
  }
}
