import { expect, test } from '@playwright/test';
import type { RecordingsRecord } from '../../model/trial.js';
import type { FinishedRun } from '../result.js';
import { recordingSentences } from './recording-sentences.js';

const said = (...recordings: readonly (RecordingsRecord | undefined)[]) =>
  recordingSentences({ records: recordings.map((one) => (one ? { recordings: one } : {})) } as unknown as FinishedRun);

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
