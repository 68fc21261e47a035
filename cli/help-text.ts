import { type Command, Help, Option } from 'commander';
import { wrap } from '../analysis/report/layout.js';
import { flagBehind } from './options/flag.js';
import type { ToolProcess } from './process.js';

/** With more flags than this, a command's help shows the everyday ones alone. */
const mostShown = 30;

/** Whether all flags are to be shown: `loadline help find --all`, and the manual page. */
export const showsAll = ({ args }: Pick<ToolProcess, 'args'>) => args.includes('--all') || args[0] === 'man';

/** The help of a command; of one with many flags the everyday ones, under one heading. */
export function helpOf(command: Command, helper: Help, all: boolean): string {
  const flags = helper.visibleOptions(command);
  const everyday = flags.filter((option) => flagBehind(option)?.everyday || option.long === '--help');
  if (all || flags.length <= mostShown || everyday.length < 2)
    return Help.prototype.formatHelp.call(helper, command, helper);
  const short: Help = Object.assign(Object.create(helper), {
    visibleOptions: () => everyday,
    groupItems: <Item extends Command | Option>(_: Item[], visible: Item[]) =>
      new Map([[visible[0] instanceof Option ? 'Everyday flags:' : 'Commands:', visible]]),
  });
  const name = command.name();
  const rest = `  ${flags.length - everyday.length} more flags, what cannot be had together: loadline help ${name} --all\n`;
  return `${Help.prototype.formatHelp.call(short, command, short).trimEnd()}\n${rest}`;
}

/** A label and what it says, at least two spaces apart: an exit code and its meaning, an example and what it is for. */
const labelled = /^( *\S.*? {2,})(\S.*)$/;

/** With less than this beside its label, a text stands below it. */
const leastRoom = 20;

/**
 * Help as a terminal of this width shows it without breaking words. Commander breaks what it lays out itself, but
 * leaves as it is what commands add below. Lines that fit stay as they are, and so does a command line: it is there to
 * be copied.
 */
export function foldedHelp(text: string, columns: number): string {
  return paragraphs(text.split('\n'))
    .flatMap((lines) => (lines.some((line) => line.length > columns) ? folded(lines, columns) : lines))
    .join('\n');
}

/** Prose that goes on in the next line is one paragraph; every other line stands alone. */
function paragraphs(lines: readonly string[]): readonly (readonly string[])[] {
  const found: string[][] = [];
  for (const line of lines) {
    const before = found.at(-1);
    const goesOn = before?.every(isProse) && isProse(line) && indentOf(before[0] ?? '') === indentOf(line);
    if (goesOn) before?.push(line);
    else found.push([line]);
  }
  return found;
}

function folded(lines: readonly string[], columns: number): readonly string[] {
  const [first = ''] = lines;
  const [, label = '', said = ''] = labelled.exec(first) ?? [];
  if (label === '') return isProse(first) ? wrap(lines.join(' '), indentOf(first), columns) : lines;
  if (columns - label.length < Math.min(leastRoom, columns / 2))
    return [label.trimEnd(), ...wrap(said, indentOf(first) + 4, columns)];
  const [head = '', ...rest] = wrap(said, label.length, columns);
  return [`${label}${head.trimStart()}`, ...rest];
}

const isProse = (line: string) => line.trim() !== '' && !labelled.test(line) && !/^ *(loadline |--)/.test(line);
const indentOf = (line: string) => line.length - line.trimStart().length;
