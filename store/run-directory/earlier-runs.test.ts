import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { judge } from '../../analysis/judge/judge.js';
import type { ServerEvent } from '../../model/server-event.js';
import { thresholdKey } from '../../model/threshold-id.js';
import type { ProbeRecord, TrialRecord } from '../../model/trial.js';
import { aProbe } from '../../tests/builders/probe-builder.js';
import { aTrial, calls } from '../../tests/builders/trial-builder.js';
import { aManifest, aRecord } from '../../tests/stored-run.js';
import { recordedRun } from '../../tests/stored-runs.js';
import { manifestOfToday, readingOfToday, recordOfToday } from './earlier-runs.js';
import { readRun } from './read-run.js';

/** As early runs on a Kurento 7.3 and on the embedded server were stored, beside what they mean. */
const stored: readonly (readonly [name: string, detail: string, ServerEvent])[] = [
  ['lost', 'closed with 1006', { kind: 'lost', atMs: 1, detail: 'closed with 1006' }],
  [
    'ConnectionStateChanged',
    '1A: CONNECTED after DISCONNECTED',
    { kind: 'connection', atMs: 1, leg: '1A', state: 'connected', was: 'disconnected' },
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
  ['reset', '0 pipelines after 333 ms', { kind: 'other', atMs: 1, name: 'reset', detail: '0 pipelines after 333 ms' }],
];
const withEvent = (name: string, detail: string) =>
  aRecord(1, { events: [{ type: 'server', atMs: 1, name, detail }] as never });

for (const [name, detail, event] of stored) {
  test(`${name} "${detail}" of an early run is read as what it meant`, () => {
    expect(recordOfToday(withEvent(name, detail)).events).toEqual([{ type: 'server', ...event }]);
  });
}

test('what no kept run has is one clear error: an event, and a threshold without identity', () => {
  const { verdict } = aRecord(1);
  const thresholds = [{ code: 'threshold', label: 'gloss, mean', worst: 1 }] as never;
  for (const record of [
    withEvent('Error', '1a: no port'),
    withEvent('MediaFlowInStateChanged', '1a: TEXT FLOWING'),
    aRecord(1, { verdict: { ...verdict, thresholds } }),
  ])
    expect(() => recordOfToday(record)).toThrow(expect.objectContaining({ code: 'E_RUN' }));
});

test('thresholds of an early run are the ones of today, but for jitter, which was of all that is received', async () => {
  const [record] = (await readRun(recordedRun)).records;
  const keys = new Map(record?.verdict.thresholds.map(({ label, id }) => [label, thresholdKey(id)]));
  const trials = [aTrial(calls(1)), aTrial(calls(1), { baseline: null })];
  const today = new Set(trials.flatMap((trial) => judge(trial).thresholds.map(({ id }) => thresholdKey(id))));
  expect([...keys].filter(([, key]) => !today.has(key)).map(([label]) => label)).toEqual(['jitter, mean']);
});

test('a reset that counted pipelines was proven by a list', () => {
  const reset = { tookMs: 5, pipelines: 2, orphansReleased: 1, rssMb: 28, idleCores: 0 } as never;
  expect(recordOfToday(aRecord(1, { reset })).reset).toEqual({
    how: 'listed',
    tookMs: 5,
    released: 1,
    foreign: 2,
    rssMb: 28,
    idleCores: 0,
  });
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
