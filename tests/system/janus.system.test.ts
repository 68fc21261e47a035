import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { short } from '../effort.js';
import { hasConverter } from '../janus-recording.js';
import { hasJanus, type RealJanus, realJanus } from '../real-janus.js';
import { hasFfmpeg } from '../recorded-files.js';
import { messageLosses, openWorkshop, type Workshop } from './running-tool.js';

const windows = ['--media', 'encoded', '--measure', '10s', '--settle', '5s', '--no-warm-up'];

test.describe('a real Janus, by its rooms and calls,', () => {
  let workshop: Workshop;
  let janus: RealJanus;
  test.beforeEach(async () => {
    test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus janus-tools)');
    workshop = await openWorkshop();
    janus = await realJanus();
  });
  test.afterEach(async () => {
    await workshop?.dispose();
    await janus?.close();
  });

  const tried = (...args: readonly string[]) =>
    workshop.start(['try', ...args, '--server', janus.url, ...windows]).ended;

  test('carries a room whose members receive the others over a connection each, and their messages', async () => {
    const room = ['--size', '1', '--room-size', '3', '--subscribe', 'each', '--data', '10/s'];
    const ended = await tried('sfu-group', ...room);
    expect(ended.exitCode, ended.stderr).toBe(0);
    const record = (await ended.storedRun()).records.at(-1);
    const received = record?.streams.filter(({ direction }) => direction === 'receive') ?? [];
    // Each of three members receives sound, picture and messages of two others.
    expect(received).toHaveLength(18);
    expect(messageLosses(record)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(record?.verdict.kind).toBe('stable');
  });

  test('carries a call and records it: sound and picture of each are whole files', short, async () => {
    test.skip(!hasConverter, 'no janus-pp-rec is installed (apt-get install janus-tools)');
    const ended = await tried('one-to-one', '--size', '1', '--keep-recordings');
    const { records, directory } = await ended.storedRun();
    const unlooked = 'ffprobe is not installed (sudo apt-get install ffmpeg)';
    const seen = hasFfmpeg ? {} : { notChecked: unlooked };
    // A trial that a busy host made void is repeated.
    const record = records.at(-1);
    expect(record?.recordings, ended.stderr).toEqual({ files: 4, faults: [], ...seen });
    expect(ended.exitCode, ended.stderr).toBe(0);
    const kept = ['1a-1.mka', '1a-2.webm', '1b-3.mka', '1b-4.webm'];
    expect(readdirSync(join(directory, 'recordings', `trial-${record?.index}`))).toEqual(kept);
    expect(await workshop.filesLeft()).toEqual([]);
  });

  test('refuses a run without its secret, and says where it is read from', async () => {
    const locked = await realJanus({ apiSecret: 'only-for-tests' });
    try {
      const args = ['try', 'broadcast', '--size', '1', '--server', locked.url, ...windows];
      const ended = await workshop.start(args, { LOADLINE_JANUS_API_SECRET: 'guessed' }).ended;
      expect(ended.exitCode).toBe(1);
      expect(ended.stderr).toContain('E_SERVER_REFUSED');
      expect(ended.stderr).toContain('LOADLINE_JANUS_API_SECRET');
      expect(ended.stderr).not.toContain('guessed');
    } finally {
      await locked.close();
    }
  });

  test('that is killed while it is measured is named, and nothing is left behind', async () => {
    const run = workshop.start(['try', 'broadcast', '--size', '1', '--server', janus.url, ...windows]);
    await run.inPhase('measure');
    await janus.kill();
    const ended = await run.ended;
    const [trial] = ended.result().trials;
    expect(trial?.reasons.map(({ code }) => code)).toContain('server-lost');
    expect(await workshop.processesLeft()).toEqual([]);
  });
});
