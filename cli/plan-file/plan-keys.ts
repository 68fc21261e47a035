import type { Command, Option } from 'commander';
import { z } from 'zod';
import { readExpression } from '../../analysis/judge/thresholds/expression.js';
import { LoadlineError } from '../../model/errors.js';
import { scenarios } from '../../scenarios/index.js';
import { flagBehind } from '../options/flag.js';
import type { Written } from '../options/written.js';

/** A key of a plan file: the flag it stands for, and what it may hold. */
export interface PlanKey {
  readonly key: string;
  /** As the command line knows it: `probesPerPage`. */
  readonly flag: string;
  readonly shape: z.ZodType;
}

const expression = z.string({ error: 'must be an expression: video.loss.mean <= 1%' }).superRefine((text, context) => {
  const read = readExpression(text);
  if (!read.ok) context.addIssue({ code: 'custom', message: read.pointer });
});

/** The type comes first; the value is then read as the command line reads it, with the same messages. */
function shapeOf(
  key: string,
  { mustBe, shape }: NonNullable<Written<unknown>['inPlans']>,
  read: Written<unknown>['read'],
): z.ZodType {
  const { $schema: _, ...schema } = z.toJSONSchema(shape);
  const check = (value: unknown, context: z.core.$RefinementCtx) => {
    if (!shape.safeParse(value).success) {
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

const names = scenarios.map(({ name }) => name);
const scenarioShape = z.enum(names, { error: `must be one of ${names.join(', ')}` });

/** What may stand under a key: what its flag says, else any word or number; yes or no where it takes nothing. */
function shapeUnder(key: string, option: Option): z.ZodType {
  const { value, inPlans } = flagBehind(option) ?? {};
  if (inPlans) return inPlans;
  if (value?.inPlans) return shapeOf(key, value.inPlans, value.read);
  if (option.required || option.optional)
    return z.union([z.string(), z.number()], { error: 'must be a word or a number' });
  return z.boolean({ error: 'must be true or false' });
}

/** Every flag of `find` is a key under its own name; `scenario` and `thresholds` are keys of their own. */
export function planKeysOf(find: Command): readonly PlanKey[] {
  return [
    { key: 'scenario', flag: 'scenario', shape: scenarioShape.describe('what a session looks like') },
    ...find.options.flatMap((option): PlanKey[] => {
      const key = option.attributeName();
      if (flagBehind(option)?.inPlans === false) return [];
      return [{ key, flag: key, shape: shapeUnder(key, option).describe(option.description) }];
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
