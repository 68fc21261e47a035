import type { Command } from 'commander';
import { z } from 'zod';
import { withExpressions } from '../../analysis/judge/thresholds/apply.js';
import { type Expression, readExpression } from '../../analysis/judge/thresholds/expression.js';
import { meantOrKnown } from '../../analysis/judge/thresholds/nearest-word.js';
import { isPresetName, presetNames, thresholdsOfPreset } from '../../analysis/judge/thresholds/presets.js';
import { LoadlineError } from '../../model/errors.js';
import { type Thresholds, thresholdsSchema } from '../../model/plan.js';
import type { WrittenFlags } from './written.js';

export interface ThresholdFlags {
  readonly preset?: string;
  readonly threshold?: readonly string[];
}

/** How the values of these flags are written. */
export const presetValues = {
  preset: { mustBe: `must be one of ${presetNames.join(', ')}`, inPlans: z.enum(presetNames), read: presetNamed },
} as const satisfies WrittenFlags;

export function addThresholdFlags(command: Command): Command {
  return command
    .option('--preset <name>', `a set of limits: ${presetNames.join(', ')}`)
    .option('--threshold <expr>', 'a limit, such as "video.loss.mean <= 1%"; may be repeated', collected);
}

function collected(value: string, earlier: readonly string[] = []): readonly string[] {
  return [...earlier, value];
}

/**
 * The limits that a preset and expressions give, over `base` where there is no preset. Throws E_THRESHOLD pointing at
 * the place in each expression that cannot be read.
 */
export function readThresholds(flags: ThresholdFlags, base: Thresholds = thresholdsSchema.parse({})): Thresholds {
  const preset = flags.preset === undefined ? base : readPreset(flags.preset);
  const read = (flags.threshold ?? []).map(readExpression);
  const faults = read.flatMap((one) => (one.ok ? [] : one.pointer));
  if (faults.length > 0) {
    const what = faults.length === 1 ? 'A threshold cannot be read.' : `${faults.length} thresholds cannot be read.`;
    throw new LoadlineError('E_THRESHOLD', what, {
      where: '--threshold',
      why: faults.join('\n'),
      todo: 'write for example --threshold "video.loss.mean <= 1%" or --threshold "p95(join.firstFrame) <= 5s"',
    });
  }
  return withExpressions(
    preset,
    read.flatMap((one): Expression[] => (one.ok ? [one.expression] : [])),
  );
}

function readPreset(name: string): Thresholds {
  return thresholdsOfPreset(presetNamed(name, '--preset'));
}

function presetNamed(name: string, flag: string) {
  if (isPresetName(name)) return name;
  throw new LoadlineError('E_THRESHOLD', `There is no preset "${name}".`, {
    where: flag,
    why: meantOrKnown(name, presetNames),
    todo: `write for example ${flag} ${presetNames[0] ?? 'default'}`,
  });
}
