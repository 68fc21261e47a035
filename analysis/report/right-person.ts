import type { MediaKind } from '../../model/scenario.js';
import type { TrialRecord } from '../../model/trial.js';
import { streamsOf } from '../measure/trials-at.js';
import { highest } from '../statistics/statistics.js';
import { numberNear } from '../wording/wording.js';

const verbs = { video: 'saw', audio: 'heard' } as const;

/** Whether everybody saw and heard whom they should, by the marks of senders; undefined where none were read. */
export function rightPersonText(trials: readonly TrialRecord[]): string | undefined {
  const read = (['video', 'audio'] as const).flatMap((kind) => {
    const { all, foreign } = foreignIn(trials, kind);
    return foreign.length === 0 ? [] : [{ kind, all, foreign }];
  });
  const most = highest(read.flatMap(({ foreign }) => foreign));
  if (most === undefined) return undefined;
  if (most > 0) return `Somebody had the pictures or the sound of another sender, up to ${numberNear(most)} %.`;
  const unread = read.some(({ all, foreign }) => foreign.length < all);
  const who = unread ? 'Whoever received marks' : 'Everybody';
  return `${who} ${read.map(({ kind }) => verbs[kind]).join(' and ')} the right person.`;
}

/** How many streams of a kind were received, and of those with marks the share of another sender. */
function foreignIn(trials: readonly TrialRecord[], kind: MediaKind) {
  const streams = streamsOf(trials, { kind, direction: 'receive' });
  return { all: streams.length, foreign: streams.flatMap(({ values }) => values.foreignPercent ?? []) };
}
