import { type Link, lossPercentOf } from '../../../model/network.js';
import type { LinkMeasure } from '../../../model/network-record.js';

const delayTolerance = 0.1;
/** How far delays may be off because packets pass the box, on a host that is not idle. */
const ownDelayMs = 3;
const lossTolerancePoints = 0.7;
const sigmas = 4;
const jitterTolerance = 0.3;
const ownJitterMs = 2.5;
const rateTolerance = 0.1;
/** The interquartile range of a normal spread, in standard deviations. */
const normalQuartiles = 1.349;

/** What of a link is further from what was set than chance and a working host allow; a sentence part each. */
export function differences(link: Link, measured: LinkMeasure): string[] {
  if (measured.delayMs === undefined) return ['nothing came through'];
  return [delayDifference, jitterDifference, lossDifference, duplicateDifference, rateDifference].flatMap(
    (difference) => difference(link, measured) ?? [],
  );
}

function delayDifference({ delayMs = 0, jitterMs = 0, rateBps }: Link, measured: LinkMeasure): string | undefined {
  const { delayMs: found = 0 } = measured;
  // With a rate netem keeps the order, and what jitter has made late makes all behind it late.
  const ordered = rateBps === undefined ? 0 : jitterMs;
  const transmission = rateBps === undefined ? 0 : (1000 * 8 * 100) / rateBps;
  const least = delayMs * (1 - delayTolerance) - 0.5;
  const most = delayMs * (1 + delayTolerance) + ownDelayMs + ordered + transmission;
  if (found >= least && found <= most) return undefined;
  return `the delay is ${figure(found)} ms, ${figure(delayMs)} ms were set`;
}

function jitterDifference(link: Link, { jitterMs: found = 0 }: LinkMeasure): string | undefined {
  const { jitterMs = 0, distribution = 'uniform', rateBps, reorderPercent = 0 } = link;
  const known = distribution === 'uniform' || distribution === 'normal';
  const expected = distribution === 'normal' ? normalQuartiles * jitterMs : jitterMs;
  const most = expected * (1 + jitterTolerance) + ownJitterMs;
  const least = rateBps === undefined && known ? expected * (1 - jitterTolerance) - 0.5 : 0;
  if (!known || reorderPercent > 20 || (found <= most && found >= least)) return undefined;
  return `the jitter is ${figure(found)} ms, ${figure(jitterMs)} ms were set`;
}

function lossDifference(link: Link, { sent, lossPercent: found }: LinkMeasure): string | undefined {
  const expected = lossPercentOf(link);
  const correlated = link.loss?.kind === 'random' && (link.loss.correlationPercent ?? 0) > 0;
  // Netem's correlated chance is not evenly spread (tc-netem(8), "Limitations"): it loses less than it is told.
  const least = correlated ? 0 : expected - tolerance(expected, sent, burstFactor(link));
  const most = expected + tolerance(expected, sent, burstFactor(link));
  if (found >= least && found <= most) return undefined;
  return `the loss is ${figure(found)} %, ${figure(expected)} % were set`;
}

/** Losses that come together spread their count: by this much more variance than single ones. */
function burstFactor({ loss }: Link): number {
  if (loss?.kind === 'random' && loss.correlationPercent)
    return (100 + loss.correlationPercent) / (100.001 - loss.correlationPercent);
  if (loss?.kind !== 'bursts') return 1;
  const memory = 1 - (loss.enterPercent + loss.leavePercent) / 100;
  return memory <= 0 ? 1 : (1 + memory) / (1.00001 - memory);
}

function duplicateDifference({ duplicatePercent = 0, duplicateCorrelationPercent }: Link, measured: LinkMeasure) {
  const { sent, duplicatePercent: found } = measured;
  const off = Math.abs(found - duplicatePercent);
  if (duplicateCorrelationPercent || off <= tolerance(duplicatePercent, sent, 1)) return undefined;
  return `${figure(found)} % are duplicates, ${figure(duplicatePercent)} % were set`;
}

function rateDifference({ rateBps }: Link, { rateBps: found }: LinkMeasure): string | undefined {
  if (rateBps === undefined || found === undefined || Math.abs(found - rateBps) <= rateTolerance * rateBps)
    return undefined;
  return `the rate is ${figure(found / 1000)} kbit/s, ${figure(rateBps / 1000)} kbit/s were set`;
}

/** In points: what was agreed, or four standard deviations of the count where it is too small for that. */
function tolerance(percent: number, count: number, factor: number): number {
  const share = Math.max(percent, 0.01) / 100;
  const sigma = 100 * Math.sqrt((share * (1 - share) * factor) / Math.max(1, count));
  return Math.max(lossTolerancePoints, sigmas * sigma);
}

function figure(value: number): string {
  return String(Number(value.toFixed(value >= 100 ? 0 : 2)));
}
