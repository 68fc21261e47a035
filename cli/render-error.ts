import { LoadlineError } from '../model/errors.js';
import { fileRefusal } from '../model/file-refusal.js';

/**
 * An error as a person sees it: what, where, why, what to do, and the exit code it leads to. What a file system refuses
 * is said as such, wherever it was. Unforeseen errors come with their stack, because then the stack is the only
 * evidence.
 */
export function renderError(error: unknown): { readonly text: string; readonly exitCode: number } {
  const seen = fileRefusal(error);
  const known = seen instanceof LoadlineError ? seen : unforeseen(error);
  const facts = [
    ['where', known.where],
    ['why', known.why],
    ['do', known.todo],
  ] as const;
  const lines = facts.flatMap(([label, text]) => (text === undefined ? [] : [`    ${label.padEnd(8)}${indent(text)}`]));
  const text = `error ${known.code}: ${known.message}\n\n${lines.join('\n')}${lines.length > 0 ? '\n\n' : ''}exit ${known.exitCode}\n`;
  return { text, exitCode: known.exitCode };
}

function unforeseen(error: unknown): LoadlineError {
  const seen = error instanceof Error ? error : new Error(String(error));
  return new LoadlineError('E_INTERNAL', `Loadline failed in a way it did not foresee: ${seen.message}`, {
    why: seen.stack ?? seen.message,
    todo: 'report this with the lines above and the command that led here',
    cause: error,
  });
}

function indent(text: string): string {
  return text
    .trim()
    .split('\n')
    .join(`\n${' '.repeat(12)}`);
}
