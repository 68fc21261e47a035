import type { EnvironmentVariable } from '../../model/environment.js';
import { everyCommand, type ToldCommand } from './command-tree.js';

interface ManPage {
  readonly tree: ToldCommand;
  readonly version: string;
  readonly environment: readonly EnvironmentVariable[];
  readonly exitCodes: readonly { readonly code: number; readonly other: string }[];
}

/** A page for `man`, in the macros of man(7), of what `--help` prints. */
export function manPage({ tree, version, environment, exitCodes }: ManPage): string {
  const [root, ...commands] = everyCommand(tree);
  return [
    `.TH LOADLINE 1 "" "loadline ${text(version)}"`,
    '.SH NAME',
    `loadline \\- ${text(lowerFirst(root?.about ?? ''))}`,
    '.SH SYNOPSIS',
    '.B loadline',
    '.I command',
    '.RI [ arguments ]',
    '.SH DESCRIPTION',
    ...preformatted(root?.more ?? ''),
    '.SH COMMANDS',
    ...commands.flatMap(commandSection),
    '.SH EXIT STATUS',
    ...exitCodes.flatMap(({ code, other }) => ['.TP', `.B ${code}`, text(other)]),
    '.SH ENVIRONMENT',
    ...environment.flatMap(({ name, about }) => ['.TP', `.B ${text(name)}`, text(about)]),
    '',
  ].join('\n');
}

function commandSection({ usage, about, flags, more }: ToldCommand): string[] {
  return [
    `.SS ${text(usage)}`,
    text(about),
    ...flags.flatMap(({ form, about: what }) => ['.TP', `.B ${text(form)}`, text(what)]),
    ...(more === '' ? [] : ['.PP', ...preformatted(more)]),
  ];
}

const preformatted = (lines: string) => ['.nf', ...lines.split('\n').map(text), '.fi'];

/**
 * Text that stays text: a backslash begins a request in a line, a dot or an apostrophe at its beginning one that is a
 * line. What is not ASCII is written by its number, for readers that take bytes.
 */
function text(line: string): string {
  return line
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(
      /[^\x20-\x7e]/gu,
      (letter) => `\\[u${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
    .replace(/^([.'])/, '\\&$1');
}

const lowerFirst = (sentence: string) => `${sentence.charAt(0).toLowerCase()}${sentence.slice(1).replace(/\.$/, '')}`;
