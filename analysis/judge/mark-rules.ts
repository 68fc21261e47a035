import type { AggregateName } from '../../model/aggregate.js';
import type { MediaKind, StreamKind } from '../../model/scenario.js';
import type { UnstableCode } from '../../model/verdict.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import type { BuiltInRule, LimitWords } from './named-limit.js';

type Marked = 'foreignPercent' | 'delayP95Ms' | 'delayRiseMs' | 'shownP95Ms' | 'stillPercent' | 'blankPercent';

interface MarkRule extends Pick<BuiltInRule, 'unit' | 'phrase'> {
  readonly words: (of: string) => LimitWords;
  /** Absent: both. */
  readonly kind?: MediaKind;
  readonly aggregate: Marked;
  readonly most: number;
}

const rules: readonly MarkRule[] = [
  {
    aggregate: 'foreignPercent',
    words: (of) => ({ what: `${of} of another sender` }),
    unit: '%',
    // Three of the 300 frames of ten seconds, which is as long as an eye takes to see it.
    most: 1,
    phrase: ({ stream, seen }, value) =>
      stream.kind === 'video'
        ? `${streamPhrase(stream)} with the pictures of ${seen} in ${numberNear(value, 1)} % of its frames`
        : `${streamPhrase(stream)} with the sound of ${seen} in ${numberNear(value, 1)} % of its packets`,
  },
  {
    aggregate: 'delayP95Ms',
    words: (of) => ({ what: `delay of ${of}`, statistic: 'p95' }),
    unit: 'ms',
    // ITU-T G.114: no plan should have more one way.
    most: 400,
    phrase: ({ stream }, value) => `${streamPhrase(stream)} ${numberNear(value, 400)} ms after it was taken, p95`,
  },
  {
    aggregate: 'delayRiseMs',
    words: (of) => ({ what: `growth of the delay of ${of}` }),
    unit: 'ms',
    // A quarter of that, in a window that is a small part of a call.
    most: 100,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} later and later, by ${numberNear(value, 100)} ms from the start of the window to its end`,
  },
  {
    aggregate: 'shownP95Ms',
    words: () => ({ what: 'time until a picture is shown', statistic: 'p95' }),
    kind: 'video',
    unit: 'ms',
    // G.114's 400 ms, and what an encoder, a mixer and a jitter buffer may add. Chosen.
    most: 1000,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} that was shown ${numberNear(value, 1000)} ms after it was taken, p95`,
  },
  {
    aggregate: 'stillPercent',
    words: () => ({ what: 'the same picture again' }),
    kind: 'video',
    unit: '%',
    // Two looks of the twenty of ten seconds. Chosen.
    most: 10,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} that showed the same picture again in ${numberNear(value, 10)} % of the looks at it`,
  },
  {
    aggregate: 'blankPercent',
    words: () => ({ what: 'pictures of one colour' }),
    kind: 'video',
    unit: '%',
    most: 10,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} of one colour in ${numberNear(value, 10)} % of the looks at it`,
  },
];

const codes: Readonly<Partial<Record<AggregateName, Readonly<Partial<Record<StreamKind, UnstableCode>>>>>> = {
  foreignPercent: { video: 'wrong-picture', audio: 'wrong-sound' },
  delayMs: { video: 'late-picture', audio: 'late-sound' },
  delayP95Ms: { video: 'late-picture', audio: 'late-sound' },
  delayMaxMs: { video: 'late-picture', audio: 'late-sound' },
  delayRiseMs: { video: 'delay-growing', audio: 'delay-growing' },
  shownMs: { video: 'late-picture' },
  shownP95Ms: { video: 'late-picture' },
  stillPercent: { video: 'still-picture' },
  blankPercent: { video: 'blank-picture' },
  missingPercent: { video: 'missing-person' },
};

/** The code of a rule on what marks alone say, the plan's own included. */
export const codeByMarks = (aggregate: AggregateName, kind: StreamKind = 'video'): UnstableCode | undefined =>
  codes[aggregate]?.[kind];

/** What only those can notice who read marks. */
export const codesOfMarks: readonly UnstableCode[] = Object.values(codes).flatMap((of) => Object.values(of));

const nouns = { video: 'pictures', audio: 'sound' } as const;

/**
 * What the marks of senders show, whatever the plan says. A limit of the plan's own on the same value holds in its
 * place. Where no sender marks its media there is no such row.
 */
export const markRules: readonly BuiltInRule[] = (['video', 'audio'] as const).flatMap((kind) =>
  rules
    .filter((rule) => (rule.kind ?? kind) === kind)
    .map(({ aggregate, most, kind: _, words, ...rule }) => ({
      ...rule,
      words: words(nouns[kind]),
      code: codeByMarks(aggregate, kind) ?? 'threshold',
      subject: { aggregate, kind, direction: 'receive', ofBaseline: false, comparison: 'at-most' },
      comparison: 'at-most',
      concerns: (stream) => stream.kind === kind && stream.direction === 'receive',
      mustBeMeasured: () => false,
      limit: () => most,
      value: ({ values }) => values[aggregate],
    })),
);
