import { type Thresholds, thresholdsSchema } from '../../../model/plan.js';
import { withExpressions } from './apply.js';
import { type Expression, readExpression } from './expression.js';

/**
 * Sets of limits by name, each whole, in the language of `--threshold`: `#` stands for the figure of each preset. Where
 * each figure comes from stands in `docs/reference/judging.md`.
 */
const figures: readonly (readonly [expression: string, ...figures: readonly string[]])[] = [
  // default, strict, lenient, twilio, teams
  ['join.time.max <= #', '10s', '5s', '20s', '10s', '10s'],
  ['p95(join.firstFrame) <= #', '5s', '2s', '10s', '5s', '5s'],
  ['bitrate.mean >= # of baseline', '80%', '90%', '60%', '80%', '50%'],
  ['video.fps.mean >= # of baseline', '80%', '90%', '60%', '80%', '0%'],
  ['video.loss.mean <= #', '1%', '0.5%', '3%', '3%', '10%'],
  ['video.loss.worst5s <= #', '5%', '2%', '10%', '10%', '20%'],
  ['audio.loss.mean <= #', '1%', '0.5%', '3%', '3%', '10%'],
  ['received.audio.jitter.mean <= #', '30ms', '20ms', '50ms', '30ms', '30ms'],
  ['rtt.mean <= #', '300ms', '150ms', '500ms', '400ms', '500ms'],
  ['video.frozen.share <= #', '2%', '1%', '5%', '2%', '5%'],
  ['audio.mos.mean >= #', '3.5', '4', '2', '3.5', '1'],
  ['received.video.frameWidth.median >= # of baseline', '75%', '100%', '50%', '75%', '0%'],
  ['received.jitterBuffer.mean <= #', '400ms', '200ms', '800ms', '400ms', '1s'],
  ['rtt.p95 <= #', '800ms', '400ms', '1600ms', '800ms', '1s'],
  ['received.audio.level.mean >= #', '0.001', '0.001', '0.001', '0.001', '0'],
  ['received.video.stutter.deviation <= #', '50ms', '30ms', '100ms', '50ms', '100ms'],
  ['received.seatedGap.share <= #', '2%', '1%', '5%', '2%', '5%'],
  ['audio.gap.longest <= #', '1s', '500ms', '2s', '2s', '6s'],
  ['bad probes <= #', '0', '0', '0', '0', '0'],
];

export const presetNames = ['default', 'strict', 'lenient', 'twilio', 'teams'] as const;
export type PresetName = (typeof presetNames)[number];

/** Limits that one preset has beside those of all. */
const more: Readonly<Partial<Record<PresetName, readonly string[]>>> = { teams: ['received.video.fps.mean >= 7 fps'] };

/** The expressions of a preset; of two on one value the later holds. */
export function presetOf(name: PresetName): readonly string[] {
  const column = presetNames.indexOf(name) + 1;
  return [...figures.map((row) => row[0].replace('#', row[column] ?? '')), ...(more[name] ?? [])];
}

export function isPresetName(name: string): name is PresetName {
  return presetNames.some((one) => one === name);
}

export function thresholdsOfPreset(name: PresetName): Thresholds {
  const expressions = presetOf(name).flatMap((text): Expression[] => {
    const read = readExpression(text);
    return read.ok ? [read.expression] : [];
  });
  return withExpressions(thresholdsSchema.parse({}), expressions);
}
