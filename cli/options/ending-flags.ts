import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';

/** What is done with a run's answer beside printing it, as words. */
export interface EndingFlags {
  readonly quiet?: boolean;
  readonly open?: boolean;
  readonly summary?: string;
  readonly junit?: string;
}

/** The same, with whole paths. */
export interface Ending {
  /** No progress, and the answer in one line. */
  readonly quiet: boolean;
  /** Show the HTML report in a browser. */
  readonly open: boolean;
  /** The file that Markdown of the run is appended to. */
  readonly summary?: string;
  /** The file that JUnit of the run is written to. */
  readonly junit?: string;
}

export const plainEnding: Ending = { quiet: false, open: false };

export function addEndingFlags(command: Command): Command {
  return command
    .option('--quiet', 'no progress, and the answer in one line')
    .option('--open', 'show the HTML report when the run has ended')
    .option('--summary <file>', 'append the answer to this file as Markdown: "$GITHUB_STEP_SUMMARY"')
    .option('--junit <file>', 'write the answer to this file as JUnit');
}

/** Paths are seen from `folder`. Throws E_USAGE where the folder of a file is not there: a long run would end without its answer. */
export function readEndingFlags({ quiet, open, summary, junit }: EndingFlags, folder: string): Ending {
  const at = (path: string, flag: string) => {
    const whole = resolve(folder, path);
    if (path !== '' && existsSync(dirname(whole))) return whole;
    throw new LoadlineError('E_USAGE', `${flag} "${path}" cannot be written: its folder is not there.`, {
      where: flag,
      todo: 'make the folder, or name a file in another one',
    });
  };
  return {
    quiet: quiet === true,
    open: open === true,
    ...(summary === undefined ? {} : { summary: at(summary, '--summary') }),
    ...(junit === undefined ? {} : { junit: at(junit, '--junit') }),
  };
}
