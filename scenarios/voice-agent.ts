import type { Participant, Scenario, Session } from '../model/scenario.js';

/** Calls to a voice agent: each sends its voice and receives the sound of the server over the same connection. */
export const voiceAgent: Scenario = {
  name: 'voice-agent',
  unit: { one: 'call', many: 'calls' },
  summary: 'calls to a voice agent: each sends its voice and receives what the server answers, on one connection',
  baselineSize: 1,
  sessions: (size) => answeredCalls(size, { role: 'caller' }),
  coming: {
    unit: { one: 'call', many: 'calls' },
    who: 'sessions',
    sessions: (count) => answeredCalls(count, { role: 'caller' }),
  },
};

/** Each of one who sends a voice, and receives the answer on the same connection. */
export function answeredCalls(count: number, caller: Pick<Participant, 'role' | 'turns'>): readonly Session[] {
  return Array.from({ length: count }, (_, index) => {
    const session = String(index + 1);
    const id = `${session}a`;
    const leg = { id, sends: ['audio'], receives: ['audio'] } as const;
    return { id: session, shape: 'answer', participants: [{ id, session, ...caller, legs: [leg] }] };
  });
}
