import { basename } from 'node:path';
import { Command } from 'commander';
import { z } from 'zod';
import { leastRounds, mostWithPrecision } from '../../analysis/study/precision.js';
import { plural } from '../../analysis/wording/wording.js';
import { given } from '../../model/given.js';
import { type StudyAim, studyAims, studyName } from '../../model/study.js';
import { those } from '../../model/those.js';
import { scenarios } from '../../scenarios/index.js';
import { addFlags } from '../options/flag.js';
import { simulationFlags } from '../options/simulation-flags.js';
import { readDuration } from '../options/values.js';
import { share } from '../options/written.js';
import { type PlanKey, planKeysOf } from '../plan-file/plan-keys.js';
import { type PlanProblem, wrongFile } from '../plan-file/plan-problem.js';
import { bytesSuchAs, readFileOf, todoOf, wordsSaying } from '../plan-file/read-mapping-file.js';
import type { ReadValues } from '../plan-file/read-plan.js';
import { overShape, type StudyOver, settingsOver } from './over.js';

/** Keys of a plan that are the study's own, or that say what is done with the answer of one run. */
const notForCells = ['scenario', 'out', 'format', 'label', 'each', 'quiet', 'verbose', 'open', 'summary', 'junit'];

export type PlanValues = Readonly<Record<string, unknown>>;

export interface StudyServer {
  readonly name: string;
  /** Flags of `loadline simulate`, by their keys: the server exists in numbers only. */
  readonly simulate?: PlanValues;
  /** Shell commands. */
  readonly start?: string;
  readonly stop?: string;
  /** HOST:PORT that answers when it is there. */
  readonly ready?: string;
  /** What its control group gives it. */
  readonly cores?: number;
  readonly memoryBytes?: number;
  /** The cores that it may run on: "1", "0,2-3". */
  readonly cpus?: string;
  readonly plan: PlanValues;
}

export interface StudyPlan {
  readonly name: string;
  readonly path: string;
  readonly scenarios: readonly string[];
  readonly servers: readonly StudyServer[];
  readonly settings: readonly { readonly name: string; readonly plan: PlanValues }[];
  /** What the settings are made of; absent: the file names them. */
  readonly over?: StudyOver;
  readonly find: readonly StudyAim[];
  /** For every cell. */
  readonly plan: PlanValues;
  /** The cores that probes may run on; absent: all. */
  readonly probeCpus?: string;
  /** For runs that find how many join in a second. */
  readonly joins: PlanValues;
  readonly rounds: number;
  readonly seed: number;
  readonly chance: number;
  /** The study ends once each limit lies within so much of its middle; absent: all rounds are made. */
  readonly precision?: number;
  readonly budgetMs?: number;
  /** As `ReadValues`; of what stands in lists by their places: 'servers', 0, 'media'. */
  readonly placeOf: ReadValues['placeOf'];
}

const nameError = 'must be letters, digits, dots and dashes, 40 at most';
const name = z.string({ error: nameError }).regex(studyName, { error: nameError });
const commandShape = wordsSaying('must be a shell command');
const readyError = 'must be HOST:PORT, such as 127.0.0.1:8188';
const coresError = 'must be cores, 0.05 or more: 0.5 is half of one';
function countOf(what: string, least: number, most: number) {
  const error = `must be a number of ${what}, up to ${most}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
}
const findError = `must be a list of ${studyAims.join(', ')}; what a session costs comes with the limit`;
const aim = z.enum(studyAims, { error: findError });
const cpusError = 'must be numbers of cores in quotes: "1" or "0,2-3"';
const cpus = z
  .union([z.string(), z.number()], { error: cpusError })
  .transform(String)
  .refine((text) => /^\d{1,4}(-\d{1,4})?(,\d{1,4}(-\d{1,4})?)*$/.test(text), { error: cpusError });
const mostRounds = 10;

const differentNames = { error: 'must have a name each, all different' };
const allDifferent = (all: readonly { readonly name: string }[]) =>
  new Set(all.map((one) => one.name)).size === all.length;

/** What may stand in a study file. `keys` are those of plan files, which servers, settings and `plan` may have, too. */
function studyFileSchema(keys: readonly PlanKey[]) {
  const ofCells = keys.filter(({ key }) => !notForCells.includes(key));
  const plan = Object.fromEntries(ofCells.map(({ key, shape }) => [key, shape.optional()]));
  const simulated = planKeysOf(addFlags(new Command('simulate'), simulationFlags));
  const simulation = simulated.filter(({ key }) => key in simulationFlags && key !== 'seed');
  const server = z.strictObject({
    ...plan,
    name,
    simulate: z
      .strictObject(Object.fromEntries(simulation.map(({ key, shape }) => [key, shape.optional()])))
      .optional(),
    start: commandShape.optional(),
    stop: commandShape.optional(),
    ready: z
      .string({ error: readyError })
      .regex(/^(\[[0-9a-f:.]+\]|[^\s:/[\]]+):\d{1,5}$/, { error: readyError })
      .optional(),
    cores: z.number({ error: coresError }).min(0.05, { error: coresError }).max(1024, { error: coresError }).optional(),
    memory: bytesSuchAs('512MB or 2GB').optional(),
    cpus: cpus.optional(),
  });
  const setting = z.strictObject({ ...plan, name });
  const called = scenarios.map((one) => one.name);
  const scenario = z.enum(called, { error: `must be one of ${called.join(', ')}` });
  return z.strictObject({
    find: z
      .union([aim.transform((one) => [one]), z.array(aim, { error: findError })], { error: findError })
      .default(['limit']),
    joins: z.strictObject(plan).default({}),
    probeCpus: cpus.optional(),
    scenarios: z
      .array(scenario, { error: 'must be a list of scenarios: [one-to-one]' })
      .min(1, { error: 'must have at least one scenario' })
      .refine((all) => new Set(all).size === all.length, { error: 'must have each scenario once' }),
    servers: z
      .array(server, { error: 'must be a list of servers, each with a name' })
      .min(1, { error: 'must have at least one server' })
      .refine(allDifferent, differentNames),
    settings: z
      .array(setting, { error: 'must be a list of settings, each with a name' })
      .refine(allDifferent, differentNames)
      .default([]),
    over: overShape(ofCells).optional(),
    plan: z.strictObject(plan).default({}),
    rounds: countOf('rounds', 1, mostRounds).optional(),
    seed: countOf('the seed', 0, 999_999).default(1),
    chance: written('must be a share between 0 and 1: 5%', (text) => share.read(text, 'chance')),
    precision: written('must be a share between 0 and 1: 10%', (text) => share.read(text, 'precision')),
    budget: written('must be a time with its unit: 90m or 8h', (text) => readDuration(text, 'budget')),
  });
}

/** What `read` reads; undefined where the file does not have it. */
function written<Value>(error: string, read: (text: string) => Value) {
  const reading = (value: unknown, context: z.core.$RefinementCtx): Value => {
    try {
      return read(String(value));
    } catch {
      context.addIssue({ code: 'custom', message: error });
      return z.NEVER;
    }
  };
  return z.unknown().transform(reading).optional();
}

const page = 'docs/reference/study.md';
export const studyTodo = todoOf('study', page);

/** Throws E_PLAN with every problem of the file, each with line and column. */
export async function readStudyFile(path: string, keys: readonly PlanKey[]): Promise<StudyPlan> {
  const noMapping = 'a study is a list of "key: value" lines, and needs servers and scenarios';
  const { values, placeOf } = await readFileOf(path, { what: 'study', page, schema: studyFileSchema(keys), noMapping });
  const { budget: budgetMs, chance = 0.05, precision, over, probeCpus, servers, settings, ...asked } = values;
  const study: StudyPlan = {
    ...asked,
    name: nameOfFile(path),
    path,
    chance,
    rounds: asked.rounds ?? (precision === undefined ? 5 : mostWithPrecision),
    ...given({ over, probeCpus, precision, budgetMs }),
    servers: servers.map(serverOf),
    settings: over
      ? settingsOver(over)
      : settings.map(({ name: called, ...values }) => ({ name: called, plan: values })),
    placeOf,
  };
  const twice =
    over && settings.length > 0
      ? [{ ...(placeOf('over') ?? start), text: 'has over and settings: leave one of them out' }]
      : [];
  const least = leastRounds(servers.length, chance);
  const few = precision !== undefined && (study.rounds < least || study.rounds > mostWithPrecision);
  const outside = `has precision: of ${plural(servers.length, 'server')} it takes ${least} to ${mostWithPrecision} rounds`;
  const problems = [
    ...twice,
    ...contradictionsIn(study),
    ...(few ? [{ ...(placeOf('precision') ?? start), text: outside }] : []),
  ];
  if (problems.length > 0) throw wrongFile(path, studyTodo, problems);
  return study;
}

type ReadServer = z.output<ReturnType<typeof studyFileSchema>>['servers'][number];

function serverOf(read: ReadServer): StudyServer {
  const { name: called, simulate, start, stop, ready, cores, memory: memoryBytes, cpus: own, ...plan } = read;
  const started = { start, stop, ready: ready ?? readyOf(plan), cores, memoryBytes, cpus: own };
  return { name: called, ...given({ simulate, ...started }), plan };
}

/** "127.0.0.1:8188" of janus://127.0.0.1:8188. */
function readyOf({ server }: PlanValues): string | undefined {
  return /^[a-z0-9-]+:\/\/(\[[^\]]+\]:\d+|[^/:]+:\d+)/.exec(String(server ?? ''))?.[1];
}

const start = { line: 1, column: 1 };

/** What is right by itself, and not together. */
function contradictionsIn({ servers, settings, placeOf }: StudyPlan): PlanProblem[] {
  return servers.flatMap((server, nth) => {
    const at = (text: string, key = 'name'): PlanProblem => ({
      ...(placeOf('servers', nth, key) ?? placeOf('servers', nth) ?? start),
      text: `servers[${nth}] (${server.name}) ${text}`,
    });
    const twice = settings.flatMap((setting) =>
      Object.keys(setting.plan).flatMap((key) =>
        key in server.plan
          ? [at(`has ${key}, and so has the setting ${setting.name}: name it in one of them`, key)]
          : [],
      ),
    );
    const { stop, cores, memoryBytes: memory, cpus } = server;
    const ofStarted = Object.entries({ stop, cores, memory, cpus });
    const idle = ofStarted.flatMap(([key, value]) =>
      value !== undefined && server.start === undefined
        ? [at(`has ${key} without start: it is started by others`, key)]
        : [],
    );
    return those(
      ...twice,
      ...idle,
      server.start !== undefined &&
        server.ready === undefined &&
        at('has start, and nothing says when it is there: add ready: HOST:PORT', 'start'),
      server.simulate !== undefined &&
        (server.start !== undefined || 'server' in server.plan) &&
        at('is simulated: it has no address and is not started', 'simulate'),
    );
  });
}

/** "vp8-rooms" of studies/vp8 rooms.yaml. */
function nameOfFile(path: string): string {
  const bare = basename(path)
    .replace(/\.(ya?ml|json)$/i, '')
    .replace(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 40);
  return studyName.test(bare) ? bare : 'study';
}
