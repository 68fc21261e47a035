import type { Command, CommanderError, Option } from 'commander';
import { nearestWord } from '../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../model/errors.js';
import { listedWith } from '../model/listed.js';
import { flagBehind } from './options/flag.js';

interface Typed {
  /** The command that was named, or the tool itself. */
  readonly command: Command;
  readonly program: Command;
  readonly args: readonly string[];
}

/** Turns what commander complains of into an error of ours, with what to write instead. */
export function mistyped({ code, message }: CommanderError, program: Command, args: readonly string[]): LoadlineError {
  const count = code === 'commander.excessArguments' ? countAfterLocal(args) : undefined;
  if (count !== undefined) {
    const todo = `write --hosts local:${count}`;
    return new LoadlineError('E_USAGE', '--hosts local needs a colon before its number.', { where: '--hosts', todo });
  }
  const typed = { command: commandOf(program, args), program, args };
  const path = pathOf(typed.command);
  const [first = '', ...rest] = message.replace(/^error: /, '').split('\n');
  const named = /'([^']+)'/.exec(first)?.[1];
  const suggestion = /Did you mean (?:one of )?(.+?)\?\)?$/.exec(rest.join(' '))?.[1];
  const { text, where = named, way } = slipOf(code, named ?? '', typed) ?? {};
  // Of options it knows those of all commands, and more that is far off.
  const meant = code === 'commander.unknownOption' ? undefined : suggestion;
  const todo = way ?? (meant && `write ${meant.replaceAll(', ', ' or ')}`);
  return new LoadlineError('E_USAGE', text ?? sentence(first), {
    where: where ?? path,
    todo: todo ? `${todo}, or see ${path} --help` : `see ${path} --help`,
  });
}

/** `loadline monitor report`: the first words that are names of commands. */
function commandOf(program: Command, [name, ...rest]: readonly string[]): Command {
  const found = program.commands.find((one) => one.name() === name);
  return found ? commandOf(found, rest) : program;
}

const pathOf = (command: Command): string => `${command.parent ? `${pathOf(command.parent)} ` : ''}${command.name()}`;

interface Slip {
  readonly text?: string;
  readonly where?: string;
  /** What to write; absent where nobody can tell what was meant. */
  readonly way?: string | undefined;
}

/** What the command's own words say of it. */
function slipOf(code: string, named: string, typed: Typed): Slip | undefined {
  switch (code) {
    case 'commander.excessArguments':
      return tooMany(typed);
    case 'commander.missingArgument': {
      const { command } = typed;
      const { description = '' } = command.registeredArguments.find((one) => one.name() === named) ?? {};
      return { way: `write ${pathOf(command)} <${named}>, ${description}` };
    }
    case 'commander.optionMissingArgument':
      return { text: `${longIn(named)} needs a value.`, way: `write ${withValue(optionOf(named, typed), named)}` };
    case 'commander.missingMandatoryOptionValue':
      return missingSlip(named, typed);
    case 'commander.unknownOption':
      return { way: wayWithUnknown(longIn(named), typed) };
    default:
      return undefined;
  }
}

/** Files that are one plan each cannot be had together, and no other word is for nobody. */
function tooMany({ command }: Typed): Slip {
  const most = command.registeredArguments.length;
  const surplus = command.args.slice(most).map((word) => (/^[\w./:-]+$/.test(word) ? word : JSON.stringify(word)));
  const takes = most === 0 ? 'flags alone' : `one ${command.registeredArguments[0]?.name()}`;
  const more = listedWith('and', surplus);
  const text = `Too many arguments: ${pathOf(command)} takes ${takes}, and not ${more} as well.`;
  return { text, where: surplus.join(', '), way: `leave ${more} out` };
}

const longIn = (form: string): string => form.split(/[ =]/)[0] ?? '';
const longsOf = (command: Command): readonly string[] => command.options.flatMap(({ long }) => long ?? []);
const optionOf = (form: string, { command }: Typed) => command.options.find(({ flags }) => flags === form);

/** "--size 4"; where no value is known that would do, what stands for it, and what it is. */
function withValue(option: Option | undefined, form: string): string {
  const { suchAs } = (option && flagBehind(option)) ?? {};
  return suchAs === undefined ? `${form}: ${option?.description ?? ''}` : `for example ${longIn(form)} ${suchAs}`;
}

/** Of `try one-to-one 4`: the number is behind no flag. */
function missingSlip(form: string, typed: Typed): Slip {
  const bare = typed.command.args.slice(typed.command.registeredArguments.length);
  const [number] = bare.filter((word) => /^\d+$/.test(word));
  return {
    way: number === undefined ? wayToMissing(form, typed) : `write ${longIn(form)} ${number} instead of ${number}`,
  };
}

function wayToMissing(form: string, typed: Typed): string {
  const own = longsOf(typed.command);
  const others = typed.args.map(longIn).filter((word) => !own.includes(word));
  const slip = nearestWord(longIn(form), others);
  if (slip !== undefined) return `write ${longIn(form)} instead of ${slip}`;
  return `add ${withValue(optionOf(form, typed), form)}`;
}

/** How other tools call it, and what it is here; a flag that is near in letters alone is another thing. */
const calledElsewhere: Readonly<Record<string, string>> = {
  '--bitrate': '--video-kbps',
  '--video-bitrate': '--video-kbps',
  '--json': '--format json',
  '--no-video': '--audio-only',
  '--timeout': '--budget',
  '--duration': '--measure',
};

/** Undefined where nobody can tell what was meant. */
function wayWithUnknown(long: string, { command, program }: Typed): string | undefined {
  const others = program.commands.filter((one) => longsOf(one).includes(long)).map((one) => one.name());
  if (others.length > 0 && command !== program) return `leave ${long} out, which is of ${listedWith('and', others)}`;
  const own = longsOf(command);
  const here = calledElsewhere[long];
  if (here !== undefined) return own.includes(here.split(' ')[0] ?? '') ? `write ${here}` : undefined;
  // Of short words one letter is much.
  const near = nearestWord(
    long.slice(2),
    own.map((one) => one.slice(2)),
  );
  const meant = near === undefined ? own.find((one) => one.startsWith(`${long}-`)) : `--${near}`;
  return meant && `write ${meant}`;
}

/** Of `--hosts local 16`, where 16 is an argument by itself. */
function countAfterLocal(args: readonly string[]): string | undefined {
  return /(?:^| )--hosts[= ]local (\d+)(?: |$)/.exec(args.join(' '))?.[1];
}

function sentence(text: string): string {
  const plain = text.replace(/'/g, '"').replace(/\.$/, '');
  return `${plain.charAt(0).toUpperCase()}${plain.slice(1)}.`;
}
