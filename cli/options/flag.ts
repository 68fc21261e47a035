import { type Command, Option } from 'commander';
import type { z } from 'zod';
import { once } from '../../host/once.js';
import { given } from '../../model/given.js';
import type { Retyping } from '../../model/remedy.js';
import { readTogether } from './together.js';
import { usageError } from './usage-error.js';
import type { Written } from './written.js';

/** One flag of a command. All that is said of it stands here; its key in the table is its key in a plan file, too. */
export interface Flag {
  /**
   * What stands behind it, for help: "time". Absent: what its value says; without one, nothing does: it is there, or
   * not.
   */
  readonly takes?: string;
  readonly about: string;
  /** What stands in for it where it is not given. */
  readonly usual?: string | undefined;
  /** How its value is written; absent: any word. */
  readonly value?: Written<unknown>;
  /** It may be given more than once; in a plan file, as a list. */
  readonly repeats?: true;
  /** It is `--no-…`: the key is what it leaves out. */
  readonly negates?: true;
  readonly mustBeGiven?: true;
  /** A value that would do, for who gave none: "nats://10.0.0.5:4222". */
  readonly suchAs?: string;
  readonly isHidden?: true;
  /** Help of a command with many flags shows it without being asked for all. */
  readonly everyday?: true;
  /**
   * "--hosts", "--media encoded or none": without that, it changes nothing. Not a flag: a scenario's name.
   */
  readonly with?: string;
  /** What a remedy writes behind `with`: its value, "local:3", and what that needs. */
  readonly withValue?: string;
  /** All that a remedy adds, where that depends on what else was said. */
  readonly inFull?: (said: Said) => Retyping;
  /** Why it changes nothing then. */
  readonly because?: string;
  /**
   * What may stand in a plan file, where `value` does not say it; false: it stands in none, for it is about no plan.
   */
  readonly inPlans?: z.ZodType | false;
  /** Words that a shell offers, where `value` does not list them. */
  readonly words?: readonly string[];
  /** With `--resume`: it may be given, or it says again what is run or reached. Absent: the stored plan has decided. */
  readonly onResume?: 'may' | 'again';
}

export type Flags = Readonly<Record<string, Flag>>;

/** Flags that change nothing without this one; `value` is one of its own where it takes any. */
export function goingWith<const Some extends Flags, const Company extends string>(
  company: Company,
  flags: Some,
  value?: string,
): { readonly [Name in keyof Some]: Omit<Some[Name], 'with'> & { readonly with: Company } } {
  const each = Object.entries(flags).map(([name, flag]) => [
    name,
    { ...flag, with: company, ...given({ withValue: value }) },
  ]);
  return Object.fromEntries(each) as ReturnType<typeof goingWith<Some, Company>>;
}

type Word<One> = One extends { repeats: true }
  ? string | readonly string[]
  : One extends { takes: string } | { value: object }
    ? string
    : boolean;
type Always<Some> = {
  [Name in keyof Some]: Some[Name] extends { usual: string } | { mustBeGiven: true } ? Name : never;
}[keyof Some];

/** Flags as they were typed, or as a plan file has them. */
export type WordsOf<Some> = { readonly [Name in Always<Some>]: Word<Some[Name]> } & {
  readonly [Name in Exclude<keyof Some, Always<Some>>]?: Word<Some[Name]>;
};

type Read<One> = One extends { value: Written<infer Value> } ? Value : One extends { takes: string } ? string : boolean;
type Value<Some, Name extends keyof Some> = Some[Name] extends { repeats: true }
  ? readonly Read<Some[Name]>[]
  : Name extends Always<Some>
    ? Read<Some[Name]>
    : Read<Some[Name]> | undefined;

/** What flags say. Each is read when it is first asked for; one that cannot be read is one fault, whoever asks. */
export type ValuesOf<Some> = { readonly [Name in keyof Some]: Value<Some, Name> };

type Said = Readonly<Record<string, unknown>>;

const behind = new WeakMap<Option, Flag>();

/** All that is known of an option of a command, where it came from a table. */
export const flagBehind = (option: Option): Flag | undefined => behind.get(option);

export function addFlags(command: Command, flags: Flags): Command {
  for (const [name, flag] of Object.entries(flags)) {
    const takes = flag.takes ?? flag.value?.takes;
    const form = takes === undefined ? '' : ` <${takes}>`;
    addFlag(command, new Option(`${typed(name, flag)}${form}`, aboutOf(flag)).default(flag.usual), flag);
  }
  return command;
}

export function addFlag(command: Command, option: Option, flag: Flag): void {
  const name = option.long ?? option.flags;
  const parse = flag.repeats ? collected(flag.usual) : onlyOne(name);
  if (flag.repeats || option.required)
    option.argParser((word: string, earlier?: string | readonly string[]) => {
      if (!command.options.some(({ long }) => long === word)) return parse(word, earlier);
      const { suchAs } = flag;
      const todo = suchAs ? { write: { [name]: suchAs } } : [{ leave: [name] }, 'give it a value'];
      throw usageError(`${name} needs a value, and ${word} stands in its place.`, [name], todo);
    });
  behind.set(option, flag);
  command.addOption(option.hideHelp(flag.isHidden === true).makeOptionMandatory(flag.mustBeGiven === true));
}

/** The usual word is not one of those that were given. */
function collected(usual: string | undefined) {
  return (word: string, earlier?: string | readonly string[]): readonly string[] =>
    earlier === usual ? [word] : [...listed(earlier), word];
}

/** Throws E_USAGE for a second value, of which the parser would silently keep the last. */
function onlyOne(name: string) {
  let first: string | undefined;
  return (word: string): string => {
    first ??= word;
    if (first === word) return word;
    const what = `${name} is given twice, as "${first}" and as "${word}".`;
    throw usageError(what, [name], 'leave one of the two out', 'it takes one value');
  };
}

/** As it is typed: `--egress-limit` for egressLimit. */
export function typed(name: string, flag?: Flag): string {
  return `--${flag?.negates ? 'no-' : ''}${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function aboutOf({ with: company, about }: Flag): string {
  if (company === undefined) return about;
  return `${company.startsWith('--') ? 'with ' : ''}${company}: ${about}`;
}

/** Of a flag that may be repeated, or a key that may be a list. */
export function listed(words: unknown): readonly string[] {
  if (words === undefined) return [];
  return Array.isArray(words) ? words.map(String) : [String(words)];
}

/** What the flags of a command say, each read and none without what it goes with. Throws as `readEach`. */
export function readFlags<Some extends Flags>(flags: Some, words: WordsOf<Some>): ValuesOf<Some> {
  return readEach(flags, valuesOf(flags, words));
}

export function valuesOf<Some extends Flags>(flags: Some, words: WordsOf<Some>): ValuesOf<Some> {
  const values = {};
  for (const [name, flag] of Object.entries(flags)) {
    const word: unknown = (words as Readonly<Record<string, unknown>>)[name];
    const get = once(() => valueIn(word, flag, typed(name, flag)));
    Object.defineProperty(values, name, { enumerable: true, get });
  }
  return values as ValuesOf<Some>;
}

function valueIn(word: unknown, { repeats, value }: Flag, name: string): unknown {
  const read = (one: string) => (value ? value.read(one, name) : notEmpty(one, name));
  if (repeats) return listed(word).map(read);
  return typeof word === 'string' ? read(word) : word;
}

/** A variable of the shell that is not set leaves an empty word. */
function notEmpty(word: string, name: string): string {
  if (word !== '') return word;
  throw usageError(`${name} is empty.`, [name], [{ leave: [name] }, 'give it a value']);
}

/**
 * Reads each flag, and sees that none was given without what it goes with. Throws all that is wrong together: E_USAGE,
 * and what values are read with.
 */
export function readEach<Some extends Flags>(flags: Some, values: ValuesOf<Some>): ValuesOf<Some> {
  const said: Said = values;
  const each = Object.keys(flags).map((name) => [name, () => said[name]] as const);
  const companies = new Set(Object.values(flags).flatMap(({ with: company }) => company ?? []));
  const idle = [...companies].map(
    (company) => [`with ${company}`, () => assertNoneIdle(flags, said, company)] as const,
  );
  readTogether(Object.fromEntries([...each, ...idle]));
  return values;
}

function assertNoneIdle(flags: Flags, said: Said, company: string): void {
  if (!company.startsWith('--') || isSaid(company, said)) return;
  const { names, why, value = true, inFull } = givenWith(company, flags, said);
  if (names.length === 0) return;
  const [other = '', ...words] = company.includes(orFlag) ? company.split(' or ', 1) : company.split(/ or | /);
  const text = `${names.join(', ')} without ${company} ${names.length === 1 ? 'changes' : 'change'} nothing.`;
  // A value stands in place of the one that was given, and of what rests on that.
  const idle = words.length > 0 ? givenWith(`${other} ${said[attributeOf(other)]}`, flags, said).names : [];
  const alone = value === true ? { give: { [other]: value } } : { write: { [other]: value } };
  const typing = words.length > 0 ? words.map((word) => ({ give: { [other]: word } })) : [alone];
  const remedies = (inFull ? [inFull(said)] : typing).map((step) => ({ leave: idle, ...step }));
  const out = { leave: names };
  throw usageError(text, [...names, other], idle.length > 0 ? [out, ...remedies] : [...remedies, out], why);
}

/** The flags that were given and go with this alone, why, and a value that this may have. */
export function givenWith(company: string, flags: Flags, said: Said) {
  const alone = Object.entries(flags).filter(([name, flag]) => flag.with === company && isGiven(said, name));
  return {
    names: alone.map(([name, flag]) => typed(name, flag)),
    why: alone.flatMap(([, { because }]) => because ?? [])[0],
    value: alone.flatMap(([, { withValue }]) => withValue ?? [])[0],
    inFull: alone.flatMap(([, { inFull }]) => inFull ?? [])[0],
  };
}

/** One of two flags is enough. */
const orFlag = ' or --';

/** Whether this was asked: "--hosts", "--media encoded or none", "--simulcast or --svc". */
export function isSaid(flag: string, said: Said): boolean {
  if (flag.includes(orFlag)) return flag.split(' or ').some((one) => isSaid(one, said));
  const [name = '', ...words] = flag.split(/ or | /);
  const key = attributeOf(name);
  return words.length === 0 ? isGiven(said, key) : words.includes(String(said[key]));
}

/** "holdAtLimit" of "--hold-at-limit". */
export function attributeOf(flag: string): string {
  return flag.replace(/^--/, '').replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** One that cannot be read was given, too, and is told by itself. */
function isGiven(said: Said, name: string): boolean {
  try {
    const value = said[name];
    return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
  } catch {
    return true;
  }
}
