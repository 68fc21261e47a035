import { execFile } from 'node:child_process';
import { once } from '../../host/once.js';

/** The same words in util-linux and in busybox. */
const chrt = ['chrt', '-b', '0'] as const;

const tryBoundMs = 5_000;

/**
 * Words in front of a program's own that start it as batch work (`SCHED_BATCH`, sched(7)), which needs no right: a
 * thread of it that has something to do does not interrupt one that runs, of whoever it is, and has its turn when that
 * one waits or its slice of some milliseconds is over. On a busy host it so does much at a time and not each packet on
 * its own. None where chrt(1) is not there, or may not set it.
 */
export const asBatchWork = once(
  (): Promise<readonly string[]> =>
    new Promise((resolve) => {
      const [program, ...words] = chrt;
      execFile(program, [...words, 'true'], { timeout: tryBoundMs }, (error) => resolve(error ? [] : chrt));
    }),
);
