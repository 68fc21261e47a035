import type { Command } from 'commander';

/** A flag as help lists it. */
export interface ToldFlag {
  /** "--out". */
  readonly long: string;
  /** "--out <dir>". */
  readonly form: string;
  readonly about: string;
  readonly takesValue: boolean;
  /** What may stand behind it, where that is one of some words; else empty. */
  readonly values: readonly string[];
}

export interface ToldCommand {
  /** "loadline monitor report". */
  readonly path: string;
  readonly usage: string;
  readonly summary: string;
  readonly about: string;
  readonly flags: readonly ToldFlag[];
  /** What its first argument may be, where that is one of some words; else empty. */
  readonly words: readonly string[];
  /** Help below the flags, as it is printed. */
  readonly more: string;
  readonly below: readonly ToldCommand[];
}

/** The words that may stand behind some flags, by their names in plan files, and for some arguments, by their names in help. */
export interface KnownWords {
  readonly flags: Readonly<Record<string, readonly string[]>>;
  readonly arguments: Readonly<Record<string, readonly string[]>>;
}

/** The command line as data, for the man page and for shells. Hidden commands and flags are in neither. */
export function commandTree(command: Command, known: KnownWords, above = ''): ToldCommand {
  const help = command.createHelp();
  const path = `${above} ${command.name()}`.trim();
  const [argument] = command.registeredArguments;
  return {
    path,
    usage: help.commandUsage(command),
    summary: help.subcommandDescription(command),
    about: command.description(),
    flags: help.visibleOptions(command).flatMap((option): ToldFlag[] => {
      if (option.long === undefined || option.long === null) return [];
      const { long, flags: form, description } = option;
      const takesValue = option.required || option.optional;
      const words = takesValue ? (known.flags[option.attributeName()] ?? formatsIn(long, description)) : [];
      return [{ long, form, about: help.optionDescription(option), takesValue, values: words }];
    }),
    words: known.arguments[argument?.name() ?? ''] ?? [],
    more: moreHelp(command),
    below: help.visibleCommands(command).map((one) => commandTree(one, known, path)),
  };
}

/** Depth first, the command itself before what is below it. */
export function everyCommand(tree: ToldCommand): readonly ToldCommand[] {
  return [tree, ...tree.below.flatMap(everyCommand)];
}

/** Every `--format` says in its help which there are: "what stdout gets: text or json". */
function formatsIn(long: string, description: string): readonly string[] {
  if (long !== '--format') return [];
  const listed = description.replace(/;.*/, '').replace(/^.*: /, '');
  return listed.split(/, | or /).filter((word) => /^[a-z]+$/.test(word));
}

/** What a command prints below what commander makes itself. */
function moreHelp(command: Command): string {
  let text = '';
  const output = command.configureOutput();
  command.configureOutput({ ...output, writeOut: (more) => (text += more) });
  command.outputHelp();
  command.configureOutput(output);
  return text.slice(command.helpInformation().length).trim();
}
