import { audioPacketsPerSecond } from '../../model/codec.js';
import type { FinishedRun } from '../../model/finished-run.js';
import { hasBrowser } from '../../model/probe-kinds.js';
import type { TrialRecord } from '../../model/trial.js';
import { numberNear, plural } from '../wording/wording.js';
import { lipsSentences } from './lips-sentences.js';

/** libwebrtc takes a larger jump of sequence numbers as a sender that begins anew, and counts no loss in it. */
const uncountedPackets = 50;
const uncountedMs = (1000 * uncountedPackets) / audioPacketsPerSecond;

export const soundSentences = (run: FinishedRun): string[] => [...uncountedSentences(run), ...lipsSentences(run)];

/** Sounds that stood still for longer than browsers count as loss, and whose loss does not say so. */
function uncountedSentences({ records }: FinishedRun): string[] {
  const [worst, ...others] = records.flatMap(silenced).sort((a, b) => b.gapMs - a.gapMs);
  if (!worst) return [];
  const { index, probe, gapMs, lossPercent } = worst;
  return [
    `Warning: browsers count no loss where more than ${uncountedPackets} packets of sound in a row are missing, so that it may be told too low. ${plural(1 + others.length, 'received sound')} of judged trials had such a gap: the longest is of ${probe} in trial ${index}, ${numberNear(gapMs / 1000)} s, with a loss of ${numberNear(lossPercent)} %.`,
  ];
}

/** Of browsers: other probes count it. */
function silenced({ index, streams, probes, window, verdict }: TrialRecord) {
  if (verdict.kind === 'void' || !window) return [];
  const browsers = new Set(probes.filter(hasBrowser).map(({ participant }) => participant.id));
  const windowMs = window.endMs - window.startMs;
  return streams.flatMap(({ probe, direction, kind, values: { longestGapMs: gapMs = 0, lossPercent } }) => {
    if (direction !== 'receive' || kind !== 'audio' || !browsers.has(probe) || gapMs <= uncountedMs) return [];
    const isTold = lossPercent === undefined || lossPercent >= (100 * gapMs) / windowMs;
    return isTold ? [] : { index, probe, gapMs, lossPercent };
  });
}
