import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import { LoadlineError } from '../../model/errors.js';
import type { ServerKind } from '../../server-setup/server-kind.js';
import type { ToolProcess } from '../process.js';
import { type PlanKey, planKeysOf } from './plan-keys.js';
import type { PlanProblem, ReadPlan } from './read-plan.js';

/** What the command was asked, with the plan file's part in it. */
export interface Asked<Flags> {
  readonly scenario: string | undefined;
  readonly flags: Flags;
  /** Reads flags; an error that is about a value of the plan file names its line, too. */
  reading<T>(read: () => T | Promise<T>): Promise<T>;
}

const largestPlanBytes = 1_000_000;

export function addPlanFlag(command: Command): Command {
  return command.option('--plan <file>', 'read the scenario and these flags from a YAML file; flags override it');
}

/**
 * The flags of a command, completed by the plan file that `--plan` or the argument names. Throws E_PLAN with every
 * problem of the file.
 */
export async function withPlanFile<Flags extends object>(
  command: Command,
  argument: string | undefined,
  tool: ToolProcess,
  kinds: readonly ServerKind[],
): Promise<Asked<Flags>> {
  const named = command.opts<{ plan?: string }>().plan;
  const path = named ?? (argument !== undefined && isPlanFile(argument) ? argument : undefined);
  if (path === undefined) {
    return { scenario: argument, flags: command.opts<Flags>(), reading: async (read) => read() };
  }
  assertNotResumed(command, path);
  const keys = planKeysOf(findCommandOf(command), kinds);
  // Loaded late: most runs have no plan file, and need not wait for a reader of YAML.
  const { readPlan } = await import('./read-plan.js');
  const plan = readPlan(await textOf(path, tool), keys);
  if (!plan.ok) throw planError(path, plan.problems);
  apply(command, keys, plan.values);
  const fromFile = plan.values.scenario;
  const scenario = named !== undefined && argument !== undefined ? argument : String(fromFile);
  return {
    scenario,
    flags: command.opts<Flags>(),
    reading: async (read) => {
      try {
        return await read();
      } catch (error) {
        throw placed(error, path, keys, plan);
      }
    },
  };
}

function assertNotResumed(command: Command, path: string): void {
  if (command.getOptionValue('resume') === undefined) return;
  throw new LoadlineError('E_USAGE', 'A plan file cannot be given with --resume.', {
    where: `${path}, --resume`,
    why: 'the stored run has its own plan',
    todo: 'leave one of the two out',
  });
}

export function isPlanFile(argument: string): boolean {
  return /\.(ya?ml|json)$/i.test(argument);
}

/** The keys of a plan are the flags of `find`, whatever command reads it. */
export function findCommandOf(command: Command): Command {
  return command.parent?.commands.find((one) => one.name() === 'find') ?? command;
}

async function textOf(path: string, tool: ToolProcess): Promise<string> {
  const text = await readFile(resolve(tool.workingFolder, path), 'utf8').catch((error: unknown) => {
    throw new LoadlineError('E_PLAN', `The plan file ${path} cannot be read.`, {
      where: path,
      why: error instanceof Error ? error.message : String(error),
      todo: 'name a YAML file that exists, for example loadline find loadline.yaml',
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

function planError(path: string, problems: readonly PlanProblem[]): LoadlineError {
  const [first] = problems;
  const name = basename(path);
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  return new LoadlineError('E_PLAN', `${name} has ${count}.`, {
    where: `${path}:${first?.line ?? 1}:${first?.column ?? 1}`,
    why: problems.map(({ line, column, text }) => `${name}:${line}:${column}  ${text}`).join('\n'),
    todo: 'correct these lines; loadline plan --schema prints what may stand in a plan, for editors',
  });
}

/** What was typed stands; commands that lack a flag leave it out. */
function apply(command: Command, keys: readonly PlanKey[], values: Readonly<Record<string, unknown>>): void {
  for (const { key, flag } of keys) {
    const value = values[key];
    const option = command.options.find((one) => one.attributeName() === flag);
    if (value === undefined || !option) continue;
    if (flag === 'threshold' && Array.isArray(value)) {
      const typed = command.getOptionValue(flag) ?? [];
      command.setOptionValueWithSource(flag, [...value, ...typed], 'config');
    } else if (command.getOptionValueSource(flag) !== 'cli') {
      // A flag with a reader of its own is one that may be repeated.
      command.setOptionValueWithSource(flag, option.parseArg ? value : asTyped(value), 'config');
    }
  }
}

function asTyped(value: unknown): unknown {
  if (Array.isArray(value)) return value.join(',');
  return typeof value === 'number' ? String(value) : value;
}

function placed(
  error: unknown,
  path: string,
  keys: readonly PlanKey[],
  plan: Extract<ReadPlan, { ok: true }>,
): unknown {
  if (!(error instanceof LoadlineError)) return error;
  const words = new Set((error.where ?? '').match(/--[a-z-]+/g) ?? []);
  const places = keys.flatMap(({ key, flag }) => {
    const place = words.has(`--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`)
      ? plan.placeOf(key)
      : undefined;
    return place ? `${path}:${place.line}:${place.column} (${key})` : [];
  });
  if (places.length === 0) return error;
  return new LoadlineError(error.code, error.message, {
    where: [error.where ?? '', ...places].join(', '),
    ...(error.why === undefined ? {} : { why: error.why }),
    ...(error.todo === undefined ? {} : { todo: error.todo }),
    cause: error,
  });
}
