import type { TogetherRefusal } from '../../model/asked-together.js';
import { LoadlineError } from '../../model/errors.js';
import type { Remedy, Way } from '../../model/remedy.js';

/** E_USAGE of flags, which are named as where it is. */
export function usageError(text: string, flags: readonly string[], todo: Remedy, why?: string): LoadlineError {
  return new LoadlineError('E_USAGE', text, { where: flags.join(', '), why, todo });
}

/** The same of what does not go together. */
export function refusalError({ text, where, todo, why }: TogetherRefusal): LoadlineError {
  return usageError(text, where, todo, why);
}

/** A value that cannot be read: "--port must be the number of a port", and some that would do. */
export function wrongValue(flag: string, text: string, mustBe: string, ...examples: readonly string[]): LoadlineError {
  return usageError(
    `${flag} ${mustBe}, not "${text}".`,
    [flag],
    examples.map((example) => suchAs(flag, example)),
  );
}

/** A value that would do: behind "--hosts local:", the rest of one. */
export function suchAs(flag: string, example: string): Way {
  const [name = flag, begin = ''] = flag.split(' ');
  if (!flag.startsWith('--')) return `write for example ${flag} ${example}`;
  return { write: { [name]: `${begin}${example}` } };
}

/** Of an address that is stored with the run; `instead` is where its login goes. */
export function loginInAddress(flag: string, instead: string): LoadlineError {
  const why = 'the command is stored with the run, and a login must not be';
  return usageError(`The address of ${flag} holds a login.`, [flag], `leave it out, and ${instead}`, why);
}
