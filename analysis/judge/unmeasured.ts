import type { ThresholdId } from '../../model/threshold-id.js';
import type { Reason } from '../../model/verdict.js';
import { refOf, streamPhrase } from '../wording/wording.js';
import type { StreamSubject } from './stream-rules.js';
import { labelOf } from './threshold-label.js';

/** What is said of a stream of which something that must be known could not be measured. */
export function unmeasured(
  { stream, unreportedMs = 0 }: StreamSubject,
  threshold: ThresholdId,
  haveReportsEnded = false,
): Reason {
  const { id, session } = stream.participant;
  const seconds = Math.round(unreportedMs / 1000);
  const why = haveReportsEnded
    ? `: the server reported nothing of it in the last ${seconds} s, although it does in the baseline`
    : '';
  return {
    code: 'samples-missing',
    probe: id,
    session,
    stream: refOf(stream),
    text: `"${labelOf(threshold)}" could not be measured for the stream that ${id} ${streamPhrase(stream)}${why}.`,
  };
}
