import type { Command, CommanderError, Option } from 'commander';
import { nearestWord } from '../analysis/judge/thresholds/nearest-word.js';
import { LoadlineError } from '../model/errors.js';
import { listedWith } from '../model/listed.js';
import type { Way } from '../model/remedy.js';
import { flagBehind } from './options/flag.js';
import { SeveralFaults } from './options/together.js';

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
  const toldOf = ({ text = sentence(first), where = named ?? path, way = '' }: Slip) =>
    new LoadlineError('E_USAGE', text, { where, todo: [...(way === '' ? [] : [way]), `see ${path} --help`] });
  // Of options it knows those of all commands, and more that is far off.
  if (code === 'commander.unknownOption') {
    const [fault = toldOf({}), ...more] = unknownSlips(longIn(named ?? ''), typed).map(toldOf);
    return more.length === 0 ? fault : new SeveralFaults([fault, ...more]);
  }
  const meant = suggestion && `write ${suggestion.replaceAll(', ', ' or ')}`;
  const slip = slipOf(code, named ?? '', typed);
  return toldOf({ ...slip, way: slip?.way ?? meant });
}

/** Commander tells the first alone. */
function unknownSlips(first: string, typed: Typed): readonly Slip[] {
  const known = ['--help', ...longsOf(typed.command)];
  const others = typed.args.map(longIn).filter((word) => /^--[a-z]/.test(word) && !known.includes(word));
  return [...new Set([first, ...others])].map((long) => ({
    text: `Unknown option "${long}".`,
    where: long,
    way: wayWithUnknown(long, typed),
  }));
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
  readonly way?: Way | undefined;
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
      return { text: `${longIn(named)} needs a value.`, way: withValue(optionOf(named, typed), named) };
    case 'commander.missingMandatoryOptionValue':
      return missingSlip(named, typed);
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
function withValue(option: Option | undefined, form: string): Way {
  const { suchAs } = (option && flagBehind(option)) ?? {};
  return suchAs === undefined ? `write ${form}: ${option?.description ?? ''}` : { write: { [longIn(form)]: suchAs } };
}

/** Of `try one-to-one 4`: the number is behind no flag. */
function missingSlip(form: string, typed: Typed): Slip {
  const bare = typed.command.args.slice(typed.command.registeredArguments.length);
  const [number] = bare.filter((word) => /^\d+$/.test(word));
  return {
    way: number === undefined ? wayToMissing(form, typed) : `write ${longIn(form)} ${number} instead of ${number}`,
  };
}

function wayToMissing(form: string, typed: Typed): Way {
  const own = longsOf(typed.command);
  const others = typed.args.map(longIn).filter((word) => !own.includes(word));
  const slip = nearestWord(longIn(form), others);
  if (slip !== undefined) return `write ${longIn(form)} instead of ${slip}`;
  return withValue(optionOf(form, typed), form);
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
function wayWithUnknown(long: string, { command, program, args }: Typed): Way | undefined {
  const others = program.commands.filter((one) => longsOf(one).includes(long)).map((one) => one.name());
  if (others.length > 0 && command !== program) return `leave ${long} out, which is of ${listedWith('and', others)}`;
  const own = longsOf(command);
  const here = calledElsewhere[long];
  if (here !== undefined) {
    const [flag = '', value] = here.split(' ');
    if (!own.includes(flag)) return undefined;
    return value === undefined ? `write ${here}` : { give: { [flag]: value }, leave: [long] };
  }
  // Of short words one letter is much.
  const near = nearestWord(
    long.slice(2),
    own.filter((one) => !args.map(longIn).includes(one)).map((one) => one.slice(2)),
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
