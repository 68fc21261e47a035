import type { QualityLimitation, SendMetric } from '../../model/metric.js';
import { numberAt, type StatsEntry, textAt } from './stats-report.js';

const limitations: readonly string[] = ['none', 'cpu', 'bandwidth', 'other'] satisfies QualityLimitation[];

export function limitationOf(entry: StatsEntry | undefined): QualityLimitation | undefined {
  const reason = textAt(entry, 'qualityLimitationReason');
  return limitations.includes(reason ?? '') ? (reason as QualityLimitation) : undefined;
}

/**
 * Chromium counts each spatial layer within a stream as a frame. Here a picture is one, in whatever layers: of those of
 * the mode (`scalabilityMode`) the encoder leaves out the highest, which shows in the width.
 */
export function asPictures(
  metrics: Partial<Record<SendMetric, number>>,
  sent: StatsEntry | undefined,
  source: StatsEntry | undefined,
): void {
  const spatial = Number(/^L(\d)/.exec(textAt(sent, 'scalabilityMode') ?? '')?.[1] ?? 1);
  if (spatial === 1) return;
  const shrunkBy = (numberAt(source, 'width') ?? 0) / (numberAt(sent, 'frameWidth') ?? 0);
  const leftOut = shrunkBy >= 1 && Number.isFinite(shrunkBy) ? Math.round(Math.log2(shrunkBy)) : 0;
  const layers = Math.max(1, spatial - leftOut);
  for (const name of ['framesEncoded', 'framesSent'] as const) {
    const frames = metrics[name];
    if (frames !== undefined) metrics[name] = frames / layers;
  }
}
