import { CommanderError } from 'commander';
import { LoadlineError } from '../model/errors.js';

/** Commander ends --help and --version by throwing as well; those are no failures. */
export function isQuietEnd(error: unknown): boolean {
  return error instanceof CommanderError && error.exitCode === 0;
}

/** Turns what commander complains of into an error of ours, with its suggestion as the remedy. */
export function usageError(error: CommanderError, command: string, args: readonly string[]): LoadlineError {
  const count = error.code === 'commander.excessArguments' ? countAfterLocal(args) : undefined;
  if (count !== undefined) {
    const todo = `write --hosts local:${count}`;
    return new LoadlineError('E_USAGE', '--hosts local needs a colon before its number.', { where: '--hosts', todo });
  }
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const suggestion = /Did you mean (?:one of )?(.+?)\?\)?$/.exec(rest.join(' '))?.[1];
  return new LoadlineError('E_USAGE', sentence(first), {
    where: /'([^']+)'/.exec(first)?.[1] ?? command,
    todo: suggestion ? `did you mean ${suggestion}? See ${command} --help` : `see ${command} --help`,
  });
}

/** Of `--hosts local 16`, where 16 is an argument by itself. */
function countAfterLocal(args: readonly string[]): string | undefined {
  return /(?:^| )--hosts[= ]local (\d+)(?: |$)/.exec(args.join(' '))?.[1];
}

function sentence(text: string): string {
  const plain = text.replace(/'/g, '"').replace(/\.$/, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
