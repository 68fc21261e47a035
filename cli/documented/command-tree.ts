import type { Command, Option } from 'commander';
import { z } from 'zod';
import { flagBehind } from '../options/flag.js';

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

/** The words that some arguments may be, by their names in help. */
type KnownArguments = Readonly<Record<string, readonly string[]>>;

/** The command line as data, for the man page and for shells. Hidden commands and flags are in neither. */
export function commandTree(command: Command, known: KnownArguments, above = ''): ToldCommand {
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
      const { long, flags: form } = option;
      const takesValue = option.required || option.optional;
      return [{ long, form, about: help.optionDescription(option), takesValue, values: wordsBehind(option) }];
    }),
    words: known[argument?.name() ?? ''] ?? [],
    more: moreHelp(command),
    below: help.visibleCommands(command).map((one) => commandTree(one, known, path)),
  };
}

/** Depth first, the command itself before what is below it. */
export function everyCommand(tree: ToldCommand): readonly ToldCommand[] {
  return [tree, ...tree.below.flatMap(everyCommand)];
}

/** What a shell offers behind it. */
function wordsBehind(option: Option): readonly string[] {
  const { words, value } = flagBehind(option) ?? {};
  const shape = value?.inPlans?.shape;
  return words ?? (shape instanceof z.ZodEnum ? shape.options.map(String) : []);
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
