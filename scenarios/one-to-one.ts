import type { Leg, MediaKind, Scenario, Session } from '../model/scenario.js';

const audioAndVideo: readonly MediaKind[] = ['audio', 'video'];

const leg = (self: string, other: string): Leg => ({
  id: self,
  sends: audioAndVideo,
  receives: audioAndVideo,
  from: { participant: other },
});

/** Two participants per call; each sends, and must receive, audio and video. Recorded: two files per call. */
export const oneToOne: Scenario = {
  name: 'one-to-one',
  unit: { one: 'call', many: 'calls' },
  summary: '1:1 calls: two participants, each sends and receives audio and video',
  baselineSize: 1,
  recorded: true,
  sessions: calls,
  coming: { unit: { one: 'call', many: 'calls' }, who: 'sessions', sessions: calls },
};

function calls(count: number): readonly Session[] {
  return Array.from({ length: count }, (_, index) => {
    const id = String(index + 1);
    const [caller, callee] = [`${id}a`, `${id}b`];
    return {
      id,
      shape: 'forward',
      participants: [
        { id: caller, session: id, role: 'caller', legs: [leg(caller, callee)] },
        { id: callee, session: id, role: 'callee', legs: [leg(callee, caller)] },
      ],
    };
  });
}
