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
function runWith(change: (stream: StreamSummary) => StreamSummary): FinishedRun {
  const { manifest, records, ...run } = runStory('found');
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
  const plan = { ...manifest.plan, networks: [clean, poor] };
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

test('without networks and messages nothing is added', () => {
  expect(hadText(runStory('found'))).toBe('');
  expect(shortSummary(runStory('found'))).not.toContain('  Had ');
});
