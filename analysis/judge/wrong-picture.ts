import { numberNear, streamPhrase } from '../wording/wording.js';
import type { StreamRule } from './stream-rules.js';

/** Share of the marked frames, percent: three of the 300 of ten seconds, which is as long as an eye takes to see it. */
const mostPercent = 1;

/** Pictures of another sender than the one whose stream it is. Where no sender marks its frames there is no such row. */
export const wrongPictureRule: StreamRule = {
  code: 'wrong-picture',
  subject: {
    aggregate: 'foreignPercent',
    kind: 'video',
    direction: 'receive',
    ofBaseline: false,
    comparison: 'at-most',
  },
  unit: '%',
  comparison: 'at-most',
  concerns: ({ kind, direction }) => kind === 'video' && direction === 'receive',
  mustBeMeasured: () => false,
  limit: () => mostPercent,
  value: ({ values }) => values.foreignPercent,
  phrase: ({ stream, seen }, value) =>
    `${streamPhrase(stream)} with the pictures of ${seen} in ${numberNear(value, mostPercent)} % of its frames`,
};
