import { expect, test } from '@playwright/test';
import type { Leg } from '../../model/scenario.js';
import { AwayStreams } from './away-streams.js';
import { missingStreams } from './join-watch.js';
import type { StatsReport } from './stats-report.js';
import { streamSamples } from './stream-samples.js';

const sources = ['2b', '3b'].map((id) => ({ participant: id, kinds: ['video'] }) as const);
const leg: Leg = { id: '1a', sends: [], receives: ['video'], from: sources };
const streamOfMid = new Map([
  ['0', '2b'],
  ['1', '3b'],
]);
const report = (bytesReceived: number): StatsReport =>
  new Map(
    ['0', '1'].map((mid) => [
      mid,
      { id: mid, type: 'inbound-rtp', kind: 'video', mid, timestamp: 1, bytesReceived, framesDecoded: 9 },
    ]),
  );

test('a stream is away in each reading of which it was away in any part, that in which it came back included', () => {
  const away = new AwayStreams();
  const read = () => [...away.read()];
  expect(read()).toEqual([]);
  away.ended(['3b']);
  expect([[...away.now], read(), read()]).toEqual([['3b'], ['3b'], ['3b']]);
  away.cameBack(['3b']);
  expect([[...away.now], read(), read()]).toEqual([[], ['3b'], []]);
  away.ended(['3b']);
  away.cameBack(['3b']);
  expect(read(), 'gone and back between two readings').toEqual(['3b']);
});

test('of a stream that is away nothing is measured and nothing is missed, and the others are read as ever', () => {
  const facts = { ageMs: 9000, streamOfMid, away: new Set(['3b']) };
  expect(streamSamples(leg, report(100), report(350), facts)).toEqual([
    expect.objectContaining({ stream: '2b', metrics: expect.objectContaining({ bytesReceived: 250 }) }),
    { leg: '1a', direction: 'receive', kind: 'video', stream: '3b', metrics: {}, away: true },
  ]);
  expect(missingStreams(leg, new Map(), streamOfMid)).toEqual(['video from 2b', 'video from 3b']);
  expect(missingStreams(leg, new Map(), streamOfMid, new Set(['3b']))).toEqual(['video from 2b']);
});
