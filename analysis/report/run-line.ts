import type { FinishedRun } from '../../model/finished-run.js';
import { durationText } from '../wording/quantity.js';
import { plural } from '../wording/wording.js';
import { headline } from './headline.js';

/** A run in one line, for logs and chats: the answer, what it took, and where it is stored. Without a newline. */
export function runLine(run: FinishedRun): string {
  const [first] = run.records;
  const last = run.records.at(-1);
  const tookMs = first && last ? last.endedAtMs - first.startedAtMs : 0;
  const took = `${plural(run.records.length, 'trial')} in ${durationText(tookMs)}`;
  return `${headline(run)} (${took}; ${run.runDirectory})`.replace(/\s+/g, ' ');
}
