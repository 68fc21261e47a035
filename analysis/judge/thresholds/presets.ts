import { type Thresholds, thresholdsSchema } from '../../../model/plan.js';
import { withExpressions } from './apply.js';
import { type Expression, readExpression } from './expression.js';

/**
 * Sets of limits by name, each whole, in the language of `--threshold`. Where each figure comes from stands in
 * `docs/measuring.md`.
 */
export const presets = {
  default: [
    'join.time.max <= 10s',
    'p95(join.firstFrame) <= 5s',
    'bitrate.mean >= 80% of baseline',
    'video.fps.mean >= 80% of baseline',
    'video.loss.mean <= 1%',
    'video.loss.worst5s <= 5%',
    'audio.loss.mean <= 1%',
    'received.audio.jitter.mean <= 30ms',
    'rtt.mean <= 300ms',
    'video.frozen.share <= 2%',
    'audio.mos.mean >= 3.5',
    'received.video.frameWidth.median >= 75% of baseline',
    'received.jitterBuffer.mean <= 400ms',
    'rtt.p95 <= 800ms',
    'received.audio.level.mean >= 0.001',
    'received.video.stutter.deviation <= 50ms',
    'received.seatedGap.share <= 2%',
    'audio.gap.longest <= 1s',
    'bad probes <= 0',
  ],
  strict: [
    'join.time.max <= 5s',
    'p95(join.firstFrame) <= 2s',
    'bitrate.mean >= 90% of baseline',
    'video.fps.mean >= 90% of baseline',
    'video.loss.mean <= 0.5%',
    'video.loss.worst5s <= 2%',
    'audio.loss.mean <= 0.5%',
    'received.audio.jitter.mean <= 20ms',
    'rtt.mean <= 150ms',
    'video.frozen.share <= 1%',
    'audio.mos.mean >= 4',
    'received.video.frameWidth.median >= 100% of baseline',
    'received.jitterBuffer.mean <= 200ms',
    'rtt.p95 <= 400ms',
    'received.audio.level.mean >= 0.001',
    'received.video.stutter.deviation <= 30ms',
    'received.seatedGap.share <= 1%',
    'audio.gap.longest <= 500ms',
    'bad probes <= 0',
  ],
  lenient: [
    'join.time.max <= 20s',
    'p95(join.firstFrame) <= 10s',
    'bitrate.mean >= 60% of baseline',
    'video.fps.mean >= 60% of baseline',
    'video.loss.mean <= 3%',
    'video.loss.worst5s <= 10%',
    'audio.loss.mean <= 3%',
    'received.audio.jitter.mean <= 50ms',
    'rtt.mean <= 500ms',
    'video.frozen.share <= 5%',
    'audio.mos.mean >= 2',
    'received.video.frameWidth.median >= 50% of baseline',
    'received.jitterBuffer.mean <= 800ms',
    'rtt.p95 <= 1600ms',
    'received.audio.level.mean >= 0.001',
    'received.video.stutter.deviation <= 100ms',
    'received.seatedGap.share <= 5%',
    'audio.gap.longest <= 2s',
    'bad probes <= 0',
  ],
  twilio: [
    'join.time.max <= 10s',
    'p95(join.firstFrame) <= 5s',
    'bitrate.mean >= 80% of baseline',
    'video.fps.mean >= 80% of baseline',
    'video.loss.mean <= 3%',
    'video.loss.worst5s <= 10%',
    'audio.loss.mean <= 3%',
    'received.audio.jitter.mean <= 30ms',
    'rtt.mean <= 400ms',
    'video.frozen.share <= 2%',
    'audio.mos.mean >= 3.5',
    'received.video.frameWidth.median >= 75% of baseline',
    'received.jitterBuffer.mean <= 400ms',
    'rtt.p95 <= 800ms',
    'received.audio.level.mean >= 0.001',
    'received.video.stutter.deviation <= 50ms',
    'received.seatedGap.share <= 2%',
    'audio.gap.longest <= 2s',
    'bad probes <= 0',
  ],
  teams: [
    'join.time.max <= 10s',
    'p95(join.firstFrame) <= 5s',
    'bitrate.mean >= 50% of baseline',
    'video.fps.mean >= 0% of baseline',
    'received.video.fps.mean >= 7 fps',
    'video.loss.mean <= 10%',
    'video.loss.worst5s <= 20%',
    'audio.loss.mean <= 10%',
    'received.audio.jitter.mean <= 30ms',
    'rtt.mean <= 500ms',
    'video.frozen.share <= 5%',
    'audio.mos.mean >= 1',
    'received.video.frameWidth.median >= 0% of baseline',
    'received.jitterBuffer.mean <= 1s',
    'rtt.p95 <= 1s',
    'received.audio.level.mean >= 0',
    'received.video.stutter.deviation <= 100ms',
    'received.seatedGap.share <= 5%',
    'audio.gap.longest <= 6s',
    'bad probes <= 0',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type PresetName = keyof typeof presets;
export const presetNames = Object.keys(presets).filter(isPresetName);

export function isPresetName(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}

export function thresholdsOfPreset(name: PresetName): Thresholds {
  const expressions = presets[name].flatMap((text): Expression[] => {
    const read = readExpression(text);
    return read.ok ? [read.expression] : [];
  });
  return withExpressions(thresholdsSchema.parse({}), expressions);
}
