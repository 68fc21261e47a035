import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import { unreadFile } from '../../model/file-refusal.js';
import { type Flags, flagBehind, typed } from '../options/flag.js';
import { faultsIn } from '../options/together.js';
import type { ToolProcess } from '../process.js';
import { applyProfile } from '../profiles/index.js';
import { type PlanKey, planKeysOf } from './plan-keys.js';
import { inOrder, type PlanProblem, wrongFile } from './plan-problem.js';
import type { ReadValues } from './read-plan.js';

/** What the command was asked, with the plan file's part in it. */
export interface CommandRequest<Flags> {
  readonly command: Command;
  readonly scenario: string | undefined;
  readonly flags: Flags;
  /** Keys of the plan file that the command has no flag for, and so does without. */
  readonly leftOut: readonly string[];
  /** Reads flags; an error that is about a value of the plan file names its line, too. */
  reading<T>(read: () => T | Promise<T>): Promise<T>;
}

const largestPlanBytes = 1_000_000;

export const planFlags = {
  plan: {
    takes: 'file',
    about: 'read the scenario and these flags from a YAML file; flags override it',
    inPlans: false,
    everyday: true,
  },
} as const satisfies Flags;

/**
 * The flags of a command, completed by the plan file that `--plan` or the argument names. Throws E_PLAN with every
 * problem of the file.
 */
export async function withPlanFile<Words extends object>(
  command: Command,
  argument: string | undefined,
  tool: ToolProcess,
): Promise<CommandRequest<Words>> {
  const named = command.opts<{ plan?: string }>().plan;
  if (named !== undefined && argument !== undefined && isPlanFile(argument)) throw twoFiles(argument, named);
  const path = named ?? (argument !== undefined && isPlanFile(argument) ? argument : undefined);
  if (path === undefined) {
    const told = applyProfile(command, argument);
    const reading: CommandRequest<Words>['reading'] = (read) =>
      inTurn(read).catch((error: unknown) => {
        throw told(error);
      });
    return { command, scenario: argument, flags: command.opts<Words>(), leftOut: [], reading };
  }
  assertNotResumed(command, path);
  const keys = planKeysOf(findCommandOf(command));
  // Loaded late: most runs have no plan file, and need not wait for a reader of YAML.
  const { readPlan } = await import('./read-plan.js');
  const plan = readPlan(await textOf(path, tool), keys);
  const usable = plan.ok ? plan : plan.rest;
  if (!usable) throw wrongFile(path, planTodo, plan.ok ? [] : plan.problems);
  applyPlan(command, keys, usable.values);
  const scenario = named !== undefined && argument !== undefined ? argument : String(usable.values.scenario);
  const told = applyProfile(command, scenario);
  const file = { path, keys, ...usable, ...(plan.ok ? {} : { problems: plan.problems }) };
  return {
    command,
    scenario,
    flags: command.opts<Words>(),
    leftOut: leftOutOf(command, keys, usable.values),
    reading: async (read) => {
      const value = await inTurn(read).catch((error: unknown) => {
        throw placed(told(error), file);
      });
      if (file.problems) throw wrongFile(path, planTodo, file.problems);
      return value;
    },
  };
}

function twoFiles(argument: string, named: string): LoadlineError {
  const todo = `leave ${argument} out, or --plan`;
  return new LoadlineError('E_USAGE', `Two plan files are named, ${argument} and ${named}.`, {
    where: `${argument}, --plan`,
    todo,
  });
}

function assertNotResumed(command: Command, path: string): void {
  if (command.getOptionValue('resume') === undefined) return;
  throw new LoadlineError('E_USAGE', 'A plan file cannot be given with --resume.', {
    where: `${path}, --resume`,
    why: 'the stored run has its own plan',
    todo: 'leave one of the two out',
  });
}

/** No scenario has such a name: a word with a slash in it is a path. */
function isPlanFile(argument: string): boolean {
  return /\.(ya?ml|json)$|[/\\]/i.test(argument);
}

/** The keys of a plan are the flags of `find`, whatever command reads it. */
export function findCommandOf(command: Command): Command {
  return command.parent?.commands.find((one) => one.name() === 'find') ?? command;
}

async function textOf(path: string, tool: ToolProcess): Promise<string> {
  const text = await readFile(resolve(tool.workingFolder, path), 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_PLAN', `The plan file ${path} cannot be read.`, {
      where: path,
      ...unreadFile(error, 'name a YAML file that exists, for example loadline find loadline.yaml'),
      cause: error,
    });
  });
  if (text.length <= largestPlanBytes) return text;
  throw new LoadlineError('E_PLAN', `${path} is too large for a plan.`, {
    where: path,
    why: `it has ${text.length} characters; ${largestPlanBytes} are the most`,
    todo: 'name a plan file',
  });
}

const planTodo = 'correct these lines; loadline plan --schema prints what may stand in a plan, for editors';

function leftOutOf(command: Command, keys: readonly PlanKey[], values: Readonly<Record<string, unknown>>) {
  const known = new Set(['scenario', ...command.options.map((option) => option.attributeName())]);
  return keys.filter(({ key, flag }) => values[key] !== undefined && !known.has(flag)).map(({ key }) => key);
}

/** What was typed stands; commands that lack a flag leave it out. */
export function applyPlan(command: Command, keys: readonly PlanKey[], values: Readonly<Record<string, unknown>>): void {
  for (const { key, flag } of keys) {
    const value = values[key];
    const option = command.options.find((one) => one.attributeName() === flag);
    if (value === undefined || !option) continue;
    if (flag === 'threshold' && Array.isArray(value)) {
      const typed = command.getOptionValue(flag) ?? [];
      command.setOptionValueWithSource(flag, [...value, ...typed], 'config');
    } else if (command.getOptionValueSource(flag) !== 'cli') {
      command.setOptionValueWithSource(flag, flagBehind(option)?.repeats ? value : asTyped(value), 'config');
    }
  }
}

function asTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'number' ? String(value) : value;
}

/** What throws at once rejects, too. */
async function inTurn<T>(read: () => T | Promise<T>): Promise<T> {
  return read();
}

/** A plan file, with what is wrong in it already. */
interface SeenFile {
  readonly path: string;
  readonly keys: readonly PlanKey[];
  readonly placeOf: ReadValues['placeOf'];
  /** Values that could not be used, and so were left out of what was read together. */
  readonly badKeys?: ReadonlySet<string>;
  readonly problems?: readonly PlanProblem[];
}

/** One contradiction is told as itself, with its lines; more, or one beside values that are wrong alone, as a list. */
function placed(error: unknown, file: SeenFile): unknown {
  if (!(error instanceof LoadlineError)) return error;
  const faults = faultsIn(error);
  if (!file.problems && faults.length === 1) return withPlaces(error, file);
  const told = faults.filter((fault) => !restsOnBadKey(fault, file)).map((fault) => asProblem(fault, file));
  const here = told.filter((problem) => 'line' in problem);
  // What is right by itself has remedies, and each was followed beside the others.
  const todos = [...new Set(faults.flatMap(({ todo }) => todo ?? []))].join('\n');
  return wrongFile(
    file.path,
    file.problems || todos === '' ? planTodo : todos,
    inOrder([...(file.problems ?? []), ...here]),
    told.flatMap((problem) => ('line' in problem ? [] : [problem.text])),
  );
}

/** Where a value was left out, its default stood in, and what is said of that is about nothing that anybody wrote. */
function restsOnBadKey(fault: LoadlineError, { keys, badKeys }: SeenFile): boolean {
  if (fault.code === 'E_SCENARIO') return badKeys?.has('scenario') === true;
  return keysNamedBy(fault, keys).some(({ key }) => badKeys?.has(key));
}

function asProblem(fault: LoadlineError, { keys, placeOf }: SeenFile): PlanProblem | { readonly text: string } {
  const [place] = keysNamedBy(fault, keys).flatMap(({ key }) => placeOf(key) ?? []);
  const text = fault.message.replace(/\.$/, '');
  return place ? { ...place, text } : { text };
}

/** The keys of the flags that an error is about, in the order in which it names them. */
function keysNamedBy({ where = '' }: LoadlineError, keys: readonly PlanKey[]): readonly PlanKey[] {
  const words = where.match(/--[a-z-]+/g) ?? [];
  return words.flatMap((word) => keys.filter(({ flag }) => word === typed(flag)));
}

function withPlaces(error: LoadlineError, { path, keys, placeOf }: SeenFile): LoadlineError {
  const named = new Set(keysNamedBy(error, keys));
  const places = keys.flatMap((one) => {
    const place = named.has(one) ? placeOf(one.key) : undefined;
    return place ? `${path}:${place.line}:${place.column} (${one.key})` : [];
  });
  if (places.length === 0) return error;
  return new LoadlineError(error.code, error.message, {
    where: [error.where ?? '', ...places].join(', '),
    why: error.why,
    todo: error.todo,
    cause: error,
  });
}
