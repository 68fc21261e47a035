import { expect, test } from '@playwright/test';
import type { FinishedRun } from '../../model/finished-run.js';
import type { RecordingsRecord } from '../../model/trial.js';
import type { VerdictKind } from '../../model/verdict.js';
import { recordingSentences } from './trust-sentences.js';

const said = (...recordings: readonly (RecordingsRecord | undefined)[]) => saidOf('stable', recordings);

const saidOf = (kind: VerdictKind, recordings: readonly (RecordingsRecord | undefined)[]) => {
  const records = recordings.map((one) => ({ verdict: { kind }, ...(one ? { recordings: one } : {}) }));
  return recordingSentences({ records } as unknown as FinishedRun);
};

test('recordings of a trial that says nothing count for nothing', () => {
  expect(saidOf('void', [{ files: 2, faults: [{ participant: '1b', detail: 'has no audio' }] }])).toEqual([]);
});

test('a run that recorded nothing says nothing of recordings', () => {
  expect(said(undefined, undefined)).toEqual([]);
});

test('whole recordings are one sentence for the whole run', () => {
  expect(said({ files: 2, faults: [] }, { files: 4, faults: [] })).toEqual([
    'Recordings: each of 6 files lasts as long as was recorded, has its tracks, and decodes.',
  ]);
});

test('why files were not looked at is said once, whatever the number of trials', () => {
  const notChecked = 'ffprobe is not installed (sudo apt-get install ffmpeg)';
  expect(said({ files: 2, faults: [], notChecked }, { files: 4, faults: [], notChecked })).toEqual([
    'Recordings: 6 of 6 files were not checked: ffprobe is not installed (sudo apt-get install ffmpeg).',
  ]);
});

test('broken recordings are counted; the reasons of their trials name them', () => {
  const faults = [{ participant: '1b', detail: 'has no audio' }];
  expect(said({ files: 2, faults })).toEqual(['Recordings: 1 of 2 files are broken.']);
});

test('what was not looked at hides nothing that is broken', () => {
  const faults = [{ participant: '1b', detail: 'has no audio' }];
  expect(said({ files: 2, faults }, { files: 4, faults: [], notChecked: 'ffprobe is not installed' })).toEqual([
    'Recordings: 1 of 6 files are broken.',
    'Recordings: 4 of 6 files were not checked: ffprobe is not installed.',
  ]);
});
