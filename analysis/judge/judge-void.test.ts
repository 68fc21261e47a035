import { expect, test } from '@playwright/test';
import type { TrialEvent } from '../../model/trial.js';
import type { Verdict } from '../../model/verdict.js';
import { aProbe, type ProbeBuilder } from '../../tests/builders/probe-builder.js';
import { aTrial, calls, startMs, type TrialOptions, withProbes } from '../../tests/builders/trial-builder.js';
import { judge } from './judge.js';

const judged = (probes: readonly ProbeBuilder[], options?: TrialOptions) => judge(aTrial(probes, options));
const codes = (verdict: Verdict) => [...new Set(verdict.reasons.map((reason) => reason.code))];
const starving = aProbe('2b').receivesVideo({ kbps: 200, fps: 12 });
const withOne = (probe: ProbeBuilder, options?: TrialOptions) => judged(withProbes(calls(3), probe), options);
const failing = (options?: TrialOptions, ...others: ProbeBuilder[]) =>
  judged(withProbes(calls(3), starving, ...others), options);

test('a starving probe on a healthy probe host is the doing of the server', () => {
  expect(failing()).toMatchObject({ kind: 'unstable' });
});

const lateFor = (seconds: number) => aProbe('1a').isRead({ lateMs: (second) => (second < seconds ? 400 : 2) });

test('an encoder limited by CPU makes a trial void and the probes exhausted, clean or not', () => {
  const limited = (seconds: number) =>
    aProbe('1a').sendsVideo({ limitedBy: (second) => (second < seconds ? 'cpu' : 'none') });
  expect(withOne(limited(6)).kind).toBe('stable');
  expect(failing({}, limited(6)).kind).toBe('unstable');
  for (const verdict of [withOne(limited(7)), failing({}, limited(7))]) {
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: true });
    expect(verdict.reasons).toMatchObject([
      {
        code: 'encoder-cpu-limited',
        probe: '1a',
        text: 'The encoder of 1a was limited by CPU 11.7 % of the time (limit 10 %).',
      },
    ]);
  }
});

test('an encoder limited by bandwidth is never void: the server asked for less', () => {
  expect(withOne(aProbe('1a').sendsVideo({ limitedBy: () => 'bandwidth' })).kind).toBe('stable');
});

test('a camera that is short of frames makes a trial void, clean or not', () => {
  expect(withOne(aProbe('1a').sendsVideo({ sourceFps: 27 })).kind).toBe('stable');
  const short = aProbe('1a').sendsVideo({ sourceFps: 26.5 });
  for (const verdict of [withOne(short), failing({}, short)]) {
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: true });
    expect(verdict.reasons[0]?.text).toBe('The camera of 1a gave 26.5 of 30 fps (limit 27).');
  }
});

test('a camera is held to what the visited app asks of it, and a shared screen to nothing', () => {
  const asked = (askedFps: number, sourceFps: number) => withOne(aProbe('1a').sendsVideo({ askedFps, sourceFps })).kind;
  expect([asked(15, 15), asked(15, 13), asked(0, 1), asked(60, 27)]).toEqual(Array(4).fill('stable'));
  expect([asked(15, 12), asked(60, 26)]).toEqual(['void', 'void']);
});

test('of an app that asks its cameras for 15 frames a second, 15 are expected before there is a baseline', () => {
  const asking = (id: string, fps: number) =>
    aProbe(id).sendsVideo({ askedFps: 15, sourceFps: 15, fps: 15 }).receivesVideo({ fps });
  const alone = (fps: number) =>
    judged(withProbes(calls(1), asking('1a', fps), asking('1b', 15)), { baseline: null }).kind;
  expect([alone(15), alone(11)]).toEqual(['stable', 'unstable']);
});

test('a screen that somebody shares in an app may stand still, and the cameras of the others may not', () => {
  const sharing = aProbe('1a').sendsVideo({ askedFps: 0, sourceFps: 1, fps: 1 }).receivesVideo({ fps: 30 });
  const watching = (fps: number) =>
    aProbe('1b').sendsVideo({ askedFps: 30, sourceFps: 30, fps: 30 }).receivesVideo({ fps });
  const alone = (cameraFps: number, screenFps: number) =>
    judged(withProbes(calls(1), sharing.receivesVideo({ fps: cameraFps }), watching(screenFps)), { baseline: null })
      .kind;
  expect([alone(30, 1), alone(3, 1)]).toEqual(['stable', 'unstable']);
});

test('missing samples make a trial void, clean or not, and a repeat may see them', () => {
  const silent = (seconds: number) => aProbe('1a').isRead({ missing: (second) => second < seconds });
  expect(withOne(silent(4)).kind).toBe('stable');
  for (const verdict of [withOne(silent(6)), failing({}, silent(6))]) {
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: false });
    expect(verdict.reasons[0]).toMatchObject({ code: 'samples-missing', probe: '1a' });
    expect(verdict.reasons[0]?.text).toBe('1a gave samples for 54 s of the 60 s measured.');
  }
});

test('a probe without a single sample is void, never stable', () => {
  const verdict = withOne(aProbe('1a').isRead({ missing: () => true }));
  expect(verdict).toMatchObject({ kind: 'void' });
  expect(codes(verdict)).toEqual(['samples-missing']);
});

test('what cannot be measured is void, never a pass', () => {
  for (const probe of [
    aProbe('1a').isRead({ rttMs: null }).sendsVideo({ rttMs: null }).sendsAudio({ rttMs: null }),
    aProbe('1a').receivesAudio({ jitterMs: null }),
    aProbe('1a').receivesVideo({ lossPercent: null }),
    aProbe('1a').receivesVideo({ kbps: null }),
    aProbe('1a').receivesVideo({ fps: null }),
    aProbe('1a').receivesAudio({ jitterBufferMs: null }),
    aProbe('1a').joined({}),
  ]) {
    const verdict = withOne(probe);
    expect(verdict.kind).toBe('void');
    expect(codes(verdict)).toEqual(['samples-missing']);
    expect(verdict.thresholds.some((threshold) => !threshold.passed)).toBe(true);
  }
});

test('a server that reports no up-link loss is not judged by it', () => {
  expect(withOne(aProbe('1a').sendsVideo({ lossPercent: null }).sendsAudio({ lossPercent: null })).kind).toBe('stable');
});

test('a stream without a baseline of its kind is void', () => {
  expect(judged(calls(2), { baseline: { streams: {} } })).toMatchObject({ kind: 'void' });
});

test('late pages make only a failing trial void: a tired probe makes things worse, never better', () => {
  expect(withOne(lateFor(20)).kind).toBe('stable');
  expect(failing({}, lateFor(3)).kind).toBe('unstable');
  expect(failing({}, lateFor(4))).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(failing({}, lateFor(12))).toMatchObject({ kind: 'void', probesExhausted: true });
  expect(codes(failing({}, lateFor(12)))).toEqual(['page-timer-late']);
});

test('a host that makes up sound as it plays makes only a failing trial void, whatever else of that is noticed', () => {
  const madeUp = (ms: number) => aProbe('1a').receivesAudio({ synthesizedMs: () => ms });
  expect(withOne(madeUp(300)).kind).toBe('stable');
  expect(failing({}, madeUp(20)).kind).toBe('unstable');
  expect(failing({}, madeUp(21))).toMatchObject({
    kind: 'void',
    probesExhausted: false,
    reasons: [{ code: 'playout-late', probe: '1a', measured: 2.1, limit: 2, unit: '%' }],
  });
  expect(failing({}, madeUp(200))).toMatchObject({ kind: 'void', probesExhausted: true });
});

const fullFor =
  (seconds: number, probeCores = 3.6) =>
  (second: number) =>
    second < seconds ? { busyCores: 3.95, probeCores } : {};

test('a probe host out of CPU makes only a failing trial void, and exhausted when it lasted', () => {
  expect(judged(calls(3), { host: fullFor(60) }).kind).toBe('stable');
  expect(failing({ host: fullFor(6) }).kind).toBe('unstable');
  expect(failing({ host: fullFor(7) })).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(failing({ host: fullFor(60) })).toMatchObject({
    kind: 'void',
    probesExhausted: true,
    reasons: [
      {
        code: 'probe-cpu',
        text: 'The probe host was out of CPU in 60 of 60 s while measuring: 3.95 of 4 cores busy, 3.6 of them with the browsers.',
      },
    ],
  });
});

test('probes that use all that the media server leaves them are out of CPU', () => {
  const host = () => ({ busyCores: 3.7, probeCores: 1.7 });
  const server = () => ({ cpuCores: 2.3 });
  expect(failing({ host, server })).toMatchObject({ kind: 'void', probesExhausted: true });
  expect(failing({ host, server, sameHost: false }).kind).toBe('unstable');
});

test('probes that fill the one core they may run on are out of CPU, though the machine and its server are not', () => {
  const host = () => ({ cores: 1, machineCores: 4, busyCores: 1, probeCores: 1 });
  const server = () => ({ cpuCores: 1.5 });
  expect(failing({ host, server })).toMatchObject({ kind: 'void', probesExhausted: true });
  expect(failing({ host, server }).reasons[0]?.text).toContain('1 of 1 cores busy, 1 of them with the browsers');
  // What fills the rest of that core may be the server, or another program: it is not called an accident.
  const half = () => ({ ...host(), probeCores: 0.5 });
  expect(failing({ host: half, server })).toMatchObject({ kind: 'void', reasons: [{ code: 'probe-cpu' }] });
  const idle = () => ({ ...host(), busyCores: 0.5, probeCores: 0.4 });
  expect(failing({ host: idle, server }).kind).toBe('unstable');
});

test('what else fills the cores that probes are held to is an accident where the server does not account for it', () => {
  const host = () => ({ cores: 1, machineCores: 4, busyCores: 1, probeCores: 0.5 });
  const server = () => ({ cpuCores: 1.5 });
  const accident = (words: string) => ({
    kind: 'void',
    probesExhausted: false,
    reasons: [{ code: 'environment', text: expect.stringContaining(words) }],
  });
  expect(failing({ host, server, sameHost: false })).toMatchObject(accident('busy, 0.5 of them with other processes'));
  expect(failing({ host, server, serverApart: true })).toMatchObject(
    accident('busy, 0.5 of them with other processes'),
  );
  const little = () => ({ cpuCores: 0.2 });
  expect(failing({ host, server: little })).toMatchObject(accident('busy, at least 0.3 of them with other processes'));
});

test('a host filled by other processes is an accident of the environment, not a limit of the probes', () => {
  const verdict = failing({ host: fullFor(60, 1) });
  expect(verdict).toMatchObject({ kind: 'void', probesExhausted: false });
  expect(codes(verdict)).toEqual(['environment']);
});

test('with other processes on a full host nothing proves that the size was too much: a repeat is worth it', () => {
  const symptoms = [aProbe('1a').sendsVideo({ sourceFps: 20, limitedBy: () => 'cpu' }), lateFor(30)];
  for (const probe of symptoms) {
    expect(failing({ host: fullFor(60, 1) }, probe)).toMatchObject({ kind: 'void', probesExhausted: false });
    expect(failing({}, probe)).toMatchObject({ kind: 'void', probesExhausted: true });
  }
});

test('browsers that a CPU quota holds back make a failing trial void on an idle host', () => {
  const quota = (throttledShare: number) => failing({ host: () => ({ throttledShare }) });
  expect(quota(0.1).kind).toBe('unstable');
  expect(quota(0.2)).toMatchObject({ kind: 'void', probesExhausted: false, reasons: [{ code: 'probe-cpu' }] });
  expect(quota(0.95)).toMatchObject({ kind: 'void', probesExhausted: true });
  expect(quota(0.95).reasons[0]?.text).toBe(
    'A CPU quota (cgroup) held the browsers back 95 % of the time while measuring (limit 10 %).',
  );
  expect(judged(calls(3), { host: () => ({ throttledShare: 0.95 }) }).kind).toBe('stable');
});

test('stolen CPU and lack of memory on the probe host make a failing trial void', () => {
  expect(codes(failing({ host: () => ({ stealCores: 0.5 }) }))).toEqual(['environment']);
  expect(failing({ host: () => ({ memoryAvailableMb: 100 }) })).toMatchObject({
    kind: 'void',
    probesExhausted: true,
    reasons: [{ code: 'probe-host-memory' }],
  });
});

test('a pass while CPU is stolen stays stable and says what disturbed it, and a failure that was discarded says so', () => {
  const stolen = { host: () => ({ stealCores: 0.44 }) };
  const passed = judged(calls(3), stolen);
  expect(passed).toMatchObject({ kind: 'stable', reasons: [], disturbedBy: [{ code: 'environment' }] });
  expect(passed).not.toHaveProperty('probesExhausted');
  expect(failing(stolen)).toMatchObject({ kind: 'void', discardsFailure: true });
  const scarce = judged(calls(3), { host: () => ({ memoryAvailableMb: 100 }) });
  expect(scarce).toMatchObject({ kind: 'stable', disturbedBy: [{ code: 'probe-host-memory' }], probesExhausted: true });
  for (const undisturbed of [judged(calls(3)), failing()]) {
    expect(undisturbed).not.toHaveProperty('disturbedBy');
    expect(undisturbed).not.toHaveProperty('discardsFailure');
  }
});

test('a host out of CPU before the window voids failed joins, but not what is seen in the window', () => {
  const events: TrialEvent[] = [
    { type: 'phase', atMs: startMs, phase: 'join' },
    { type: 'phase', atMs: startMs + 20_000, phase: 'settle' },
  ];
  const window = { startMs: startMs + 30_000, endMs: startMs + 60_000 };
  const inLastHalf = (probe: ProbeBuilder) => {
    const trial = aTrial(withProbes(calls(3), probe), { host: fullFor(20), events, window });
    return judge({ ...trial, timing: { ...trial.timing, measureMs: 30_000 } });
  };
  expect(inLastHalf(aProbe('2b').fails('ice-timeout', 'no ICE connection in 10 s'))).toMatchObject({
    kind: 'void',
    reasons: [{ code: 'probe-cpu', text: expect.stringContaining('20 of 20 s while participants joined') }],
  });
  expect(inLastHalf(starving).kind).toBe('unstable');
});

test('a crashed page or browser is void and not exhausted, whatever its peers missed', () => {
  for (const code of [
    'page-crashed',
    'browser-crashed',
    'browser-start',
    'page-error',
    'candidates-unusable',
  ] as const) {
    const crashed = aProbe('2a').fails(code, 'SIGKILL', true);
    expect(failing({}, crashed)).toMatchObject({ kind: 'void', probesExhausted: false });
  }
});

test('a refusal is the own word of the server, even when the probe host is full', () => {
  const refused = aProbe('3a').fails('refused', 'NOT_ENOUGH_RESOURCES (40009)');
  const verdict = withOne(refused, { host: fullFor(60) });
  expect(verdict).toMatchObject({ kind: 'unstable', reasons: [{ code: 'join-failed', probe: '3a' }] });
  expect(verdict.reasons[0]?.text).toBe('3a was refused: NOT_ENOUGH_RESOURCES (40009).');
});

test('a refusal of whose source has fallen is not the own word of the server', () => {
  const refused = aProbe('3a').fails('refused', '404: no such stream');
  const verdict = judged(withProbes(calls(3), refused, aProbe('3b').fails('candidates-unusable', 'of TCP')));
  const text = '3b has no way to the server: of TCP.';
  expect(verdict).toMatchObject({ kind: 'void', reasons: [{ code: 'candidates-unusable', probe: '3b', text }] });
  const other = judged(withProbes(calls(3), refused, aProbe('2b').fails('page-error', 'no offer')));
  expect(other).toMatchObject({ kind: 'unstable', reasons: [{ code: 'join-failed', probe: '3a' }] });
});

test('an interrupted trial is void, and interruption comes before all else', () => {
  const lost: TrialEvent = { type: 'server', kind: 'lost', atMs: startMs, detail: 'SIGINT' };
  for (const verdict of [
    failing({ interrupted: true, events: [lost], host: fullFor(60) }),
    withOne(aProbe('1a').fails('aborted', 'stopped', true)),
  ]) {
    expect(verdict).toMatchObject({ kind: 'void', probesExhausted: false, reasons: [{ code: 'interrupted' }] });
  }
});

test('a clean window that is shorter than asked is void; so is a trial that measured nothing', () => {
  const short = judged(calls(2), { window: { startMs, endMs: startMs + 20_000 } });
  expect(short).toMatchObject({ kind: 'void', reasons: [{ text: 'Only 20 s of 60 s were measured.' }] });
  const nothing = judged(calls(2), { window: null });
  expect(nothing).toMatchObject({ kind: 'void', reasons: [{ code: 'samples-missing' }] });
});

test('a trial that ended before its window because nobody could join is unstable', () => {
  const refused = calls(2).map((probe) => probe.fails('ice-timeout', 'no ICE connection in 10 s'));
  expect(judged(refused, { window: null })).toMatchObject({ kind: 'unstable' });
});

test('the void of one probe does not hide behind healthy ones', () => {
  const many = withProbes(calls(20), aProbe('17b').sendsVideo({ sourceFps: 10 }));
  expect(judged(many)).toMatchObject({ kind: 'void', reasons: [{ code: 'camera-short', probe: '17b' }] });
});

test('packets that the server itself dropped on its full up-link are not excused by a full probe host, unless load was missing', () => {
  const full = () => ({ busyCores: 4, probeCores: 3.6 });
  const drops = (perSecond: number) => ({ host: full, server: () => ({ egressDroppedPackets: perSecond }) });
  expect(failing({ host: full }).kind).toBe('void');
  expect(failing(drops(1)).kind).toBe('void');
  const verdict = failing(drops(40));
  expect(verdict.kind).toBe('unstable');
  expect(verdict.reasons[0]).toMatchObject({ code: 'server-drops', limit: 1, unit: '%' });
  // One that tells, of a cluster whose other server is silent.
  const beside = (second: number) => {
    const atMs = startMs + 1000 * second;
    return {
      servers: [
        { server: 'A', atMs, egressDroppedPackets: 40 },
        { server: 'B', atMs },
      ],
    };
  };
  expect(failing({ host: full, server: beside }).reasons[0]).toMatchObject({ code: 'server-drops' });
  expect(verdict.reasons[0]?.text).toMatch(
    /^The up-link of the media server was full: by its own count it dropped 2360 packets, \d/,
  );
  expect(failing(drops(40), aProbe('1a').sendsVideo({ sourceFps: 20 })).kind).toBe('void');
  expect(judged(calls(3), drops(40)).kind).toBe('stable');
});

test('what the server dropped before the window, though it was read in it, is not held against it', () => {
  const trial = aTrial(withProbes(calls(3), starving), { host: () => ({ busyCores: 4, probeCores: 3.6 }) });
  const reading = (atMs: number, egressDroppedPackets: number) => ({ atMs, cpuCores: 0.1, egressDroppedPackets });
  const dropping = (firstMs: number) => {
    const server = [reading(startMs - 900, 0), reading(firstMs, 5000), reading(startMs + 1100, 0)];
    return judge({ ...trial, evidence: { ...trial.evidence, server } });
  };
  expect(dropping(startMs + 100).kind).toBe('void');
  expect(dropping(startMs - 10).kind).toBe('void');
});
