import type { Rule } from './asked-together.js';
import { judgedBySentinels } from './players.js';

/** What probes without a browser do not play: the first that refuses is told. */
export const withoutBrowserRules: readonly Rule[] = [
  ({ players, codec }) =>
    judgedBySentinels(players) && codec !== 'VP8' && codec !== 'H264'
      ? {
          text: `--media ${players.kind} does not play ${codec}.`,
          where: ['--media', '--codec'],
          why: `a ${players.kind} probe puts frames together by the packets of VP8 and H264, and clips are made of those alone`,
          todo: 'give --codec VP8 or H264',
        }
      : undefined,
];
