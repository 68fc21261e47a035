import type { TogetherRefusal } from '../../model/asked-together.js';
import { LoadlineError } from '../../model/errors.js';

/** E_USAGE of flags, which are named as where it is. */
export function usageError(text: string, flags: readonly string[], todo: string, why?: string): LoadlineError {
  return new LoadlineError('E_USAGE', text, { where: flags.join(', '), why, todo });
}

/** The same of what does not go together. */
export function refusalError({ text, where, todo, why }: TogetherRefusal): LoadlineError {
  return usageError(text, where, todo, why);
}

/** A value that cannot be read: "--port must be the number of a port", and one that would do. */
export function wrongValue(flag: string, text: string, mustBe: string, example: string): LoadlineError {
  return usageError(
    `${flag} ${mustBe}, not "${text}".`,
    [flag],
    `write for example ${flag}${flag.endsWith(':') ? '' : ' '}${example}`,
  );
}

/** Of an address that is stored with the run; `instead` is where its login goes. */
export function loginInAddress(flag: string, instead: string): LoadlineError {
  const why = 'the command is stored with the run, and a login must not be';
  return usageError(`The address of ${flag} holds a login.`, [flag], `leave it out, and ${instead}`, why);
}
