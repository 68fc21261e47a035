import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getuid } from 'node:process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import { assertOwnRun } from '../../store/run-directory/own-run.js';
import { type Damage, hasFfmpeg, recordedFiles, recordedFps, recordedMs } from '../../tests/recorded-files.js';
import { type FilePlace, RecordingShelf } from './recording-shelf.js';

const { signal } = new AbortController();
const kinds = ['audio', 'video'] as const;
const sentFps = new Map([
  ['1a', recordedFps],
  ['1b', recordedFps],
]);

let parent = '';
test.beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'loadline-shelf-test-'));
});
test.afterEach(() => rmSync(parent, { recursive: true, force: true }));

/** A shelf on which the server has put one file of `1a`, and one whole file of `1b`. */
async function shelfWith(damage: Damage, place: FilePlace = 'here') {
  const shelf = await RecordingShelf.open({ place, parent });
  const files = recordedFiles();
  for (const [participant, what] of [['1a', damage] as const, ['1b', 'none'] as const]) {
    const uri = shelf.nextUri(participant);
    files.put(fileURLToPath(uri), what);
    shelf.put({ participant, uri, durationMs: recordedMs, kinds });
  }
  return shelf;
}

const onShelf = () => readdirSync(parent).filter((name) => name.startsWith('loadline-recordings-'));

test.describe('on the shelf', () => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed (apt-get install ffmpeg)');

  test('whole recordings have no fault and are removed after they were looked at', async () => {
    const shelf = await shelfWith('none');
    expect(await shelf.check({ sentFps }, signal)).toEqual({ files: 2, faults: [] });
    expect(onShelf().flatMap((folder) => readdirSync(join(parent, folder)))).toEqual([]);
    expect(await shelf.check({ sentFps }, signal)).toEqual({ files: 0, faults: [] });
    await shelf.close();
    expect(onShelf()).toEqual([]);
  });

  const damages: readonly (readonly [Damage, RegExp])[] = [
    ['truncated', /^lasts \d\.\d s, 3\.0 s were recorded/],
    ['empty', /^is empty \(0 bytes\)$/],
    ['no-audio', /^has no audio$/],
    ['never-written', /^does not exist$/],
  ];
  for (const [damage, words] of damages) {
    test(`a recording that is ${damage} is found, with its participant and what is wrong`, async () => {
      const shelf = await shelfWith(damage);
      const { files, faults, notChecked } = await shelf.check({ sentFps }, signal);
      expect({ files, notChecked }).toEqual({ files: 2, notChecked: undefined });
      expect(faults).toEqual([{ participant: '1a', detail: expect.stringMatching(words) }]);
      await shelf.close();
    });
  }

  test('recordings that are kept are moved, whole and broken ones alike', async () => {
    const shelf = await shelfWith('truncated');
    const keepIn = join(parent, 'run', 'trial-1');
    await shelf.check({ sentFps, keepIn }, signal);
    expect(readdirSync(keepIn)).toEqual(['1a-1.webm', '1b-2.webm']);
    await shelf.close();
  });

  test('what the server writes in a form of its own is made a file that players know, and removed', async () => {
    const shelf = await RecordingShelf.open({ place: 'here', parent });
    for (const [participant, converter] of [['1a', 'cp'] as const, ['1b', 'false'] as const]) {
      const uri = shelf.nextUri(participant);
      const raw = { path: `${fileURLToPath(uri)}.raw`, converter, install: 'nothing' };
      recordedFiles().put(raw.path, 'none');
      shelf.put({ participant, uri, durationMs: recordedMs, kinds, raw });
    }
    const keepIn = join(parent, 'kept');
    const { files, faults } = await shelf.check({ sentFps, keepIn }, signal);
    expect({ files, faults }).toEqual({
      files: 2,
      faults: [{ participant: '1b', detail: expect.stringContaining('cannot be converted by false') }],
    });
    // What could not be converted is kept as the server wrote it.
    expect(readdirSync(keepIn)).toEqual(['1a-1.webm', '1b-2.webm.raw']);
    expect(onShelf().flatMap((folder) => readdirSync(join(parent, folder)))).toEqual([]);
    await shelf.close();
  });

  test('without the program that converts them, recordings are not checked, and it is said what to install', async () => {
    const shelf = await RecordingShelf.open({ place: 'here', parent });
    const uri = shelf.nextUri('1a');
    const raw = { path: `${fileURLToPath(uri)}.raw`, converter: 'loadline-no-such-program', install: 'buy it' };
    recordedFiles().put(raw.path, 'none');
    shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds, raw });
    const notChecked = 'loadline-no-such-program is not installed (buy it)';
    expect(await shelf.check({ sentFps }, signal)).toEqual({ files: 1, faults: [], notChecked });
    await shelf.close();
  });
});

test('what the server itself said is wrong with a recording is told, though no file can be reached', async () => {
  const shelf = await RecordingShelf.open({ place: 'elsewhere' });
  const uri = shelf.nextUri('1a');
  expect(uri).toMatch(/^file:\/\/\/tmp\/loadline-[\w-]+\.webm$/);
  shelf.put({ participant: '1a', uri, durationMs: 0, kinds, error: 'was never begun: no video of it came' });
  shelf.put({ participant: '1b', uri: shelf.nextUri('1b'), durationMs: 3000, kinds });
  expect(await shelf.check({ sentFps }, signal)).toEqual({
    files: 2,
    faults: [{ participant: '1a', detail: 'was never begun: no video of it came' }],
    notChecked: 'the media server runs on another host',
  });
  await shelf.close();
});

test('a server in a container, none of whose files can be seen, is not said to have lost them', async () => {
  const shelf = await RecordingShelf.open({ place: 'perhaps-here', parent });
  shelf.put({ participant: '1a', uri: shelf.nextUri('1a'), durationMs: 3000, kinds });
  const { faults, notChecked } = await shelf.check({ sentFps }, signal);
  expect(faults).toEqual([]);
  expect(notChecked).toContain('may have a file system of its own');
  await shelf.close();
});

test('a trial that was given up leaves nothing on the shelf', async () => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed (apt-get install ffmpeg)');
  const shelf = await shelfWith('none');
  await shelf.discard();
  expect(onShelf().flatMap((folder) => readdirSync(join(parent, folder)))).toEqual([]);
  await shelf.close();
});

test("in the one folder of a server, names are nobody else's, kept files have their own, and the folder stays", async () => {
  const serverFolder = mkdtempSync(join(parent, 'server-'));
  const shelf = await RecordingShelf.open({ place: 'here', serverFolder });
  const other = await RecordingShelf.open({ place: 'here', serverFolder });
  const [uri, othersUri] = [shelf.nextUri('1a'), other.nextUri('1a')];
  expect(uri).not.toBe(othersUri);
  writeFileSync(fileURLToPath(uri), '');
  writeFileSync(fileURLToPath(othersUri), '');
  shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds });
  const keepIn = join(parent, 'run', 'trial-1');
  await shelf.check({ sentFps, keepIn }, signal);
  await shelf.close();
  expect(readdirSync(keepIn)).toEqual(['1a-1.webm']);
  expect(readdirSync(serverFolder)).toEqual([othersUri.slice(othersUri.lastIndexOf('/') + 1)]);
});

test('a folder of ours lets in its owner alone, or where the server may be another user, writers who cannot list it', async () => {
  const modeOf = () => statSync(join(parent, onShelf()[0] ?? '')).mode & 0o7777;
  const own = await RecordingShelf.open({ place: 'perhaps-here', parent, serverPid: process.pid });
  expect(modeOf()).toBe(0o700);
  await own.close();
  const unknown = await RecordingShelf.open({ place: 'perhaps-here', parent });
  expect(modeOf()).toBe(0o1733);
  await unknown.close();
});

test('what is no regular file is no recording: it is not read, and not kept', async () => {
  const shelf = await RecordingShelf.open({ place: 'here', parent });
  const secret = join(parent, 'secret.webm');
  writeFileSync(secret, 'secret');
  const uri = shelf.nextUri('1a');
  symlinkSync(secret, fileURLToPath(uri));
  shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds });
  const keepIn = join(parent, 'run', 'trial-1');
  const { faults } = await shelf.check({ sentFps, keepIn }, signal);
  expect(faults).toEqual([{ participant: '1a', detail: 'is no regular file, or cannot be read' }]);
  expect(readdirSync(keepIn)).toEqual([]);
  expect(readFileSync(secret, 'utf8')).toBe('secret');
  await shelf.close();
});

test('pipes, sockets and folders in the place of recordings are told as faults at once, and none is kept', async () => {
  const shelf = await RecordingShelf.open({ place: 'here', parent });
  const inPlace: readonly ((path: string) => unknown)[] = [
    (path) => execFileSync('mkfifo', [path]),
    (path) => once(createServer().listen(path).unref(), 'listening'),
    (path) => mkdirSync(path),
  ];
  for (const put of inPlace) {
    const uri = shelf.nextUri('1a');
    await put(fileURLToPath(uri));
    shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds });
  }
  const uri = shelf.nextUri('1b');
  const raw = { path: `${fileURLToPath(uri)}.raw`, converter: 'cp', install: 'nothing' };
  execFileSync('mkfifo', [raw.path]);
  shelf.put({ participant: '1b', uri, durationMs: recordedMs, kinds, raw });
  const keepIn = join(parent, 'run', 'trial-1');
  const startedMs = performance.now();
  const { faults } = await shelf.check({ sentFps, keepIn }, signal);
  expect(performance.now() - startedMs).toBeLessThan(10_000);
  const odd = { participant: '1a', detail: 'is no regular file, or cannot be read' };
  expect(faults).toEqual([odd, odd, odd, { ...odd, participant: '1b' }]);
  expect(readdirSync(keepIn)).toEqual([]);
  await shelf.close();
  expect(onShelf()).toEqual([]);
});

test('what others put into the shared folder is never opened, stays in a folder of the server, and goes with one of ours', async () => {
  const serverFolder = mkdtempSync(join(parent, 'server-'));
  for (const place of [{ serverFolder }, { parent }]) {
    const shelf = await RecordingShelf.open({ place: 'here', ...place });
    const pipe = join(shelf.folder ?? '', 'others.webm');
    execFileSync('mkfifo', [pipe]);
    writeFileSync(join(shelf.folder ?? '', 'others.raw'), 'secret');
    // It ends when somebody opens the pipe to read it.
    const writer = spawn('sh', ['-c', 'echo secret > "$0"', pipe]);
    const ended = once(writer, 'exit');
    const uri = shelf.nextUri('1a');
    writeFileSync(fileURLToPath(uri), 'no media');
    shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds });
    const keepIn = join(parent, 'run', `trial-${readdirSync(parent).length}`);
    await shelf.check({ sentFps, keepIn }, signal);
    await shelf.discard();
    await shelf.close();
    expect(readdirSync(keepIn)).toEqual(['1a-1.webm']);
    expect(writer.exitCode).toBeNull();
    writer.kill();
    await ended;
  }
  expect(readdirSync(serverFolder).sort()).toEqual(['others.raw', 'others.webm']);
  expect(onShelf()).toEqual([]);
});

test('what a server of another user has recorded is ours once it is kept: the run is still trusted', async () => {
  test.skip(getuid?.() !== 0, 'root alone can have a file of another user');
  const shelf = await RecordingShelf.open({ place: 'here', parent });
  const uri = shelf.nextUri('1a');
  writeFileSync(fileURLToPath(uri), 'media');
  chownSync(fileURLToPath(uri), 12_345, 12_345);
  shelf.put({ participant: '1a', uri, durationMs: recordedMs, kinds });
  const run = join(parent, 'run');
  await shelf.check({ sentFps, keepIn: join(run, 'recordings', 'trial-1') }, signal);
  expect(readFileSync(join(run, 'recordings', 'trial-1', '1a-1.webm'), 'utf8')).toBe('media');
  await assertOwnRun(run);
  await shelf.close();
});

test('names begin anew when all that was ever recorded was given up, and only then', async () => {
  const shelf = await RecordingShelf.open({ place: 'here', parent });
  const record = () => {
    const uri = shelf.nextUri('1a');
    shelf.put({ participant: '1a', uri, durationMs: 0, kinds, error: 'was never begun' });
    return uri.slice(uri.lastIndexOf('/') + 1);
  };
  expect(record()).toBe('1a-1.webm');
  await shelf.discard();
  expect(record()).toBe('1a-1.webm');
  await shelf.check({ sentFps }, signal);
  await shelf.discard();
  expect(record()).toBe('1a-2.webm');
  await shelf.discard();
  expect(record()).toBe('1a-3.webm');
  await shelf.close();
});
