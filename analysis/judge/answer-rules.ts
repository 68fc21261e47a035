import type { UnstableCode } from '../../model/verdict.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import type { BuiltInRule } from './named-limit.js';

type Answered = 'answerP95Ms' | 'unansweredPercent' | 'interruptedPercent';

interface AnswerRule extends Pick<BuiltInRule, 'words' | 'unit' | 'phrase'> {
  readonly aggregate: Answered;
  readonly code: UnstableCode;
  readonly most: number;
}

const percent = (value: number): string => `${numberNear(value, 5)} % of its questions`;

const rules: readonly AnswerRule[] = [
  {
    aggregate: 'answerP95Ms',
    words: { what: "answers' delay beside the agent's own pause", statistic: 'p95' },
    code: 'late-answer',
    unit: 'ms',
    // What ITU-T G.114 allows one way, on the way there and back.
    most: 800,
    phrase: ({ stream, values }, value) =>
      `${streamPhrase(stream)} with answers ${numberNear(values.answerP95Ms ?? 0)} ms after its questions, p95, ${numberNear(value, 800)} ms of it beside the agent's own pause`,
  },
  {
    aggregate: 'unansweredPercent',
    words: { what: 'questions without an answer' },
    code: 'unanswered',
    unit: '%',
    // One of twenty: chosen.
    most: 5,
    phrase: ({ stream }, value) => `${streamPhrase(stream)} with no answer to ${percent(value)}`,
  },
  {
    aggregate: 'interruptedPercent',
    words: { what: 'questions spoken into' },
    code: 'spoken-into',
    unit: '%',
    most: 5,
    phrase: ({ stream }, value) => `${streamPhrase(stream)} in the middle of ${percent(value)}`,
  },
];

/** For the asker's sound; a limit of the plan's own on the same value holds in its place. */
export const answerRules: readonly BuiltInRule[] = rules.map(({ aggregate, most, ...rule }) => ({
  ...rule,
  subject: { aggregate, kind: 'audio', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  comparison: 'at-most',
  concerns: ({ direction, participant }) => direction === 'receive' && participant.turns?.part === 'asks',
  // Where nobody was answered, there is no time.
  mustBeMeasured: () => aggregate !== 'answerP95Ms',
  limit: () => most,
  value: ({ stream, values }) => {
    const value = values[aggregate];
    const ownMs = aggregate === 'answerP95Ms' ? (stream.participant.turns?.pauseMs ?? 0) : 0;
    return value === undefined ? undefined : Math.max(0, value - ownMs);
  },
}));
