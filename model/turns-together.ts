import { type Rule, refused } from './asked-together.js';
import { participantsOf } from './scenario.js';
import { turnTimes } from './turns.js';

/** Scenarios in which participants speak in turns, and how long one of them waits. */
export const turnRules: readonly Rule[] = [
  refused(
    (asked) => asked.players.kind !== 'native' && inTurns(asked),
    ({ scenario: { name } }) => ({
      text: `${name} is for --media native.`,
      where: [name, '--media'],
      why: 'its probes speak in turns: browsers play their sound from a file, from one end to the other',
      todo: { give: { '--media': 'native' } },
    }),
  ),
  refused(
    (asked) => asked.given.has('answer-after') && !inTurns(asked),
    ({ scenario: { name } }) => ({
      text: `--answer-after is not for ${name}.`,
      where: ['--answer-after', name],
      why: 'nobody there waits for a question',
      todo: [{ leave: ['--answer-after'] }, { measure: 'agent-room', give: { '--media': 'native' } }],
    }),
  ),
  ...(['muted', 'speech'] as const).map((flag) =>
    refused(
      (asked) => asked.given.has(flag) && inTurns(asked),
      ({ scenario: { name } }) => ({
        text: `--${flag} is not for ${name}.`,
        where: [`--${flag}`, name],
        why: 'its participants speak in turns, and who is silent neither asks nor answers',
        todo: { leave: [`--${flag}`] },
      }),
    ),
  ),
];

const inTurns = ({ scenario: { sessions, baselineSize } }: Parameters<Rule>[0]): boolean =>
  participantsOf(sessions(baselineSize)).some(({ turns }) => turns !== undefined);

/** An agent of ours may wait so long, and is heard in time still. */
export const pauseMostMs = turnTimes.waitMs - 1000;
