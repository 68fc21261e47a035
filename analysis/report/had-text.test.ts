import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { Network } from '../../model/network.js';
import type { StreamSummary, TrialRecord } from '../../model/trial.js';
import { runStory } from '../../tests/builders/run-stories.js';
import { hadText } from './had-text.js';
import { shortSummary } from './short-text.js';

const clean: Network = { name: 'clean', sharePercent: 50, up: {}, down: {}, steps: [] };
const slow = { delayMs: 175 } as const;
const poor: Network = { name: 'poor-3g', sharePercent: 50, up: slow, down: slow, steps: [] };

/** A run whose first of each call is on the poor network, with other values of received streams. */
function runWith(
  change: (stream: StreamSummary) => StreamSummary,
  networks = [clean, poor],
  of: 'found' | 'reachedMax' = 'found',
): FinishedRun {
  const { manifest, records, ...run } = runStory(of);
  const changed = records.map(
    (record): TrialRecord => ({
      ...record,
      probes: record.probes.map((probe) => {
        const { participant } = probe;
        const network = participant.id.endsWith('a') ? 'poor-3g' : 'clean';
        return { ...probe, participant: { ...participant, network } };
      }),
      streams: record.streams.map(change),
    }),
  );
  const plan = { ...manifest.plan, networks };
  return { ...run, manifest: { ...manifest, plan }, records: changed };
}

test('the short answer says what people had on an impaired network, and of a clean one nothing', () => {
  const run = runWith((stream) => ({
    ...stream,
    values: stream.probe.endsWith('a')
      ? { ...stream.values, mos: stream.probe === '1a' ? 2.9 : 3.4, frozenPercent: 4 }
      : { ...stream.values, mos: 4.3, frozenPercent: 0 },
  }));
  expect(hadText(run)).toBe('On poor-3g: MOS 2.9 to 3.4, pictures frozen 4 % of the time.');
  expect(shortSummary(run)).toContain('  Had      On poor-3g: MOS 2.9 to 3.4');
});

test('the delay of messages is in the short answer where some were sent', () => {
  const run = runWith((stream) =>
    stream.kind === 'audio' && stream.direction === 'receive'
      ? { ...stream, kind: 'data', values: { delayP95Ms: 12, lossPercent: 0 } }
      : { ...stream, values: {} },
  );
  expect(hadText(run)).toBe('Messages: delay p95 12 ms, lost 0 %.');
});

test('delays between hosts are told with what their clocks leave open', () => {
  const text = (kind: 'audio' | 'data') =>
    hadText(
      runWith(
        ({ values: _, ...stream }) =>
          stream.kind === 'audio' && stream.direction === 'receive'
            ? { ...stream, kind, values: { delayP95Ms: 12, delayBoundMs: stream.probe === '1a' ? 3 : 2 } }
            : { ...stream, values: {} },
        [],
        'reachedMax',
      ),
    );
  expect(text('audio')).toContain('Sound: delay p95 12 ms. Between hosts these are ± 3 ms.');
  expect(text('data')).toBe('Messages: delay p95 12 ms, between hosts ± 3 ms.');
});

test('where marks were read, the short answer says how late pictures and sound came, and whose they were', () => {
  const marked = (foreignPercent: number, of: 'found' | 'reachedMax' = 'reachedMax') => {
    const marks = ({ values: _, ...stream }: StreamSummary) => {
      if (stream.direction !== 'receive') return { ...stream, values: {} };
      return { ...stream, values: { delayP95Ms: stream.kind === 'video' ? 15 : 5, foreignPercent } };
    };
    return runWith(marks, [clean], of);
  };
  const had = hadText(marked(0));
  expect(had).toBe('Pictures: delay p95 15 ms. Sound: delay p95 5 ms. Everybody saw and heard the right person.');
  expect(hadText(marked(3))).toContain('of another sender, up to 3 %.');
  // What failed has the room.
  expect(hadText(marked(0, 'found'))).toBe('');
});

test('drawn marks tell when a picture was shown, and nothing of sound', () => {
  const drawn = (probes: RegExp): FinishedRun => {
    const { manifest, ...run } = runWith(({ values: _, ...stream }) => {
      const isRead = stream.direction === 'receive' && stream.kind === 'video' && probes.test(stream.probe);
      return { ...stream, values: isRead ? { shownP95Ms: 280, foreignPercent: 0 } : {} };
    });
    const media = { ...manifest.plan.media, drawnMarks: true } as const;
    return { ...run, manifest: { ...manifest, plan: { ...manifest.plan, media } } };
  };
  expect(hadText(drawn(/./))).toBe(
    'Pictures were shown 280 ms after they were taken (p95). Everybody saw the right person.',
  );
  expect(hadText(drawn(/a$/))).toContain('Whoever received marks saw the right person.');
});

test('without networks and messages nothing is added', () => {
  expect(hadText(runStory('found'))).toBe('');
  expect(shortSummary(runStory('found'))).not.toContain('  Had ');
});
