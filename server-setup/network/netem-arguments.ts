import type { Link, Loss } from '../../model/network.js';

/** Without a rate nothing queues but what is being delayed: enough for 10 000 packets per second over a second. */
const packetsWithoutRate = 10_000;
/** Of a rate that names no queue: as much as a home router holds. */
const usualQueueMs = 300;
const largePacketBytes = 1200;
/** What is on its way may be small: speech, reports. */
const smallPacketBytes = 200;
const fewestPackets = 20;

/**
 * What `tc qdisc add … netem` and `change` are told for a link, as `tc-netem(8)` orders it. The kernel leaves on what a
 * change does not name: correlations, corruption and rate. So each is written out; one correlation sends all of them.
 */
export function netemArguments(link: Link): readonly string[] {
  return [
    'limit',
    String(packetLimit(link)),
    ...delayArguments(link),
    ...(link.loss ? lossArguments(link.loss) : []),
    ...shareArguments('duplicate', link.duplicatePercent, link.duplicateCorrelationPercent),
    ...shareArguments('reorder', link.reorderPercent, link.reorderCorrelationPercent),
    ...shareArguments('corrupt', link.corruptPercent ?? 0),
    'rate',
    `${Math.round(link.rateBps ?? 0)}bit`,
  ];
}

function delayArguments({ delayMs = 0, jitterMs = 0, jitterCorrelationPercent = 0, distribution }: Link): string[] {
  // Netem has no table called uniform; it is what it does without one.
  const table = jitterMs === 0 || distribution === undefined || distribution === 'uniform' ? [] : [distribution];
  const words = ['delay', time(delayMs), time(jitterMs), percent(jitterCorrelationPercent)];
  return [...words, ...table.flatMap((name) => ['distribution', name])];
}

function lossArguments(loss: Loss): string[] {
  if (loss.kind === 'random') {
    return [
      'loss',
      'random',
      percent(loss.percent),
      ...(loss.correlationPercent === undefined ? [] : [percent(loss.correlationPercent)]),
    ];
  }
  const { enterPercent, leavePercent, lossInBadPercent, lossInGoodPercent } = loss;
  return ['loss', 'gemodel', ...[enterPercent, leavePercent, lossInBadPercent, lossInGoodPercent].map(percent)];
}

function shareArguments(name: string, share: number | undefined, correlation?: number): string[] {
  if (share === undefined) return [];
  return [name, percent(share), ...(correlation === undefined ? [] : [percent(correlation)])];
}

/** Netem counts what is being delayed and what waits for the rate in one queue of packets. */
export function packetLimit({ rateBps, queuePackets, queueMs, delayMs = 0, jitterMs = 0 }: Link): number {
  if (queuePackets !== undefined) return queuePackets;
  if (rateBps === undefined) return packetsWithoutRate;
  const bytesPerMs = rateBps / 8000;
  const onTheWay = (bytesPerMs * (delayMs + jitterMs)) / smallPacketBytes;
  const waiting = (bytesPerMs * (queueMs ?? usualQueueMs)) / largePacketBytes;
  return Math.max(queueMs === undefined ? fewestPackets : 1, Math.ceil(onTheWay + waiting));
}

/** In microseconds, because tc reads no fractions of them. */
function time(ms: number): string {
  return `${Math.round(ms * 1000)}us`;
}

function percent(value: number): string {
  return `${Number(value.toFixed(6))}%`;
}
