import type { UnstableCode } from '../../model/verdict.js';
import { numberNear, streamPhrase } from '../wording/wording.js';
import { isImpaired } from './link-path.js';
import type { BuiltInRule } from './named-limit.js';

interface DataRule extends Pick<BuiltInRule, 'words' | 'unit' | 'phrase'> {
  readonly aggregate: 'lossPercent' | 'delayP95Ms';
  readonly code: UnstableCode;
  readonly most: number;
}

const rules: readonly DataRule[] = [
  {
    aggregate: 'lossPercent',
    words: { what: 'messages lost' },
    code: 'data-loss',
    unit: '%',
    // The channel is reliable (RFC 8831, 6.1): what does not come was lost by the server.
    most: 0,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} without ${numberNear(value, 0)} % of the messages, which were not there 2 s after they were due`,
  },
  {
    aggregate: 'delayP95Ms',
    words: { what: 'delay of messages', statistic: 'p95 of seconds' },
    code: 'late-data',
    unit: 'ms',
    // As of pictures and sound: ITU-T G.114, one way.
    most: 400,
    phrase: ({ stream }, value) =>
      `${streamPhrase(stream)} ${numberNear(value, 400)} ms after it was sent, p95 of the seconds' means`,
  },
];

/**
 * Limits of received messages. The plan's own limit on the same value holds in the place of one. On an impaired link
 * the channel waits for what it sends again, and no model says for how long: there both are told, and not judged.
 */
export const dataRules: readonly BuiltInRule[] = rules.map(({ aggregate, most, ...rule }) => ({
  ...rule,
  subject: { aggregate, kind: 'data', direction: 'receive', ofBaseline: false, comparison: 'at-most' },
  comparison: 'at-most',
  concerns: (stream, measure) =>
    stream.kind === 'data' && stream.direction === 'receive' && !isImpaired(stream, measure),
  // Times of another host's clock are not compared.
  mustBeMeasured: () => aggregate === 'lossPercent',
  limit: () => most,
  value: ({ values }) => values[aggregate],
}));
