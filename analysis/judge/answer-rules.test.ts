import { expect, test } from '@playwright/test';
import type { Aggregates } from '../../model/aggregate.js';
import { expectedStreams } from '../../model/expected-streams.js';
import { mediaSchema, thresholdsSchema } from '../../model/plan.js';
import { participantsOf } from '../../model/scenario.js';
import { agentRoom } from '../../scenarios/agent-room.js';
import { rulesOf } from './own-rules.js';

const thresholds = thresholdsSchema.parse({});
const measure = { thresholds, baseline: null, media: mediaSchema.parse({}) };
const streams = expectedStreams(participantsOf(agentRoom.sessions(1)));
const [asked, answering] = streams.filter(({ direction }) => direction === 'receive');

/** What rules of turns say of the sound that this one receives, and which values must be there. */
function judged(stream: typeof asked, values: Aggregates) {
  if (!stream) throw new Error('nobody receives');
  const rules = rulesOf(thresholds).filter((rule) => rule.concerns(stream, measure));
  const broken = rules.flatMap((rule) => {
    const value = rule.value({ stream, values }, measure);
    const isBroken = value !== undefined && rule.comparison === 'at-most' && value > rule.limit(thresholds);
    return isBroken ? [{ code: rule.code, text: rule.phrase({ stream, values }, value, measure) }] : [];
  });
  const needed = rules.flatMap(({ subject, mustBeMeasured }) => (mustBeMeasured(stream) ? [subject.aggregate] : []));
  return { broken, needed };
}

test('what is later than the pause of the agent and the way there and back is a late answer', () => {
  const quick = { answerP95Ms: 1590, unansweredPercent: 0, interruptedPercent: 0 };
  expect(judged(asked, quick).broken).toEqual([]);
  expect(judged(asked, { ...quick, answerP95Ms: 1700 }).broken).toEqual([
    {
      code: 'late-answer',
      text: "received audio from 1b with answers 1700 ms after its questions, p95, 900 ms of it beside the agent's own pause",
    },
  ]);
});

test('an agent that is silent, or speaks into questions, is named', () => {
  const { broken } = judged(asked, { unansweredPercent: 100, interruptedPercent: 10 });
  expect(broken).toEqual([
    { code: 'unanswered', text: 'received audio from 1b with no answer to 100 % of its questions' },
    { code: 'spoken-into', text: 'received audio from 1b in the middle of 10 % of its questions' },
  ]);
});

test('without a word of its questions nothing can be said of who asks, and the agent asks none', () => {
  expect(judged(asked, {}).needed).toEqual(expect.arrayContaining(['unansweredPercent', 'interruptedPercent']));
  expect(judged(answering, {}).needed).not.toContain('unansweredPercent');
});

test('how much is sent is not judged where people speak in turns', () => {
  const ruled = (stream: typeof asked) =>
    rulesOf(thresholds).filter(
      (rule) => stream && rule.concerns(stream, { ...measure, baseline: { entries: [] } as never }),
    );
  expect(ruled(asked).map(({ subject }) => subject.aggregate)).not.toContain('bitrateKbps');
});
