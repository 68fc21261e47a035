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

test('a limit on received video above what probes send is refused with both values, and with that of its layer', async () => {
  const asked = (...flags: readonly string[]) => loadline('plan', 'one-to-one', '--max', '2', ...flags);
  const limit = (kbps: number) => ['--threshold', `received.video.bitrate >= ${kbps} kbit/s`];
  expect((await asked(...limit(500))).exitCode).toBe(0);
  expect((await asked(...limit(900), '--video-kbps', '900')).exitCode).toBe(0);
  const { exitCode, stderr } = await asked(...limit(501));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('at most 500 kbit/s of such video')]);
  expect(stderr).toContain('give --video-kbps 501, or limit it to 500 kbit/s or less');
  const layers = ['--server', 'janus://10.0.0.5', '--simulcast', '--resolution', '1280x720', '--video-kbps', '2500'];
  const layered = await loadline('plan', 'sfu-group', ...limit(1000), ...layers, '--layer', 'middle');
  expect(layered.stderr).toContain('at most 600 kbit/s of such video');
  expect((await loadline('plan', 'group', '--max', '4', ...limit(900))).stderr).not.toContain('cannot be met');
});

const mediaOf = async (...args: readonly string[]) =>
  JSON.parse((await loadline('plan', ...args, '--format', 'json')).stdout).plan.media;

test('video has 640×360 pixels, or what a flag or a plan file says', async () => {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, 'scenario: one-to-one\nmax: 4\nresolution: 320x180\n');
  const usual = { width: 640, height: 360, framesPerSecond: 30 };
  expect(await mediaOf('one-to-one', '--max', '4')).toMatchObject(usual);
  const large = { ...usual, width: 1280, height: 720 };
  expect(await mediaOf('one-to-one', '--max', '4', '--resolution', '1280x720')).toMatchObject(large);
  expect(await mediaOf(path)).toMatchObject({ ...usual, width: 320, height: 180 });
  const { stdout } = await loadline('plan', 'one-to-one', '--max', '4', '--resolution', '1280x720');
  expect(stdout).toContain('1280×720 at 30 fps');
});

for (const wrong of ['720p', '1280x721', '3840x2160', '16x16', '1280x720@30']) {
  test(`--resolution ${wrong} is refused with what to write instead`, async () => {
    const { exitCode, stderr } = await loadline('plan', 'one-to-one', '--resolution', wrong);
    expect([exitCode, stderr.includes(`--resolution cannot read "${wrong}"`)]).toEqual([2, true]);
    expect(stderr).toContain('--resolution 1280x720');
  });
}

test('encoded and native probes say above which size they play no pictures; smaller ones they play', async () => {
  for (const [kind, above, most] of [
    ['encoded', '1280x720', '640x360'],
    ['native', '1920x1080', '1280x720'],
  ] as const) {
    const { exitCode, stderr } = await loadline('plan', 'one-to-one', '--media', kind, '--resolution', above);
    expect([exitCode, stderr.includes(`--media ${kind} does not play pictures larger than ${most}.`)]).toEqual([
      2,
      true,
    ]);
    const smaller = ['one-to-one', '--max', '4', '--media', kind, '--resolution', '320x180'];
    expect(await mediaOf(...smaller)).toMatchObject({ width: 320, height: 180 });
  }
});

test('who visits a web app is told that its pages send what they send', async () => {
  const visiting = ['visit', '--url', 'http://127.0.0.1:9/{session}', '--join', 'join.js'];
  const { exitCode, stderr } = await loadline('plan', ...visiting, '--resolution', '1280x720');
  expect([exitCode, stderr.includes('--resolution cannot be had when a web app is visited')]).toEqual([2, true]);
});

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
