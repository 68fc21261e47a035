import { randomBytes } from 'node:crypto';
import { LoadlineError } from '../model/errors.js';
import { type Leg, type Participant, sourcesOf } from '../model/scenario.js';

/** Of which participant the one stream of a connection is: its own, or that of whom it receives. */
export function streamOwner(leg: Leg, { id }: Participant): string {
  if (leg.sends.length > 0) return id;
  const [source, ...others] = sourcesOf(leg);
  if (source !== undefined && 'participant' in source && others.length === 0) return source.participant;
  throw new LoadlineError('E_SERVER_REFUSED', `Leg ${leg.id} does not receive from one participant.`, {
    where: leg.id,
    why: 'a connection gives one stream',
  });
}

/** Streams of a run have names that no other run has, and each session's are new ones. */
export function streamNames(): (session: number, participant: string) => string {
  const run = randomBytes(4).toString('hex');
  return (session, participant) => `loadline-${run}-${session}-${participant.replace(/[^\w-]/g, '-')}`;
}
