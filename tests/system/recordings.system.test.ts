import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { hasFfmpeg } from '../recorded-files.js';
import { openWorkshop } from './running-tool.js';

test('a recorded call leaves two whole files when they are kept, and none in the temporary folder', async () => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed (apt-get install ffmpeg)');
  const workshop = await openWorkshop();
  try {
    const windows = ['--measure', '10s', '--settle', '5s'];
    const ended = await workshop.start([
      'try',
      'one-to-one',
      '--size',
      '1',
      '--record',
      '--keep-recordings',
      ...windows,
    ]).ended;
    const stored = await ended.storedRun();
    // A trial that a busy host made void is repeated.
    const record = stored.records.at(-1);
    expect(record?.recordings, ended.stderr).toEqual({ files: 2, faults: [] });
    expect(ended.exitCode).toBe(0);
    expect(readdirSync(join(stored.directory, 'recordings', `trial-${record?.index}`))).toEqual([
      '1a-1.webm',
      '1b-2.webm',
    ]);
    expect(await workshop.filesLeft()).toEqual([]);
    expect(await workshop.processesLeft()).toEqual([]);
  } finally {
    await workshop.dispose();
  }
});
