import type { AggregateName } from '../../model/aggregate.js';
import type { UnstableCode } from '../../model/verdict.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import type { StreamRule } from './stream-rules.js';

interface MarkRule extends Pick<StreamRule, 'code' | 'unit' | 'phrase'> {
  readonly aggregate: 'foreignPercent' | 'delayP95Ms' | 'delayRiseMs';
  readonly most: number;
}

const rules: readonly MarkRule[] = [
  {
    code: 'wrong-picture',
    aggregate: 'foreignPercent',
    unit: '%',
    // Three of the 300 frames of ten seconds, which is as long as an eye takes to see it.
    most: 1,
    phrase: ({ stream, seen }, value) =>
      `${streamPhrase(stream)} with the pictures of ${seen} in ${numberNear(value, 1)} % of its frames`,
  },
  {
    code: 'late-picture',
    aggregate: 'delayP95Ms',
    unit: 'ms',
    // ITU-T G.114: no plan should have more one way.
    most: 400,
    phrase: ({ stream }, value) => `${streamPhrase(stream)} ${numberNear(value, 400)} ms after it was taken, p95`,
  },
  {
    code: 'delay-growing',
    aggregate: 'delayRiseMs',
    unit: 'ms',
    // A quarter of that, in a window that is a small part of a call.
    most: 100,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} later and later, by ${numberNear(value, 100)} ms from the start of the window to its end`,
  },
];

/**
 * What the marks of senders show, whatever the plan says. A limit of the plan's own on the same value holds in its
 * place. Where no sender marks its frames there is no such row.
 */
export const markRules: readonly StreamRule[] = rules.map(({ aggregate, most, ...rule }) => ({
  ...rule,
  subject: { aggregate, kind: 'video', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  comparison: 'at-most',
  concerns: ({ kind, direction }) => kind === 'video' && direction === 'receive',
  mustBeMeasured: () => false,
  limit: () => most,
  value: ({ values }) => values[aggregate],
}));

/** The code of a rule on what marks alone say, the plan's own included. */
export const codeByMarks: Readonly<Partial<Record<AggregateName, UnstableCode>>> = {
  foreignPercent: 'wrong-picture',
  delayMs: 'late-picture',
  delayP95Ms: 'late-picture',
  delayMaxMs: 'late-picture',
  delayRiseMs: 'delay-growing',
};
