import type { Media } from '../model/plan.js';
import { eachSession, type Participant, type Scenario } from '../model/scenario.js';
import { type Turns, usualPauseMs } from '../model/turns.js';
import { answeredCalls } from './voice-agent.js';

const asks = { part: 'asks', pauseMs: usualPauseMs } as const;

/** Calls to an agent that is not ours: whoever is there answers, on the connection on which it is asked. */
export const askAgent: Scenario = {
  name: 'ask-agent',
  unit: { one: 'call', many: 'calls' },
  summary: 'calls to an agent of others: each asks in turns, and the agent is to answer',
  baselineSize: 1,
  sessions: (size) => answeredCalls(size, { role: 'asker', turns: asks }),
};

/** Rooms of two voices: a person asks, and an agent of ours answers. What counts is how soon. */
export const agentRoom: Scenario = {
  name: 'agent-room',
  unit: { one: 'room', many: 'rooms' },
  summary: 'rooms of two voices: one asks, and a probe that plays an agent answers',
  baselineSize: 1,
  sessions: (size) =>
    Array.from({ length: size }, (_, index) => {
      const room = String(index + 1);
      const [asker, answerer] = [`${room}a`, `${room}b`];
      const voice = (id: string, from: string, role: string, part: Turns['part']): Participant => ({
        id,
        session: room,
        role,
        turns: { part, pauseMs: usualPauseMs },
        legs: [{ id, sends: ['audio'], receives: ['audio'], from: { participant: from } }],
      });
      const participants = [voice(asker, answerer, 'asker', 'asks'), voice(answerer, asker, 'answerer', 'answers')];
      return { id: room, shape: 'forward', participants };
    }),
};

/** The same where agents of ours pause as long as the plan says. Absent: as it is. */
export function withPause(scenario: Scenario, media: Media | undefined): Scenario {
  const pauseMs = media?.answerAfterMs;
  if (pauseMs === undefined) return scenario;
  const paused = eachSession(scenario, (session) => ({
    ...session,
    participants: session.participants.map((one) => (one.turns ? { ...one, turns: { ...one.turns, pauseMs } } : one)),
  }));
  return { ...paused, summary: `${scenario.summary} ${pauseMs} ms later` };
}
