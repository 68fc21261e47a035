import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { serverErrors } from '../../analysis/judge/server-errors.js';
import type { ServerEvent } from '../../model/server-event.js';
import type { ProbeRecord, TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aManifest, aRecord } from '../../tests/stored-run.js';
import { recordedRun } from '../../tests/stored-runs.js';
import { eventOfToday, manifestOfToday, readingOfToday, recordOfToday, resetOfToday } from './earlier-runs.js';
import { readRun } from './read-run.js';

/** As runs of 0.1 on a Kurento 7.3 and on the embedded server were stored, beside what they mean. */
const stored: readonly (readonly [name: string, detail: string, ServerEvent])[] = [
  ['lost', 'closed with 1006', { kind: 'lost', atMs: 1, detail: 'closed with 1006' }],
  ['reconnected', 'it goes on', { kind: 'reconnected', atMs: 1, detail: 'it goes on' }],
  ['session-lost', 'it knows none', { kind: 'sessions-lost', atMs: 1, detail: 'it knows none' }],
  ['orphans-released', '2 pipelines of an earlier run', { kind: 'orphans-released', atMs: 1, sessions: 2 }],
  ['foreign-pipelines', '3 pipelines of others are on', { kind: 'foreign-sessions', atMs: 1, sessions: 3 }],
  [
    'ConnectionStateChanged',
    '1a: CONNECTED after DISCONNECTED',
    { kind: 'connection', atMs: 1, leg: '1a', state: 'connected', was: 'disconnected' },
  ],
  [
    'MediaFlowOutStateChanged',
    '1b: AUDIO FLOWING',
    { kind: 'flow', atMs: 1, leg: '1b', from: 'participant', media: 'audio', flows: true },
  ],
  [
    'MediaFlowInStateChanged',
    '3a:from-3b: VIDEO NOT_FLOWING',
    { kind: 'flow', atMs: 1, leg: '3a:from-3b', from: 'server', media: 'video', flows: false },
  ],
  [
    'MediaTranscodingStateChanged',
    '1a: VIDEO TRANSCODING',
    { kind: 'transcoding', atMs: 1, leg: '1a', media: 'video', begun: true },
  ],
  [
    'MediaTranscodingStateChanged',
    '1b: AUDIO NOT_TRANSCODING',
    { kind: 'transcoding', atMs: 1, leg: '1b', media: 'audio', begun: false },
  ],
  [
    'Error',
    'session 2: MIXER_DIED (1): The mixer of this room ended: ',
    { kind: 'failed', atMs: 1, of: 'session', session: '2', detail: 'MIXER_DIED (1): The mixer of this room ended: ' },
  ],
  [
    'Error',
    '1a: recording of 1a: RESOURCE_ERROR_OPEN (6): Could not open',
    {
      kind: 'failed',
      atMs: 1,
      of: 'recording',
      leg: '1a',
      participant: '1a',
      detail: 'RESOURCE_ERROR_OPEN (6): Could not open',
    },
  ],
  [
    'Error',
    '4b: UNEXPECTED (4): no port',
    { kind: 'failed', atMs: 1, of: 'leg', leg: '4b', detail: 'UNEXPECTED (4): no port' },
  ],
  ['reset', '0 pipelines after 333 ms', { kind: 'other', atMs: 1, name: 'reset', detail: '0 pipelines after 333 ms' }],
];

for (const [name, detail, event] of stored) {
  test(`${name} "${detail}" of an earlier version is read as what it meant`, () => {
    expect(eventOfToday({ type: 'server', atMs: 1, name, detail })).toEqual({ type: 'server', ...event });
  });
}

test('an error is told in the words in which an earlier version told it, so that its verdict is the same', () => {
  const errors = stored.filter(([name]) => name === 'Error');
  const events = errors.map(([name, detail]) => eventOfToday({ type: 'server', atMs: 1, name, detail }));
  expect(serverErrors(events).map(({ text }) => text)).toEqual(
    errors.map(([, detail]) => `The media server reported an error: ${detail.trim().replace(/[:.]+$/, '')}.`).sort(),
  );
});

test('a reset that counted pipelines was proven by a list, or by a restart', () => {
  const earlier = { tookMs: 5, pipelines: 2, orphansReleased: 1, rssMb: 28, idleCores: 0 };
  expect(resetOfToday(earlier)).toEqual({
    how: 'listed',
    tookMs: 5,
    released: 1,
    foreign: 2,
    rssMb: 28,
    idleCores: 0,
  });
  expect(resetOfToday({ ...earlier, restartMs: 90 })).toMatchObject({ how: 'restarted', restartMs: 90 });
});

test('a reading that counted pipelines counted sessions', () => {
  expect(readingOfToday({ atMs: 1, cpuCores: 0.1, ...{ pipelines: 4 } })).toEqual({
    atMs: 1,
    cpuCores: 0.1,
    sessions: 4,
  });
});

test('what today wrote passes through untouched, and a stored run of before is read whole', async () => {
  const { records } = await readRun(recordedRun);
  const lines = (await readFile(join(recordedRun, 'trials.jsonl'), 'utf8')).trim().split('\n');
  for (const [index, record] of records.entries()) {
    expect(record.reset).toMatchObject({ how: 'listed', released: 0, foreign: 0 });
    const unknown = record.events.flatMap((event) =>
      event.type === 'server' && event.kind === 'other' ? event.name : [],
    );
    expect(unknown).toEqual(['reset']);
    const { verdict } = JSON.parse(lines[index] ?? '') as TrialRecord;
    const withoutIds = record.verdict.thresholds.map(({ id: _, ...rest }) => rest);
    expect({ ...record.verdict, thresholds: withoutIds }).toEqual(verdict);
    expect(recordOfToday(record)).toBe(record);
  }
});

test('who was stored in the role of a presenter, before presenting was said apart, presents; nobody else does', () => {
  const of = (role: string): ProbeRecord => aProbe(role).inRole(role).record();
  const { probes } = recordOfToday(aRecord(1, { probes: [of('presenter'), of('viewer')] }));
  expect(probes.map(({ participant }) => participant.presents)).toEqual([true, undefined]);
});

test('who played and what a size counted, which absent fields said in format 1, are read into what says so', () => {
  const { players: _, load: __, ...usual } = aManifest().plan;
  const read = (more: object) => {
    const { plan, format } = manifestOfToday({ ...aManifest(), format: 1, plan: { ...usual, ...more } } as never);
    return [format, plan.players, plan.load];
  };
  const bySessions = { by: 'sessions' };
  const arrivals = { process: 'constant', holdMs: 5000, stay: 'constant', perMs: 1000, seed: 3 };
  expect(read({})).toEqual([2, { kind: 'full' }, bySessions]);
  expect(read({ encoded: { fullShare: 0.1 } })).toEqual([2, { kind: 'encoded', fullShare: 0.1 }, bySessions]);
  expect(read({ native: { sentinels: '5%' } })).toEqual([2, { kind: 'native', sentinels: '5%' }, bySessions]);
  expect(read({ visit: { join: '/w/join.mjs' } })).toEqual([2, { kind: 'visiting', join: '/w/join.mjs' }, bySessions]);
  expect(read({ signallingOnly: true, arrivals })).toEqual([
    2,
    { kind: 'signalling', sentinels: 0, legs: 'all' },
    { by: 'arrivals', ...arrivals },
  ]);
  expect(read({ signallingOnly: true, sentinels: 3, legs: 'sending', arrivals })[1]).toEqual({
    kind: 'signalling',
    sentinels: 3,
    legs: 'sending',
  });
});
