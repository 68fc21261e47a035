import type { FinishedRun } from '../../model/finished-run.js';
import { type HeldVideo, heldVideos, type RateHolder } from '../measure/video-hold.js';
import { median } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';

const words: Readonly<Record<RateHolder, string>> = {
  remb: 'by a rate that the server told (REMB)',
  'transport-cc': 'by the sender’s own estimate (transport-cc)',
  'remb-or-transport-cc':
    'by a rate that the server told (REMB) or the sender’s own estimate (transport-cc): getStats has one figure for both',
  description: 'by what the server’s description allows (b=)',
  loss: 'by what the sender makes of loss alone: the server agreed to neither REMB nor transport-cc',
  cap: 'by --video-kbps',
  nothing: 'by nothing: less was sent than all of these allow',
  unknown: 'by what is not known: getStats had no estimate',
};

/** How the rate of sent video was held in judged trials; nothing for runs that did not write it down. */
export function rateSentences({ manifest, records }: FinishedRun): string[] {
  const { videoKbps } = manifest.plan.media;
  const held = records
    .filter(({ verdict, window }) => verdict.kind !== 'void' && window)
    .flatMap((record) => heldVideos(record, videoKbps));
  if (held.length === 0) return [];
  const holders = [...new Set(held.map(({ holder }) => holder))];
  const parts = holders
    .map((holder) => ({ holder, own: held.filter((one) => one.holder === holder) }))
    .sort((a, b) => b.own.length - a.own.length)
    .map(({ holder, own }) => `${own.length} of ${held.length} ${words[holder]}, at ${medianText(own)}`);
  return [`Sent video had a ceiling of ${videoKbps} kbit/s (--video-kbps). It was held: ${parts.join('; ')}.`];
}

const medianText = (held: readonly HeldVideo[]): string =>
  `${numberNear(median(held.map(({ kbps }) => kbps)) ?? 0)} kbit/s in the median`;
