import { z } from 'zod';
import { withExpressions } from '../../analysis/judge/thresholds/apply.js';
import { type Expression, readExpression } from '../../analysis/judge/thresholds/expression.js';
import { meantOrKnown, nearestWord } from '../../analysis/judge/thresholds/nearest-word.js';
import { isPresetName, presetNames, thresholdsOfPreset } from '../../analysis/judge/thresholds/presets.js';
import { LoadlineError } from '../../model/errors.js';
import { type Thresholds, thresholdsSchema } from '../../model/plan.js';
import type { Flags, ValuesOf } from './flag.js';
import { suchAs, usageError } from './usage-error.js';
import { share } from './written.js';

export const thresholdFlags = {
  preset: {
    takes: 'name',
    about: `a set of limits: ${presetNames.join(', ')}`,
    value: {
      inPlans: { mustBe: `must be one of ${presetNames.join(', ')}`, shape: z.enum(presetNames) },
      read: preset,
    },
  },
  // In a plan file they are the key `thresholds`.
  threshold: {
    takes: 'expr',
    about: 'a limit, such as "video.loss.mean <= 1%"; may be repeated',
    suchAs: 'video.loss.mean <= 1%',
    repeats: true,
    inPlans: false,
    everyday: true,
  },
  tolerate: {
    takes: 'share',
    about: 'share of participants who may notice something: 0.5% (default: nobody)',
    value: share,
  },
} as const satisfies Flags;

/**
 * The limits that a preset and expressions give, over `base` where there is no preset. Throws E_THRESHOLD pointing at
 * the place in each expression that cannot be read.
 */
export function thresholdsOf(
  { preset, threshold, tolerate }: ValuesOf<typeof thresholdFlags>,
  base: Thresholds = thresholdsSchema.parse({}),
): Thresholds {
  const read = threshold.map(readExpression);
  const faults = read.flatMap((one) => (one.ok ? [] : one.pointer));
  if (faults.length > 0) {
    const what = faults.length === 1 ? 'A threshold cannot be read.' : `${faults.length} thresholds cannot be read.`;
    throw new LoadlineError('E_THRESHOLD', what, {
      where: '--threshold',
      why: faults.join('\n'),
      todo: ['video.loss.mean <= 1%', 'p95(join.firstFrame) <= 5s'].map((text) => suchAs('--threshold', text)),
    });
  }
  const expressions = read.flatMap((one): Expression[] => (one.ok ? [one.expression] : []));
  const limits = withExpressions(preset === undefined ? base : thresholdsOfPreset(preset), expressions);
  if (tolerate === undefined) return limits;
  const other = expressions.find((one) => one.of === 'bad-probes');
  if (!other) return { ...limits, badProbes: { max: Number((100 * tolerate).toPrecision(12)), unit: '%' } };
  const todo = { leave: ['--tolerate'] };
  const why = 'both say how many probes may fail';
  throw usageError(`--tolerate and "${other.text}" say the same.`, ['--tolerate', '--threshold'], todo, why);
}

/** An app is answered once its page has loaded: pages that come by rate are not held to what a server alone takes. */
export function withAppAnswer<Asked extends { readonly threshold: readonly string[] }>(asked: Asked, byRate: boolean) {
  const isGiven = asked.threshold.some((text) => text.includes('join.answer'));
  return byRate && !isGiven ? { ...asked, threshold: [...asked.threshold, 'p99(join.answer) <= 5s'] } : asked;
}

function preset(name: string, flag: string) {
  if (isPresetName(name)) return name;
  throw new LoadlineError('E_THRESHOLD', `There is no preset "${name}".`, {
    where: flag,
    why: meantOrKnown(name, presetNames),
    todo: suchAs(flag, nearestWord(name, presetNames) ?? presetNames[0]),
  });
}
