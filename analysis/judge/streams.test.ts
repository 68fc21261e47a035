import { expect, test } from '@playwright/test';
import { atOnce } from '../../model/in-steps.js';
import { thresholdsSchema } from '../../model/plan.js';
import { aTrial, calls } from '../../tests/builders/trial-builder.js';
import { measuredOf } from './judge-input.js';
import { judgingStreams } from './streams.js';
import { withExpressions } from './thresholds/apply.js';
import { readExpression } from './thresholds/expression.js';

test('a mix of which nobody can tell who is in it is no pass beside one of which it is known', () => {
  const read = readExpression('received.video.missing.share <= 50%');
  if (!read.ok) throw new Error(read.pointer);
  const thresholds = withExpressions(thresholdsSchema.parse({}), [read.expression]);
  const input = { ...aTrial(calls(3).map((probe) => probe.hearsTheMix())), thresholds };
  const measured = measuredOf(input);
  const streams = (measured?.streams ?? []).map((stream) => {
    const { participant, direction, kind } = stream.expected;
    if (direction !== 'receive' || kind !== 'video') return stream;
    if (participant.id === '1a') return { ...stream, unread: true as const };
    if (participant.id !== '2a') return stream;
    const { summary } = stream;
    return { ...stream, summary: { ...summary, values: { ...summary.values, missingPercent: 0 } } };
  });
  const { unmeasured } = atOnce(judgingStreams(input, measured && { ...measured, streams }));
  expect(unmeasured.map(({ code, probe }) => `${code} ${probe}`)).toEqual(['samples-missing 1a']);
});
