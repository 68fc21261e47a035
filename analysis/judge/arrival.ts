import type { AggregateName } from '../../model/aggregate.js';
import { isMix } from '../../model/expected-streams.js';
import type { Reason } from '../../model/verdict.js';
import { numberNear, refOf, streamPhrase } from '../wording/wording.js';
import type { JudgeInput } from './judge-input.js';
import type { StreamSubject } from './stream-rules.js';

/**
 * Mean level over a window, below which nobody is heard: 60 dB below the loudest. Probes never pause in their speech. A
 * real Kurento's mixes of it were at 0.33 to 0.42, and a mixer that hears nobody sends silence at its full rate.
 */
const silentLevel = 0.001;

/** What is told of every stream of a connection, whether it came or not. */
const ofItsLeg: ReadonlySet<string> = new Set([
  'legRttMs',
  'legRttP95Ms',
  'legRoundTripsDropped',
] satisfies AggregateName[]);

/**
 * Bytes came (or left), of a received video at least one frame, and of a mixed sound at least somebody's voice. Unknown
 * is not "none": it is unmeasured.
 */
export function hasArrived({ stream, values }: StreamSubject): boolean {
  const { bitrateKbps, fps } = values;
  const known = Object.keys(values).some((name) => !ofItsLeg.has(name));
  if (!known || bitrateKbps === 0) return false;
  if (isSilentMix({ stream, values })) return false;
  return !(stream.direction === 'receive' && stream.kind === 'video' && fps === 0);
}

function isSilentMix({ stream, values: { audioLevel } }: StreamSubject): boolean {
  return stream.kind === 'audio' && isMix(stream) && audioLevel !== undefined && audioLevel < silentLevel;
}

/** What is said of a stream that did not arrive. */
export function noMedia({ stream, values, thereMs }: StreamSubject, { window }: JudgeInput): Reason {
  const { id, session, presents } = stream.participant;
  const seconds = Math.round((thereMs ?? (window ? window.endMs - window.startMs : 0)) / 1000);
  const empty = stream.kind === 'video' ? 'not one whole frame' : 'nobody’s voice in it';
  const what =
    (values.bitrateKbps ?? 0) > 0
      ? `${streamPhrase(stream)} at ${numberNear(values.bitrateKbps ?? 0)} kbit/s but ${empty}`
      : streamPhrase(stream).replace(/^(sent|received)/, '$1 no');
  return {
    code: presents === true && stream.direction === 'send' ? 'presenter-starved' : 'no-media',
    probe: id,
    session,
    stream: refOf(stream),
    text: `${id} ${what} in ${seconds} s.`,
  };
}
