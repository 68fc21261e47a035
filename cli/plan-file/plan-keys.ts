import { type Command, Option } from 'commander';
import { z } from 'zod';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import { formsOf, type ServerKind } from '../../server-setup/server-kind.js';
import { sinkKinds } from '../../store/sinks.js';
import { arrivalValues } from '../options/arrival-flags.js';
import { cameraValues } from '../options/camera-flag.js';
import { requireValues } from '../options/contradictions.js';
import { hostValues } from '../options/host-flags.js';
import { mediaValues } from '../options/media-flags.js';
import { runValues } from '../options/run-flags.js';
import { searchValues } from '../options/search-flags.js';
import { optionsOf } from '../options/server.js';
import { sessionValues } from '../options/session-flags.js';
import { presetValues } from '../options/threshold-flags.js';
import { turnValues } from '../options/turn-flags.js';
import type { WrittenFlags } from '../options/written.js';

/** A key of a plan file: the flag it stands for, and what it may hold. */
export interface PlanKey {
  readonly key: string;
  /** As the command line knows it: `probesPerPage`. */
  readonly flag: string;
  readonly shape: z.ZodType;
}

/** Flags that say what is done with a plan, not what it is. */
const notInPlans: ReadonlySet<string> = new Set([
  'plan',
  'resume',
  'trustRun',
  'schema',
  'help',
  'threshold',
  'quiet',
  'open',
  'summary',
  'junit',
]);

const oneLine = (error: string) => z.string({ error }).min(1, { error });
const oneOrMore = (error: string) => z.union([oneLine(error), z.array(oneLine(error)).min(1)], { error });
const expression = z.string({ error: 'must be an expression: video.loss.mean <= 1%' }).superRefine((text, context) => {
  const read = readExpression(text);
  if (!read.ok) context.addIssue({ code: 'custom', message: read.pointer });
});

/** How values are written, as the options that read them say. */
export const writtenFlags: WrittenFlags = {
  ...searchValues,
  ...runValues,
  ...mediaValues,
  ...cameraValues,
  ...arrivalValues,
  ...sessionValues,
  ...turnValues,
  ...hostValues,
  ...presetValues,
  ...requireValues,
};

/** Values that are known by a shape alone; a flag that is neither here nor above takes any word, number or yes/no. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  network: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: 'must be a profile such as wifi or "40ms 5ms, 2% loss", or a list of groups: [90% clean, 10% poor-3g]',
  }),
  tag: oneOrMore('must be a name, or a list of them'),
  label: oneOrMore('must be key=value, or a list of them: [region=eu]'),
  evidence: oneOrMore('must be an http or https address of a page of metrics, or a list of them'),
  evidenceMetric: oneOrMore('must be the name of a metric, or a list of them: \'name{label="x"}\''),
  ...Object.fromEntries(sinkKinds.map(({ name, mustBe }) => [name, oneOrMore(mustBe)])),
  ...Object.fromEntries(Object.entries(writtenFlags).map(([key, one]) => [key, shapeOf(key, one)])),
};

/** A value is of the right type first; what it says is then read as the command line reads it, and told in the same words. */
function shapeOf(key: string, { mustBe, inPlans, read }: WrittenFlags[string]): z.ZodType {
  const { $schema: _, ...schema } = z.toJSONSchema(inPlans);
  const check = (value: unknown, context: z.core.$RefinementCtx) => {
    if (!inPlans.safeParse(value).success) {
      context.addIssue({ code: 'custom', message: mustBe });
      return;
    }
    try {
      read(Array.isArray(value) ? value.join(',') : String(value), key);
    } catch (error) {
      if (!(error instanceof LoadlineError)) throw error;
      context.addIssue({ code: 'custom', message: error.message.replace(/\.$/, ''), params: { isSentence: true } });
    }
  };
  return z.unknown().superRefine(check).meta(schema);
}

const scenarioShape = z.enum(scenarios.map(({ name }) => name)).describe('what a session looks like');
const scenarioError = `must be one of ${scenarios.map(({ name }) => name).join(', ')}`;

/** What kinds of server know of the values of their flags. */
function serverShapes(kinds: readonly ServerKind[]): ReadonlyMap<string, z.ZodType> {
  const flags = optionsOf(kinds).flatMap((option) => option.flags);
  return new Map<string, z.ZodType>([
    ['server', oneOrMore(`must be ${formsOf(kinds)}; or a list of them, which is a cluster`)],
    ...flags.flatMap(({ flag, shape }) => (shape ? [[new Option(flag).attributeName(), shape] as const] : [])),
  ]);
}

/** Every flag of `find` is a key under its own name; `scenario` and `thresholds` are keys of their own. */
export function planKeysOf(find: Command, kinds: readonly ServerKind[]): readonly PlanKey[] {
  const ofServers = serverShapes(kinds);
  const flags = find.options.filter((option) => !notInPlans.has(option.attributeName()));
  return [
    {
      key: 'scenario',
      flag: 'scenario',
      shape: z.enum(scenarioShape.options, { error: scenarioError }).describe('what a session looks like'),
    },
    ...flags.map((option): PlanKey => {
      const key = option.attributeName();
      const takesValue = option.required || option.optional;
      const word = takesValue ? z.union([z.string(), z.number()], { error: 'must be a word or a number' }) : undefined;
      const shape = shapes[key] ?? ofServers.get(key) ?? word ?? z.boolean({ error: 'must be true or false' });
      return { key, flag: key, shape: shape.describe(option.description) };
    }),
    {
      key: 'thresholds',
      flag: 'threshold',
      shape: z
        .array(expression, { error: 'must be a list of expressions, each on a line of its own after a -' })
        .describe('limits, such as "video.loss.mean <= 1%"; a later one replaces an earlier one'),
    },
  ];
}

export function planSchemaOf(keys: readonly PlanKey[]): z.ZodType<Readonly<Record<string, unknown>>> {
  const entries = keys.map(({ key, shape }) => [key, key === 'scenario' ? shape : shape.optional()] as const);
  return z.strictObject(Object.fromEntries(entries));
}

/** For editors: what may stand in a plan file. */
export function planJsonSchema(keys: readonly PlanKey[]): object {
  const schema = z.toJSONSchema(planSchemaOf(keys), { io: 'input', unrepresentable: 'any' });
  return { ...schema, title: 'A plan of Loadline', description: 'loadline find PLAN.yaml. Flags override it.' };
}
