import type { Reason } from '../../model/verdict.js';
import { countedWithin } from '../measure/counted-within.js';
import { packetsReceivedIn } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';

/**
 * The server's own count of the packets that its full up-link dropped in the window, when they are a larger share of
 * all that it had to send than any stream may lose. No probe can make a server drop: whatever state the probe host was
 * in, some participant lost more than is allowed by the server's doing alone.
 */
export function serverDrops({ window, evidence, samples, thresholds }: JudgeInput): Reason[] {
  if (!window) return [];
  const dropped = sum(countedWithin(evidence.server, window).map((reading) => reading.egressDroppedPackets ?? 0));
  if (dropped === 0) return [];
  const arrived = packetsReceivedIn(samples, window);
  const percent = (100 * dropped) / (dropped + arrived);
  const limit = Math.max(thresholds.videoLossPercentMax, thresholds.audioLossPercentMax);
  if (percent <= limit) return [];
  const text = `The up-link of the media server was full: by its own count it dropped ${dropped} packets, ${numberNear(percent, limit)} % of all that it had to send.`;
  return [{ code: 'server-drops', text, measured: percent, limit, unit: '%' }];
}
