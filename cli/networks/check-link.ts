import type { Link } from '../../model/network.js';
import { networkError } from './network-error.js';

/** Says of a link what makes no sense together. Throws E_NETWORK. */
export function assertLink(link: Link, name: string, where: string): void {
  const { delayMs = 0, jitterMs = 0, distribution, jitterCorrelationPercent, reorderPercent = 0, rateBps } = link;
  const refuse = (what: string, todo: string) => {
    throw networkError(what, { part: name, where }, todo);
  };
  if (jitterMs > 0 && delayMs === 0)
    refuse(`Jitter of ${jitterMs} ms needs a delay to vary.`, 'write for example 40ms 5ms');
  if (jitterMs > delayMs) {
    refuse(
      `Jitter of ${jitterMs} ms is more than the delay of ${delayMs} ms: no packet comes before it was sent.`,
      'make the delay longer',
    );
  }
  if (jitterMs === 0 && (distribution !== undefined || jitterCorrelationPercent !== undefined)) {
    refuse('A distribution or correlation needs a jitter.', 'write for example 40ms 5ms normal');
  }
  if (reorderPercent > 0 && delayMs === 0) {
    refuse('Reordering needs a delay: packets overtake those that are delayed.', 'write for example 20ms, 5% reorder');
  }
  if (rateBps === undefined && (link.queuePackets !== undefined || link.queueMs !== undefined)) {
    refuse('A queue needs a rate.', 'write for example 1mbit queue 200ms');
  }
}
