import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@playwright/test';
import type { TrialRecord } from '../model/trial.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { MediaServer, Recordings } from '../server-setup/media-server.js';
import { RecordingShelf } from '../server-setup/recordings/recording-shelf.js';
import { type Damage, hasFfmpeg, recordedFiles, recordedFps, recordedMs } from '../tests/recorded-files.js';
import { aMemorySink, aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { runTrial } from './run-trial.js';
import { ServerWatch } from './server-watch.js';

const { signal } = new AbortController();

let folder = '';
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-trial-recordings-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

interface RecordingCase {
  readonly damage: Damage;
  readonly record?: boolean;
  readonly keep?: boolean;
  /** Instead of files. */
  readonly recordings?: Recordings;
}

/** A whole trial of one call on a server that records three seconds of each participant. */
async function trialWith({ damage, record = true, keep = false, recordings }: RecordingCase): Promise<TrialRecord> {
  const shelf = await RecordingShelf.open({ place: 'here', parent: folder });
  const files = hasFfmpeg ? recordedFiles() : undefined;
  const ability: Recordings = recordings ?? {
    stop: async () => {
      for (const participant of ['1a', '1b']) {
        const uri = shelf.nextUri(participant);
        files?.put(fileURLToPath(uri), participant === '1b' ? damage : 'none');
        shelf.put({ participant, uri, durationMs: recordedMs, kinds: ['audio', 'video'] });
      }
    },
    check: (request, late) => shelf.check(request, late),
  };
  const { parts } = aSimulatedRun({ voidRate: 0 }, { sinks: [aMemorySink()] });
  const server: MediaServer = recordingServer(parts.server, ability);
  const recorded = { ...parts, server, runDirectory: join(folder, 'run') };
  const facts = await server.start(signal);
  const plan = { ...aPlan({}, { measureMs: 10_000, settleMs: 20_000 }), record, keepRecordings: keep };
  const { record: trial } = await runTrial(
    {
      run: { plan, server: facts, host: parts.host },
      scenario: oneToOne,
      parts: recorded,
      watch: new ServerWatch(server),
      index: 1,
      size: 1,
      why: 'grow',
      baseline: null,
    },
    signal,
  );
  await shelf.close();
  return trial;
}

function recordingServer(server: MediaServer, recordings: Recordings): MediaServer {
  return {
    start: (late) => server.start(late),
    openSession: (session, late) => server.openSession(session, late),
    reset: (late) => server.reset(late),
    stop: () => server.stop(),
    onEvent: (listener) => server.onEvent(listener),
    recordings,
  };
}

test.describe('of a trial that is recorded', () => {
  test.skip(!hasFfmpeg, 'ffmpeg is not installed (apt-get install ffmpeg)');

  test('whole files are noted and the trial is stable', async () => {
    const { verdict, recordings } = await trialWith({ damage: 'none' });
    expect(verdict).toMatchObject({ kind: 'stable', reasons: [] });
    expect(recordings).toEqual({ files: 2, faults: [] });
  });

  const damages: readonly (readonly [Damage, string])[] = [
    ['truncated', '3.0 s were recorded'],
    ['empty', 'is empty (0 bytes)'],
    ['no-audio', 'has no audio'],
    ['never-written', 'does not exist'],
  ];
  for (const [damage, words] of damages) {
    test(`a file that is ${damage} makes it unstable, in a sentence with participant and problem`, async () => {
      const { verdict } = await trialWith({ damage });
      expect(verdict.kind).toBe('unstable');
      expect(verdict.reasons.map(({ code, probe, session }) => ({ code, probe, session }))).toEqual([
        { code: 'recording', probe: '1b', session: '1' },
      ]);
      expect(verdict.reasons[0]?.text).toContain('The recording of 1b ');
      expect(verdict.reasons[0]?.text).toContain(words);
    });
  }

  test('files are kept in the folder of the run, by trial, when they are to be kept', async () => {
    await trialWith({ damage: 'none', keep: true });
    expect(readdirSync(join(folder, 'run', 'recordings', 'trial-1'))).toEqual(['1a-1.webm', '1b-2.webm']);
  });
});

test('recordings are ended before probes hang up, and looked at with the rate that was sent', async () => {
  let stopped = false;
  let fps: number | undefined;
  const recordings: Recordings = {
    stop: async () => {
      stopped = true;
    },
    check: async ({ sentFps }) => {
      fps = sentFps.get('1a');
      return { files: 2, faults: [], notChecked: 'the media server runs on another host' };
    },
  };
  const { verdict, phases } = await trialWith({ damage: 'none', recordings });
  expect(stopped).toBe(true);
  expect(fps).toBeCloseTo(recordedFps, 0);
  expect(verdict.kind).toBe('stable');
  expect(phases.map(({ phase }) => phase).slice(-3)).toEqual(['leave', 'check-recordings', 'clear-network']);
});

test('a plan that records nothing looks at nothing', async () => {
  const check = () => Promise.reject(new Error('nobody asked for this'));
  const record = await trialWith({ damage: 'none', record: false, recordings: { stop: async () => undefined, check } });
  expect(record.recordings).toBeUndefined();
  expect(record.verdict.kind).toBe('stable');
});
