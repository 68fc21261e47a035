import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { hasFfmpeg, recordedFiles, recordedMs, recordingOf } from '../../tests/recorded-files.js';
import { checkRecording } from './check-recording.js';
import { NotChecked } from './read-recording.js';

const expected = { durationMs: recordedMs, kinds: ['audio', 'video'] as const, framesPerSecond: 30 };

test.describe('a recording', () => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed (apt-get install ffmpeg)');
  let folder = '';

  test.beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loadline-recordings-test-'));
  });
  test.afterEach(() => rm(folder, { recursive: true, force: true }));

  test('that is whole has no problem', async () => {
    expect(await checkRecording(recordingOf(), expected)).toEqual([]);
  });

  test('that is missing or empty is named so', async () => {
    expect((await checkRecording(join(folder, 'none.webm'), expected)).map((one) => one.code)).toEqual(['missing']);
    await writeFile(join(folder, 'empty.webm'), '');
    expect((await checkRecording(join(folder, 'empty.webm'), expected)).map((one) => one.code)).toEqual(['empty']);
  });

  test('that was truncated by hand is too short', async () => {
    const path = join(folder, 'cut.webm');
    recordedFiles().put(path, 'truncated');
    expect((await checkRecording(path, expected)).map((one) => one.code)).toContain('duration');
  });

  test('without audio says which track is missing', async () => {
    expect(await checkRecording(recordingOf({ tracks: 'video' }), expected)).toEqual([
      { code: 'track-missing', detail: 'has no audio' },
    ]);
  });

  test('that a busy host could not look at in time is not called broken', async () => {
    await expect(checkRecording(recordingOf(), expected, { withinMs: 1 })).rejects.toThrow(NotChecked);
  });

  test('that is no media at all cannot be read', async () => {
    await writeFile(join(folder, 'text.webm'), 'this is not a recording\n'.repeat(50));
    expect((await checkRecording(join(folder, 'text.webm'), expected)).map((one) => one.code)).toEqual(['unreadable']);
  });

  test('that is a list of other files is not followed: ffprobe is told what it is, and to open nothing else', async () => {
    const real = recordingOf();
    await writeFile(join(folder, 'list.webm'), `ffconcat version 1.0\nfile '${real}'\n`);
    await writeFile(join(folder, 'playlist.webm'), `#EXTM3U\n#EXTINF:5,\nfile://${real}\n#EXT-X-ENDLIST\n`);
    for (const name of ['list.webm', 'playlist.webm']) {
      expect((await checkRecording(join(folder, name), expected)).map((one) => one.code)).toEqual(['unreadable']);
    }
  });

  test('with half of its frames says how many there are', async () => {
    expect(await checkRecording(recordingOf({ framesPerSecond: 12 }), expected)).toEqual([
      { code: 'frames-missing', detail: 'has 36 video frames, about 90 were sent' },
    ]);
  });

  test('whose sound or picture ends early is found, however long the other goes on', async () => {
    expect(await checkRecording(recordingOf({ soundMs: 1000 }), expected)).toEqual([
      { code: 'duration', detail: 'has audio for 1.0 s, 3.0 s were recorded' },
      { code: 'sound-missing', detail: 'has 51 packets of sound, about 150 were sent' },
    ]);
    expect(await checkRecording(recordingOf({ pictureMs: 700 }), { ...expected, framesPerSecond: 0 })).toEqual([
      { code: 'duration', detail: 'has video for 0.7 s, 3.0 s were recorded' },
    ]);
  });

  test('of sound with pauses may have as little of it as there was', async () => {
    expect(await checkRecording(recordingOf({ soundMs: 1000 }), { ...expected, pauses: true })).toEqual([]);
  });
});
