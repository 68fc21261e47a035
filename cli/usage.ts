import { CommanderError } from 'commander';
import { LoadlineError } from '../model/errors.js';

/** Commander ends --help and --version by throwing as well; those are no failures. */
export function isQuietEnd(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** Turns what commander complains of into an error of ours, with its suggestion as the remedy. */
export function usageError(error: CommanderError, command: string): LoadlineError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /Did you mean (?:one of )?(.+?)\?\)?$/.exec(rest.join(' '))?.[1];
  return new LoadlineError('E_USAGE', sentence(first), {
    where: /'([^']+)'/.exec(first)?.[1] ?? command,
    todo: suggestion ? `did you mean ${suggestion}? See ${command} --help` : `see ${command} --help`,
  });
}

function sentence(text: string): string {
  const plain = text.replace(/'/g, '"').replace(/\.$/, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
