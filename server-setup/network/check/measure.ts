import { given } from '../../../model/given.js';
import type { LinkMeasure } from '../../../model/network-record.js';

/** What arrived at one end. */
export interface Received {
  /** By the number of the packet. */
  readonly delaysMs: Map<number, number>;
  duplicates: number;
  reordered: number;
  latest?: number;
  rateBytes: number;
  rateFromMs?: number;
  rateToMs?: number;
}

/**
 * Medians and quartiles, because a busy host holds a few packets up and that is not the link. The rate is that of one
 * of the connections that were loaded at once: a link that they share has not what was set.
 */
export function measureOf(received: Received, sent: number, connections = 1): LinkMeasure {
  const { delaysMs, duplicates, reordered, rateBytes, rateFromMs, rateToMs } = received;
  const sorted = [...delaysMs.values()].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
  const [low, middle, high] = [at(0.25), at(0.5), at(0.75)];
  const spanMs = rateFromMs === undefined || rateToMs === undefined ? 0 : rateToMs - rateFromMs;
  const percent = (part: number) => (sent === 0 ? 0 : (100 * part) / sent);
  return {
    sent,
    received: sorted.length,
    ...given({ delayMs: middle, jitterMs: low === undefined || high === undefined ? undefined : high - low }),
    lossPercent: percent(Math.max(0, sent - sorted.length)),
    duplicatePercent: percent(duplicates),
    reorderPercent: percent(reordered),
    ...(spanMs > 0 ? { rateBps: (rateBytes * 8000) / spanMs / connections } : {}),
  };
}
