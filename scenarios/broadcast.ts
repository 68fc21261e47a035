import type { MediaKind, Participant, Scenario, Session } from '../model/scenario.js';

const audioAndVideo: readonly MediaKind[] = ['audio', 'video'];
const session = '1';
const presenterId = `${session}p`;

const presenter: Participant = {
  id: presenterId,
  session,
  role: 'presenter',
  presents: true,
  legs: [{ id: presenterId, sends: audioAndVideo, receives: [] }],
};

const viewer = (number: number): Participant => {
  const id = `${session}v${number}`;
  return {
    id,
    session,
    role: 'viewer',
    legs: [{ id, sends: [], receives: audioAndVideo, from: { participant: presenterId } }],
  };
};

/** One presenter and `size` viewers, who only receive. The presenter comes on top of the size. */
export const broadcast: Scenario = {
  name: 'broadcast',
  unit: { one: 'viewer', many: 'viewers', countsParticipants: true },
  summary: 'a broadcast: one presenter sends, viewers receive (the presenter is not counted)',
  baselineSize: 1,
  sessions: withViewers,
  coming: { unit: { one: 'viewer', many: 'viewers' }, who: 'members', sessions: withViewers },
};

function withViewers(count: number): readonly Session[] {
  const viewers = Array.from({ length: count }, (_, index) => viewer(index + 1));
  return [{ id: session, shape: 'forward', participants: [presenter, ...viewers] }];
}
