import { measures } from '../../model/measures.js';
import { leadMs } from '../measure/probe-fold.js';
import { isImpaired } from './link-path.js';
import { baselineOfStream, type StreamMeasure, type StreamRule, type StreamSubject } from './stream-rules.js';

/** The longest that RFC 3550, 6.2, leaves between two reports: half as long again as the 5 s that it takes at least. */
const longestApartMs = 7500;
/** It is read up to a second after it came. */
const readAfterMs = 1000;

/**
 * Whether the server's reports of a sent stream have ended, although streams like it had them in the baseline: then
 * what only reports say is unknown, and no sign of health. A server that reports nothing in the baseline either is left
 * alone, and so is a figure of which there was no fair chance: one report may be lost, and on a network that loses
 * packets several.
 */
export function haveReportsEnded(
  { subject: { aggregate } }: Pick<StreamRule, 'subject'>,
  { stream, readMs = 0, unreportedMs }: StreamSubject,
  measure: StreamMeasure,
): boolean {
  if (unreportedMs === undefined || measures[aggregate].reported === undefined) return false;
  if (baselineOfStream(stream, measure)?.lossPercent === undefined) return false;
  if (isImpaired(stream, measure)) return unreportedMs >= leadMs;
  const isEmpty = unreportedMs >= readMs;
  return unreportedMs >= (isEmpty ? longestApartMs + readAfterMs : 2 * longestApartMs + readAfterMs);
}
