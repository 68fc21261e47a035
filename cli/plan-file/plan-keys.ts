import { type Command, Option } from 'commander';
import { z } from 'zod';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { presetNames } from '../../analysis/judge/thresholds/presets.js';
import { videoCodecs } from '../../model/codec.js';
import { turnProtocols } from '../../model/turn.js';
import { scenarios } from '../../scenarios/index.js';
import { formsOf, type ServerKind } from '../../server-setup/server-kind.js';
import { sinkKinds } from '../../store/sinks.js';
import { optionsOf } from '../options/server.js';

/** A key of a plan file: the flag it stands for, and what it may hold. */
export interface PlanKey {
  readonly key: string;
  /** As the command line knows it: `probesPerPage`. */
  readonly flag: string;
  readonly shape: z.ZodType;
}

/** Flags that say what is done with a plan, not what it is. */
const notInPlans: ReadonlySet<string> = new Set(['plan', 'resume', 'schema', 'help', 'threshold']);

const oneLine = (error: string) => z.string({ error }).min(1, { error });
const oneOrMore = (error: string) => z.union([oneLine(error), z.array(oneLine(error)).min(1)], { error });
const duration = z
  .string({ error: 'must be a duration with its unit: 500ms, 40s, 5m or 1h' })
  .regex(/^\d+(\.\d+)?(ms|s|m|h)$/, { error: 'must be a duration with its unit: 500ms, 40s, 5m or 1h' });
const count = (to = 100_000) => {
  const error = `must be a whole number from 1 to ${to}`;
  return z.number({ error }).int({ error }).min(1, { error }).max(to, { error });
};
const expression = z.string({ error: 'must be an expression: video.loss.mean <= 1%' }).superRefine((text, context) => {
  const read = readExpression(text);
  if (!read.ok) context.addIssue({ code: 'custom', message: read.pointer });
});

/** What is known of a value before the flag itself is read; a flag that is not here takes any word, number or yes/no. */
const shapes: Readonly<Record<string, z.ZodType>> = {
  settle: duration,
  measure: duration,
  budget: duration,
  from: count(),
  max: count(),
  confirm: count(100),
  require: count(),
  probesPerPage: count(64),
  roomSize: count(),
  network: z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], {
    error: 'must be a profile such as wifi or "40ms 5ms, 2% loss", or a list of groups: [90% clean, 10% poor-3g]',
  }),
  pace: z.union([z.number().positive().max(1000), z.string().regex(/^\d+(\.\d+)?(\/s)?$/)], {
    error: 'must be participants per second: 2/s',
  }),
  within: z.union([count(), z.string().regex(/^\d{1,2}(\.\d+)?\s*%$/)], { error: 'must be a number of sizes, or 5%' }),
  sizes: z.array(count(), { error: 'must be a list of sizes: [4, 8, 12]' }).min(1),
  confidence: z.number({ error: 'must be a share such as 0.9' }).gt(0).max(0.999),
  strategy: z.enum(['bisect', 'ramp', 'fixed'], { error: 'must be bisect, ramp or fixed' }),
  media: z.enum(['full', 'encoded'], { error: 'must be full or encoded' }),
  codec: z.enum(videoCodecs, { error: `must be one of ${videoCodecs.join(', ')}` }),
  fullShare: z.string().regex(/^\d{1,3}(\.\d+)?\s*%$/, { error: 'must be a share: 10%' }),
  preset: z.enum(presetNames, { error: `must be one of ${presetNames.join(', ')}` }),
  turn: z.enum(turnProtocols, { error: 'must be udp, tcp or tls' }),
  format: z.enum(['text', 'json'], { error: 'must be text or json' }),
  ...Object.fromEntries(sinkKinds.map(({ name, mustBe }) => [name, oneOrMore(mustBe)])),
};

const scenarioShape = z.enum(scenarios.map(({ name }) => name)).describe('what a session looks like');
const scenarioError = `must be one of ${scenarios.map(({ name }) => name).join(', ')}`;

/** What kinds of server know of the values of their flags. */
function serverShapes(kinds: readonly ServerKind[]): ReadonlyMap<string, z.ZodType> {
  const flags = optionsOf(kinds).flatMap((option) => option.flags);
  return new Map<string, z.ZodType>([
    ['server', oneLine(`must be ${formsOf(kinds)}`)],
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
