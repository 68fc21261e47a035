import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { compareRuns } from '../../analysis/compare/compare.js';
import { serveArguments } from '../../server-setup/embedded/embedded-arguments.js';
import { runStory } from '../builders/run-stories.js';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-video-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const loadline = (...args: readonly string[]) =>
  runHere(args, { workingFolder: folder, env: { XDG_STATE_HOME: folder } });

const planned = async (...args: readonly string[]) =>
  JSON.parse((await loadline('plan', ...args, '--format', 'json')).stdout).plan.media.videoKbps;

test('the ceiling of video is 500 kbit/s, or what a flag or a plan file says', async () => {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, 'scenario: one-to-one\nmax: 4\nvideoKbps: 800\n');
  expect(await planned('one-to-one', '--max', '4')).toBe(500);
  expect(await planned('one-to-one', '--max', '4', '--video-kbps', '300')).toBe(300);
  expect(await planned(path)).toBe(800);
  const { stdout } = await loadline('plan', path);
  expect(stdout).toContain('up to 800 kbit/s');
});

for (const wrong of ['99', '2501', '300k', '1e3']) {
  test(`--video-kbps ${wrong} is refused with what to write instead`, async () => {
    const { exitCode, stderr } = await loadline('plan', 'one-to-one', '--video-kbps', wrong);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(`from 100 to 2500, not "${wrong}"`);
  });
}

test('the embedded server of a run tells its senders the same ceiling', () => {
  expect(serveArguments({ command: [], videoKbps: 800 }).join(' ')).toContain('--video-kbps 800');
});

test('a run goes on with the ceiling that it was begun with', async () => {
  const { exitCode, stderr } = await loadline('find', '--resume', 'runs/x', '--video-kbps', '300');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('--video-kbps cannot be given with --resume');
});

test('a comparison names two ceilings that differ', () => {
  const run = runStory('found');
  const { plan } = run.manifest;
  const other = { ...run, manifest: { ...run.manifest, plan: { ...plan, media: { ...plan.media, videoKbps: 300 } } } };
  const named = compareRuns([run, other]).facts.filter(({ same }) => !same);
  expect(named).toEqual([{ label: 'media: videoKbps', values: ['500', '300'], same: false }]);
});
