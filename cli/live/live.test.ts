import { expect, test } from '@playwright/test';
import { cpuFit } from '../../analysis/needs/cpu-fit.js';
import { hostFit } from '../../analysis/needs/plan-cost.js';
import { plainStyle } from '../../analysis/report/layout.js';
import { setTimeText } from '../../analysis/wording/quantity.js';
import { planSchema } from '../../model/plan.js';
import type { Manifest } from '../../model/run.js';
import type { Bracket, RunEvent, TrialProgress } from '../../model/run-event.js';
import type { TrialEvent, TrialRecord } from '../../model/trial.js';
import type { VerdictKind } from '../../model/verdict.js';
import { oneToOne } from '../../scenarios/one-to-one.js';
import { embeddedAbilities } from '../../server-setup/embedded/abilities.js';
import { planLines } from './plan-lines.js';
import { advance, estimateLeftMs, type LiveState, nothingYet } from './state.js';
import { durationText, statusLine } from './status-line.js';
import { draw, happening } from './view.js';

const manifest: Manifest = {
  format: 2,
  loadline: '0.1.0',
  startedAt: '2026-11-21T14:03:12.000Z',
  command: ['loadline', 'find', 'one-to-one'],
  plan: planSchema.parse({ scenario: 'one-to-one', server: { kind: 'embedded', egressLimitBps: 3_000_000 } }),
  server: {
    kind: 'embedded',
    nature: 'for-trying',
    abilities: embeddedAbilities,
    name: 'embedded 0.1.0',
    version: '0.1.0',
    url: 'ws://127.0.0.1:41234/kurento',
    sameHost: true,
    egressLimitBps: 3_000_000,
  },
  host: { cores: 2, cpuModel: 'some', memoryMb: 8000, kernel: '6.1', os: 'Linux', node: '20.19.0' },
  chromium: { path: '/usr/bin/chromium-headless-shell', version: 'Chromium 156.0.1.2' },
};

const runStarted = { type: 'run-started' as const, manifest, runDirectory: '/home/ann/runs/2026-11-21T14-03-12' };

const trialStarted = (index: number, size: number): RunEvent => ({
  type: 'trial-started',
  index,
  size,
  probes: 2 * size,
  why: 'grow',
  text: 'twice as many',
});

const second = (index: number, progress: Partial<TrialProgress> = {}): RunEvent => ({
  type: 'second',
  index,
  progress: {
    phase: 'measure',
    elapsedMs: 41_000,
    boundMs: 60_000,
    probesAsked: 108,
    probesUp: 108,
    probesFailed: 0,
    worstFps: 24.23,
    ...progress,
  },
});

const trialEnded = (index: number, size: number, kind: VerdictKind, bracket: Bracket, tookMs = 60_000): RunEvent => ({
  type: 'trial-ended',
  record: recordOf(index, size, kind, tookMs),
  bracket,
});

function recordOf(index: number, size: number, kind: VerdictKind, tookMs: number): TrialRecord {
  return {
    index,
    size,
    probesAsked: 2 * size,
    probesUp: 2 * size,
    why: 'grow',
    startedAtMs: 1_000_000,
    endedAtMs: 1_000_000 + tookMs,
    phases: [],
    probes: [],
    streams: [],
    events: [],
    verdict: { kind, reasons: [], thresholds: [] },
    load: { samplesExpected: 0, samplesGot: 0 },
  };
}

const after = (...events: readonly RunEvent[]): LiveState => events.reduce(advance, nothingYet);
const line = (state: LiveState, columns = 80) => statusLine(state, oneToOne.unit, columns);

test('the status line says size, phase, elapsed of bound, probes up and asked, worst frame rate', () => {
  expect(line(after(runStarted, trialStarted(4, 54), second(4)))).toBe(
    ' ⠙ 4  54 calls  measuring 41/60 s  108/108 up  worst 24.2 fps',
  );
});

test('the status line shows the bracket and a rough time left once both ends are known', () => {
  const state = after(
    runStarted,
    trialStarted(3, 54),
    trialEnded(3, 54, 'unstable', { stable: 52, unstable: 54 }),
    trialStarted(4, 53),
    second(4, { probesAsked: 106, probesUp: 106 }),
  );
  expect(line(state, 120)).toBe(
    ' ⠙ 4  53 calls  measuring 41/60 s  106/106 up  worst 24.2 fps  52 ≤ limit < 54  5 min left',
  );
  expect(line(state)).toBe(' ⠙ 4  53 calls  measuring 41/60 s  106/106 up  worst 24.2 fps  52 ≤ limit < 54');
});

test('what the machines have in use is shown where there is room, the TURN server only when it is ours and read', () => {
  const loads = { serverCores: 0.421, hostBusyPercent: 42.6 };
  expect(line(after(trialStarted(1, 1), second(1, loads)), 120)).toMatch(/ {2}server 0\.42 cores, probe host 43 %$/);
  const relayed = after(trialStarted(1, 1), second(1, { ...loads, turnCores: 0.1 }));
  expect(line(relayed, 120)).toMatch(/ {2}server 0\.42, TURN 0\.10 cores, probe host 43 %$/);
  expect(line(relayed)).not.toContain('cores');
});

test('failed probes are in the status line from the second they fail', () => {
  const state = after(trialStarted(1, 8), second(1, { probesUp: 14, probesAsked: 16, probesFailed: 2 }));
  expect(line(state)).toContain('14/16 up, 2 failed');
});

test('no status line is wider than its columns, whatever the numbers and the width', () => {
  const huge = after(
    runStarted,
    trialStarted(120, 99_999),
    trialEnded(120, 99_999, 'unstable', { stable: 90_000, unstable: 99_999 }, 3_600_000),
    trialStarted(121, 95_000),
    second(121, { probesAsked: 190_000, probesUp: 123_456, probesFailed: 66_544, phase: 'settle', boundMs: 40_000 }),
  );
  for (let columns = 1; columns <= 140; columns += 1) expect(line(huge, columns).length).toBeLessThanOrEqual(columns);
});

test('between trials there is no status line', () => {
  expect(line(after(runStarted))).toBe('');
  expect(line(after(trialStarted(1, 1), trialEnded(1, 1, 'stable', { stable: 1, unstable: null })))).toBe('');
});

test('progress of the phase before is not shown as progress of the next', () => {
  const state = after(trialStarted(1, 2), second(1, { phase: 'join' }), { type: 'phase', index: 1, phase: 'settle' });
  expect(line(state)).toBe(' ⠋ 1  2 calls  settling');
});

test('the time left is unknown while the search still grows', () => {
  const growing = after(runStarted, trialEnded(1, 1, 'stable', { stable: 1, unstable: null }));
  expect(estimateLeftMs(growing)).toBeUndefined();
});

test('the time left counts the bisections, passes and failures that are still due', () => {
  const state = after(
    runStarted,
    trialEnded(1, 4, 'stable', { stable: 4, unstable: null }),
    trialEnded(2, 8, 'unstable', { stable: 4, unstable: 8 }),
  );
  // Two bisections between 4 and 8, two more passes of three, one more failure of two; 60 s each.
  expect(estimateLeftMs(state)).toBe(5 * 60_000);
});

test('the time left of a list of sizes, and of steps, is not told by bisections that nobody makes', () => {
  for (const strategy of ['fixed', 'ramp'] as const) {
    const { plan } = manifest;
    const own = { ...manifest, plan: { ...plan, search: { ...plan.search, strategy } } };
    const state = after(
      { ...runStarted, manifest: own },
      trialEnded(1, 10, 'stable', { stable: 10, unstable: null }),
      trialEnded(2, 100, 'unstable', { stable: 10, unstable: 100 }),
    );
    expect(estimateLeftMs(state)).toBeUndefined();
  }
});

test('times that were set are told as they are', () => {
  expect([0, 1500, 60_000, 100_000, 150_000, 600_000].map(setTimeText)).toEqual([
    ...['0 s', '1.5 s', '60 s', '100 s', '150 s', '10 min'],
  ]);
});

test('durations are as rough as they are uncertain', () => {
  expect([0, 40_000, 89_000, 90_000, 3_600_000].map(durationText)).toEqual(['1 s', '40 s', '89 s', '2 min', '60 min']);
});

test('the plan names server, limit, thresholds, search and where the run is kept, in 80 columns', () => {
  const lines = planLines(manifest, { scenario: oneToOne }, '/home/ann/runs/2026-11-21T14-03-12');
  for (const one of lines) expect(one.length, one).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  for (const part of [
    'embedded 0.1.0 at ws://127.0.0.1:41234/kurento',
    'limited to 3 Mbit/s',
    'video loss ≤ 1 %',
    'up to 512 calls',
    '2 probes per call',
    '/home/ann/runs/2026-11-21T14-03-12',
  ]) {
    expect(text).toContain(part);
  }
});

test('the plan says what the largest size needs of this host, and where the probes will end the search', () => {
  const room = { memoryMb: 4000, udpPorts: 28_232, openFiles: 20_000, cores: 2 };
  const cpu = cpuFit(manifest.plan, oneToOne, room);
  const fit = { ...hostFit(manifest.plan, oneToOne, room), ...(cpu ? { cpu } : {}) };
  const lines = planLines(manifest, { scenario: oneToOne, fit }, 'r');
  for (const one of lines) expect(one.length, one).toBeLessThanOrEqual(80);
  const text = lines.join('\n');
  expect(text).toContain('512 calls would need 1024 probes on 256 pages in 64 browsers,');
  expect(text).toContain('MiB of memory (4000 here),');
  expect(text).toMatch(/^ +2048 UDP ports \(28232 here\), /m);
  const unseen = { ...fit, largest: { ...fit.largest, connectionsUnknown: true as const } };
  expect(planLines(manifest, { scenario: oneToOne, fit: unseen }, 'r').join('\n')).toContain('at least 2048 UDP ports');
  expect(text).toContain(`this host has memory, ports and files for ${fit.fitting} calls`);
  // What it carries comes first.
  expect(text).toMatch(/needs [\s\S]*CPU, an estimate: 2 cores for about 4 calls[\s\S]* would need/);
  expect(text).toContain('--media encoded (about 16 calls)');
  const enough = hostFit({ ...manifest.plan, search: { ...manifest.plan.search, max: 4 } }, oneToOne, room);
  expect(planLines(manifest, { scenario: oneToOne, fit: enough }, 'r').join('\n')).not.toContain('be the limit');
});

test('the plan of a single trial asks whether its size is stable, and speaks of no search', () => {
  const [title, ...lines] = planLines(manifest, { scenario: oneToOne, tries: 4 }, 'r');
  expect(title).toBe('one-to-one on embedded 0.1.0: are 4 calls stable?');
  expect(lines).toContain('  trials   1 call alone, then 4');
  expect(lines.join('\n')).not.toContain('search');
});

test('a warm-up is said before it is made, and when it is over, with its times and what went wrong in it', () => {
  const restarted = {
    ...manifest.plan,
    server: { kind: 'kurento', url: 'kurento://a:1', restartCommand: 'x' } as const,
  };
  const planned = (plan: Manifest['plan']) =>
    planLines({ ...manifest, plan }, { scenario: oneToOne, tries: 4 }, 'r').join('\n');
  expect(planned(manifest.plan)).toContain('before the first trial a warm-up: 1 call joins and leaves, not judged');
  expect(planned(restarted)).toContain('before each trial a warm-up');
  const cold = { ...manifest.plan, timing: { ...manifest.plan.timing, warmUp: false } };
  expect(planned(cold)).not.toContain('warm-up');
  const shown = (changes: object, redraws: boolean) => {
    const times = { startedAtMs: 1, endedAtMs: 6000, probesAsked: 2, probesUp: 2, joinMs: 4700, firstFrameMs: 4900 };
    const event: RunEvent = { type: 'warmed-up', index: 1, warmUp: { ...times, ...changes } };
    return draw(nothingYet, event, { question: { scenario: oneToOne }, redraws, columns: 80, colours: plainStyle })
      .lines;
  };
  for (const redraws of [true, false]) {
    expect(shown({}, redraws)).toEqual(['warm-up, not judged: joined in 4.7 s, first frame 4.9 s after its sources']);
    expect(shown({ probesUp: 1, failure: '1b was refused: full.' }, redraws)).toEqual([
      '! warm-up, not judged: 1 of 2 probes came up. 1b was refused: full.',
    ]);
  }
});

test('the plan says that server and probes share the machine when they do, and only then', () => {
  const remote = { ...manifest, server: { ...manifest.server, sameHost: false } };
  expect(planLines(manifest, { scenario: oneToOne }, 'r').join('\n')).toContain('shares this machine');
  expect(planLines(remote, { scenario: oneToOne }, 'r').join('\n')).not.toContain('shares this machine');
});

test('a lost server, a crashed browser and a failed probe are shown; chatter is not', () => {
  const failure = { probe: '3b', code: 'ice-timeout', atMs: 1, detail: 'no ICE connection in 10 s' } as const;
  const events: readonly TrialEvent[] = [
    { type: 'probe-failed', atMs: 1, failure },
    { type: 'browser-crashed', atMs: 1, browser: 0, probes: ['1a', '1b'] },
    { type: 'server', kind: 'lost', atMs: 1, detail: 'exit code 1' },
    { type: 'server', kind: 'flow', atMs: 1, leg: '1a', from: 'server', media: 'video', flows: true },
    { type: 'page-log', atMs: 1, page: 0, level: 'info', text: 'hello' },
  ];
  expect(events.map(happening)).toEqual([
    'probe 3b failed: no ICE connection in 10 s (ice-timeout)',
    'browser 0 ended by itself; it played 1a, 1b',
    'server: lost, exit code 1',
    undefined,
    undefined,
  ]);
});
