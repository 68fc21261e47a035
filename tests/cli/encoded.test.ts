import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { readCalibrations, thisHost, writeCalibration } from '../../cli/wiring/calibration-file.js';
import { type Calibration, calibrationFormat } from '../../model/calibration.js';
import { fakeProcess } from './fake-process.js';
import { runHere } from './run-here.js';

let folder: string;
test.beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loadline-encoded-'));
});
test.afterEach(() => rmSync(folder, { recursive: true, force: true }));

const loadline = (...args: readonly string[]) =>
  runHere(args, { workingFolder: folder, env: { XDG_STATE_HOME: folder } });

const planned = async (...args: readonly string[]) =>
  JSON.parse((await loadline('plan', 'one-to-one', '--max', '4', '--format', 'json', ...args)).stdout).plan;

test('probes are full unless asked otherwise, and a share of encoded ones stays full', async () => {
  expect(await planned()).not.toHaveProperty('encoded');
  expect(await planned('--media', 'encoded')).toMatchObject({ players: { kind: 'encoded', fullShare: 0 } });
  expect(await planned('--media', 'encoded', '--full-share', '10%')).toMatchObject({
    players: { kind: 'encoded', fullShare: 0.1 },
  });
});

test('more encoded probes share a page than full ones, unless the number is given', async () => {
  const [full, encoded, given] = await Promise.all([
    planned(),
    planned('--media', 'encoded'),
    planned('--media', 'encoded', '--probes-per-page', '3'),
  ]);
  expect(encoded.probesPerPage).toBeGreaterThan(full.probesPerPage);
  expect(given.probesPerPage).toBe(3);
});

test('a codec that cannot be encoded before leaves all probes full, and a sentence says so', async () => {
  const asked = ['--no-record', '--media', 'encoded'] as const;
  const [h264, vp9] = await Promise.all([planned(...asked, '--codec', 'H264'), planned(...asked, '--codec', 'vp9')]);
  expect(h264).toMatchObject({
    players: { kind: 'encoded', fullShare: 0 },
    media: { videoCodec: 'H264' },
    probesPerPage: 64,
  });
  expect(vp9).toMatchObject({
    players: { kind: 'encoded', fullShare: 1 },
    media: { videoCodec: 'VP9' },
    probesPerPage: 4,
  });
  const { stdout } = await loadline('plan', 'one-to-one', '--max', '4', ...asked, '--codec', 'VP9');
  expect(stdout.replace(/\s+/g, ' ')).toContain('all probes full, for VP9 cannot be encoded before');
});

for (const [args, says] of [
  [['--codec', 'H263'], '--codec must be'],
  [['--codec', 'H264'], 'The embedded server records VP8, not H264.'],
  [['--media', 'half'], '--media must be full or encoded or native or none, not "half"'],
  [['--full-share', '10%'], '--full-share without --media encoded changes nothing'],
  [['--media', 'encoded', '--full-share', '10'], '--full-share must be a share above 0% and up to 100%, not "10"'],
  [['--media', 'encoded', '--full-share', '0%'], 'not "0%"'],
  [['--media', 'encoded', '--full-share', '101%'], 'not "101%"'],
] as const) {
  test(`${args.join(' ')} is refused with what to write instead`, async () => {
    const { exitCode, stdout, stderr } = await loadline('plan', 'one-to-one', ...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(says);
    expect(stderr).toContain('do ');
  });
}

test('a plan file says it, too, and its own words are named when they are wrong', async () => {
  const path = join(folder, 'plan.yaml');
  writeFileSync(path, 'scenario: one-to-one\nmax: 4\nmedia: encoded\nfullShare: 25%\n');
  const { stdout } = await loadline('plan', path, '--format', 'json');
  expect(JSON.parse(stdout).plan.players).toEqual({ kind: 'encoded', fullShare: 0.25 });
  writeFileSync(path, 'scenario: one-to-one\nmedia: some\n');
  const { exitCode, stderr } = await loadline('plan', path);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('plan.yaml:2:8  media must be full, encoded, native or none, not "some"');
});

const kind = (carries: number, coresPerProbe: number, mbPerProbe: number) => ({
  coresPerProbe,
  mbPerProbe,
  serverCores: 0.3,
  carries,
  because: 'The probe host was out of CPU.',
});

function calibrated(more: Partial<Calibration> = {}): Calibration {
  return {
    format: calibrationFormat,
    probeHost: 'local',
    measuredAt: '2026-01-02T03:04:05.000Z',
    host: thisHost(fakeProcess()),
    chromium: '141.0.1.2',
    full: kind(22, 0.15, 40),
    encoded: kind(140, 0.03, 9),
    native: kind(300, 0.01, 3),
    ...more,
  };
}

test('what was calibrated is kept for this host and used by the plan', async () => {
  const tool = fakeProcess({ env: { XDG_STATE_HOME: folder } });
  expect(await readCalibrations(tool)).toEqual([]);
  await writeCalibration(tool, calibrated());
  await writeCalibration(tool, calibrated({ chromium: '142.0.0.0', measuredAt: '2026-02-02T03:04:05.000Z' }));
  await writeCalibration(tool, calibrated({ host: { ...thisHost(tool), cores: 999 } }));
  expect((await readCalibrations(tool)).map(({ chromium }) => chromium)).toEqual(['142.0.0.0', '141.0.1.2']);
  const { stdout } = await loadline('plan', 'one-to-one', '--max', '10', '--media', 'encoded');
  expect(stdout).toContain('300 native, 140 encoded or 22 full');
  expect(stdout, '20 probes of 9 MiB and 0.03 of a core').toMatch(/ 180 MiB of memory/);
});

test('a calibration that is no JSON is as good as none', async () => {
  const tool = fakeProcess({ env: { XDG_STATE_HOME: folder } });
  const path = await writeCalibration(tool, calibrated());
  writeFileSync(path, '{"format": 1, "full"');
  expect(await readCalibrations(tool)).toEqual([]);
});
