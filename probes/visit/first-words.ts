import { withoutColours } from '../../model/plain-text.js';

/** Of an error of the driver, whose messages go on with a log of calls, in colours. */
export function firstWords(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const [first = '', ...more] = withoutColours(text)
    .split('\n')
    .map((line) => line.trim());
  const waiting = more.find((line) => line.startsWith('- waiting for'));
  return waiting === undefined ? first : `${first} ${waiting.slice(2)}`;
}
