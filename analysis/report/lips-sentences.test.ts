import { expect, test } from '@playwright/test';
import type { Aggregates } from '../../model/aggregate.js';
import { aRecord, aRun } from '../../tests/builders/run-builder.js';
import { calls } from '../../tests/builders/trial-builder.js';
import { times } from '../../tests/effort.js';
import { randomFrom } from '../../tests/random.js';
import { lipsSentences } from './lips-sentences.js';

/** What is told of a call in which 1a receives this sound and this picture. */
function told(sound: Aggregates, picture: Aggregates): string {
  const record = aRecord(calls(1), { index: 4, size: 1 });
  const streams = record.streams.map((stream) => {
    if (stream.direction !== 'receive' || stream.probe !== '1a') return stream;
    return { ...stream, values: stream.kind === 'audio' ? sound : picture };
  });
  return lipsSentences(aRun([{ ...record, streams }], { outcome: 'found', stable: 1 })).join(' ');
}

test('sound that marks find 400 ms later than its picture, and sender reports do not, is a warning', () => {
  const sound = { delayMs: 10, jitterBufferMs: 440 };
  const inStep = { delayMs: 10, jitterBufferMs: 40, playedApartP95Ms: 30 };
  expect(told(sound, inStep)).toMatch(/^Warning: .* 1a .* 400 ms apart in trial 4, .* 30 ms, .* 1 received picture /);
  expect(told({ ...sound, jitterBufferMs: 160 }, inStep)).toBe('');
  expect(told(sound, { ...inStep, playedApartP95Ms: 390 }), 'both say so').toBe('');
});

test('where one of both is not known nothing is told', () => {
  const all = { delayMs: 10, jitterBufferMs: 40, playedApartP95Ms: 30 };
  expect(told({ jitterBufferMs: 900 }, all)).toBe('');
  expect(told({ delayMs: 900 }, all)).toBe('');
  expect(told({ delayMs: 10, jitterBufferMs: 900 }, { delayMs: 10, jitterBufferMs: 40 })).toBe('');
});

test('whatever lags a player knows of, and evens out or not: nothing is told where reports are right', () => {
  const random = randomFrom(31);
  for (let nth = 0; nth < times(200, 5000); nth += 1) {
    const [lag, left, noise] = [500 * random(), 300 * random(), 40 * (random() - 0.5)];
    const sound = { delayMs: lag, jitterBufferMs: 40 };
    const picture = { delayMs: 5, jitterBufferMs: 35 + lag - left + noise, playedApartP95Ms: left + 20 };
    expect(told(sound, picture)).toBe('');
  }
});
