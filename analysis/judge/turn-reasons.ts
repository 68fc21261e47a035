import type { Reason } from '../../model/verdict.js';
import { countedWithin } from '../measure/counted-within.js';
import { packetsReceivedIn } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import type { ProbeFault } from './probe-fault.js';

/**
 * What a TURN server that this run had started cost by itself: datagrams that its full receive buffers dropped in the
 * window, when they are a larger share of all that arrived than any stream may lose. A failing trial then says nothing
 * about the media server. A relay that is part of what is measured is not excused.
 */
export function turnFaults({ window, evidence, samples, thresholds, turnIsOurs }: JudgeInput): ProbeFault[] {
  if (!window || turnIsOurs !== true) return [];
  const dropped = sum(countedWithin(evidence.turn ?? [], window).map(({ udpDrops }) => udpDrops ?? 0));
  if (dropped === 0) return [];
  const arrived = packetsReceivedIn(samples, window);
  const percent = (100 * dropped) / (dropped + arrived);
  const limit = Math.max(thresholds.videoLossPercentMax, thresholds.audioLossPercentMax);
  if (percent <= limit) return [];
  const text = `The TURN server that this run had started could not keep up: its full receive buffers dropped ${dropped} datagrams, ${numberNear(percent, limit)} % of what arrived.`;
  const reason: Reason = { code: 'probe-cpu', text, measured: percent, limit, unit: '%' };
  return [{ reason, spoils: 'blame', exhausted: true }];
}
