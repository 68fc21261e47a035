import { isMix } from '../../model/expected-streams.js';
import { groupedBy } from '../../model/grouped.js';
import type { Participant } from '../../model/scenario.js';
import { senderOf } from '../../model/sender-mark.js';
import type { MixLooks } from './mark-fold.js';
import type { MeasuredStream } from './measured-stream.js';

/** Who is in a mix is told of so many looks or more, and where in some mix of the trial somebody is seen in most. */
const leastLooks = 10;
const leastShare = 0.75;
/** Nobody is taken for a stranger who was seen less often. */
const strangerLooks = 3;
/** Whoever was there for a smaller part of the window may be missing for a part of it. */
const thereShare = 0.9;

/**
 * Who is in each mixed picture that should be, and who is not of its session. It is known of those alone who drew marks
 * into what they sent, all the time, and where this mixer leaves marks readable.
 */
export function withMembers(
  streams: readonly MeasuredStream[],
  participants: readonly Participant[],
  windowMs: number,
): readonly MeasuredStream[] {
  const isLooked = ({ looks, expected, summary: { values } }: MeasuredStream) =>
    isMix(expected) && (looks !== undefined || values.blankPercent !== undefined);
  if (!streams.some(isLooked)) return streams;
  const drawing = streams.filter(
    ({ readMs, summary: { values } }) => (values.drawnFps ?? 0) > 0 && readMs >= thereShare * windowMs,
  );
  const drew = groupedBy(drawing, ({ expected: { participant } }) => participant.session);
  const members = groupedBy(participants, ({ session }) => session);
  const isReadable = streams.some(
    ({ looks, expected: { participant } }) =>
      looks && looks.looks >= leastLooks && mostSeen(looks, members.get(participant.session) ?? []) >= leastShare,
  );
  return streams.map((stream) => {
    if (!isLooked(stream)) return stream;
    const { id, session } = stream.expected.participant;
    const ids = new Set((drew.get(session) ?? []).map(({ expected: { participant } }) => participant.id));
    ids.delete(id);
    const ofSession = (members.get(session) ?? []).map((member) => member.id);
    if (!stream.looks) return blankIfAny(stream, ids.size > 0);
    if (isReadable && stream.looks.looks >= leastLooks) return withThose(stream, stream.looks, ofSession, [...ids]);
    return ids.size > 0 ? { ...stream, unread: true } : stream;
  });
}

/** Of a mix of nobody's pictures it is no fault that it is black. */
function blankIfAny(stream: MeasuredStream, hasPictures: boolean): MeasuredStream {
  if (hasPictures) return { ...stream, unread: true };
  const { blankPercent: _, ...values } = stream.summary.values;
  return { ...stream, summary: { ...stream.summary, values } };
}

const shareOf = ({ looks, who }: MixLooks, id: string): number => (who.get(senderOf(id)) ?? 0) / looks;

const mostSeen = (looks: MixLooks, members: readonly Participant[]): number =>
  Math.max(0, ...members.map(({ id }) => shareOf(looks, id)));

function withThose(
  stream: MeasuredStream,
  seen: MixLooks,
  ofSession: readonly string[],
  others: readonly string[],
): MeasuredStream {
  const { looks, who } = seen;
  const missing = others.reduce<string | undefined>(
    (least, id) => (least === undefined || shareOf(seen, id) < shareOf(seen, least) ? id : least),
    undefined,
  );
  const known = new Set(ofSession.map(senderOf));
  const [stranger] = [...who]
    .filter(([sender, times]) => !known.has(sender) && times >= strangerLooks)
    .sort(([, one], [, other]) => other - one);
  const values = {
    ...stream.summary.values,
    foreignPercent: stranger ? (100 * stranger[1]) / looks : 0,
    ...(missing === undefined ? {} : { missingPercent: 100 * (1 - shareOf(seen, missing)) }),
  };
  return {
    ...stream,
    summary: { ...stream.summary, values },
    ...(stranger ? { foreignSender: stranger[0] } : {}),
    ...(missing === undefined ? {} : { missing }),
  };
}
