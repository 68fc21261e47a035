import type { MemberReading } from '../../model/evidence.js';
import { groupedBy } from '../../model/grouped.js';
import type { Reason } from '../../model/verdict.js';
import { countedWithin, packetsIn } from '../measure/window.js';
import { sum } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import type { ProbeFault } from './probe-fault.js';

/**
 * The server's own count of the packets that its full up-link dropped in the window, when they are a larger share of
 * all that it had to send than any stream may lose. No probe can make a server drop: whatever state the probe host was
 * in, some participant lost more than is allowed by the server's doing alone.
 */
export function serverDrops({ window, evidence, samples, thresholds }: JudgeInput): Reason[] {
  if (!window) return [];
  // Each server of a cluster by itself: a second in which one of them is not read has no sum of all.
  const each = groupedBy(
    evidence.server.flatMap((reading): readonly MemberReading[] => reading.servers ?? [{ server: '', ...reading }]),
    ({ server }) => server,
  );
  const drops = [...each.values()].map((own) => countedWithin(own, window, (one) => one.egressDroppedPackets));
  const dropped = sum(drops.flat());
  const figures = moreThanAllowed(dropped, packetsIn(samples, window).packetsReceived, thresholds);
  if (!figures) return [];
  const text = `The up-link of the media server was full: by its own count it dropped ${dropped} packets, ${numberNear(figures.measured, figures.limit)} % of all that it had to send.`;
  return [{ code: 'server-drops', text, ...figures }];
}

/**
 * What a TURN server that this run had started cost by itself: datagrams that its full receive buffers dropped in the
 * window, when they are as many as that. A failing trial then says nothing about the media server. A relay that is part
 * of what is measured is not excused.
 */
export function turnFaults({ window, evidence, samples, thresholds, turnIsOurs }: JudgeInput): ProbeFault[] {
  if (!window || turnIsOurs !== true) return [];
  const dropped = sum(countedWithin(evidence.turn ?? [], window, ({ udpDrops }) => udpDrops));
  // Through its sockets goes what probes send, too.
  const { packetsReceived, packetsSent } = packetsIn(samples, window);
  const figures = moreThanAllowed(dropped, packetsReceived + packetsSent, thresholds);
  if (!figures) return [];
  const text = `The TURN server that this run had started could not keep up: its full receive buffers dropped ${dropped} datagrams, ${numberNear(figures.measured, figures.limit)} % of what arrived.`;
  return [{ reason: { code: 'probe-cpu', text, ...figures }, spoils: 'blame', exhausted: true }];
}

/** The share of all packets that was dropped, where it is more than any stream may lose. */
function moreThanAllowed(
  dropped: number,
  others: number,
  thresholds: JudgeInput['thresholds'],
): (Pick<Reason, 'unit'> & Required<Pick<Reason, 'measured' | 'limit'>>) | undefined {
  if (dropped === 0) return undefined;
  const measured = (100 * dropped) / (dropped + others);
  const limit = Math.max(thresholds.videoLossPercentMax, thresholds.audioLossPercentMax);
  return measured <= limit ? undefined : { measured, limit, unit: '%' };
}
