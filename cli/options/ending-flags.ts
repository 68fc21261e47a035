import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { given } from '../../model/given.js';
import { oneOut } from '../../model/remedy.js';
import type { Flags, WordsOf } from './flag.js';
import { usageError } from './usage-error.js';

/** What is done with a run's answer beside printing it. */
export const endingFlags = {
  quiet: { about: 'no progress, and the answer in one line', inPlans: false, onResume: 'may' },
  verbose: {
    about: 'the whole answer: every limit, the spread, each point of trust',
    inPlans: false,
    onResume: 'may',
    everyday: true,
  },
  open: { about: 'show the HTML report when the run has ended', inPlans: false, onResume: 'may' },
  summary: {
    takes: 'file',
    about: 'append the answer to this file as Markdown: "$GITHUB_STEP_SUMMARY"',
    inPlans: false,
    onResume: 'may',
  },
  junit: {
    takes: 'file',
    about: 'write the answer to this file as JUnit',
    inPlans: false,
    onResume: 'may',
    everyday: true,
  },
} as const satisfies Flags;

type EndingWords = WordsOf<typeof endingFlags>;

/** The same, with whole paths. */
export type Ending = EndingWords & Required<Pick<EndingWords, 'quiet' | 'verbose' | 'open'>>;

export const plainEnding: Ending = { quiet: false, verbose: false, open: false };

/**
 * Relative to `folder`. Throws E_USAGE for what contradicts, and where a file's folder is missing: a long run would end
 * without its answer.
 */
export function readEnding({ quiet, verbose, open, summary, junit }: EndingWords, folder: string): Ending {
  if (quiet && verbose) {
    const what = '--quiet and --verbose contradict each other.';
    throw usageError(what, ['--quiet', '--verbose'], oneOut('--quiet', '--verbose'));
  }
  const at = (path: string, flag: string) => {
    const whole = resolve(folder, path);
    if (path !== '' && statSync(whole, { throwIfNoEntry: false })?.isDirectory())
      throw usageError(
        `${flag} "${path}" is a folder.`,
        [flag],
        `name a file in it: ${flag} ${join(path, 'limit.out')}`,
      );
    if (path !== '' && existsSync(dirname(whole))) return whole;
    const what = `${flag} "${path}" cannot be written: its folder is not there.`;
    throw usageError(what, [flag], 'make the folder, or name a file in another one');
  };
  return given({
    quiet: quiet === true,
    verbose: verbose === true,
    open: open === true,
    summary: summary === undefined ? undefined : at(summary, '--summary'),
    junit: junit === undefined ? undefined : at(junit, '--junit'),
  });
}
