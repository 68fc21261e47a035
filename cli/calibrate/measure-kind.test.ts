import { expect, test } from '@playwright/test';
import { type CalibrationStep, calibrationOf } from '../../analysis/judge/calibration.js';
import { LoadlineError } from '../../model/errors.js';
import { planSchema } from '../../model/plan.js';
import { visit } from '../../scenarios/visit.js';
import type { SimulationOptions } from '../../simulation/simulated-parts.js';
import { type Interference, type LoggedParts, logged } from '../../tests/logged-parts.js';
import { aSimulatedRun } from '../../tests/simulated-run.js';
import { calibratedTiming, type KindOrder, measureKind, measureSessions } from './measure-kind.js';

const playersMb = async () => 320;

interface Calibrated {
  readonly steps: readonly CalibrationStep[];
  readonly told: LoggedParts;
  readonly tookMs: number;
}

async function calibrated(
  options: Partial<SimulationOptions>,
  interfere?: (abort: AbortController) => Interference,
): Promise<Calibrated> {
  const abort = new AbortController();
  const { parts } = aSimulatedRun({ capacity: 1000, ...options });
  const told = logged(parts, interfere?.(abort));
  const server = await parts.server.start(abort.signal);
  const startMs = parts.clock.nowMs();
  const steps = await measureKind({
    ...{ kind: 'full', cores: 8, server, parts: told.parts, playersMb, signal: abort.signal, onStep: () => undefined },
    plan: { server: { kind: 'embedded' } },
    layout: { probesPerPage: 4, pagesPerBrowser: 4 },
  });
  return { steps, told, tookMs: parts.clock.nowMs() - startMs };
}

test('calibrating finds a number of probes that a host carries and one, a fifth above, that is too many', async () => {
  const { steps } = await calibrated({ probeLimit: 10 });
  const carried = Math.max(...steps.filter((step) => step.carried).map(({ probes }) => probes));
  const tooMany = Math.min(...steps.filter((step) => !step.carried).map(({ probes }) => probes));
  expect(carried).toBeLessThanOrEqual(20);
  expect(tooMany).toBeGreaterThan(20);
  expect(tooMany).toBeLessThanOrEqual(Math.max(carried + 2, 1.2 * carried));
  expect(steps.find((step) => !step.carried)?.because).toMatch(/CPU|camera/);
});

test('pages of an app are tried in whole rooms, and what one costs is of the largest number that was carried', async () => {
  const { signal } = new AbortController();
  const { parts } = aSimulatedRun({ capacity: 1000, probeLimit: 10 });
  const server = await parts.server.start(signal);
  const visited = { expect: [{ role: 'member', sends: ['audio' as const, 'video' as const], audio: 2, video: 2 }] };
  const timing = { ...calibratedTiming, pacePerSecond: 6 };
  const of = {
    scenario: 'visit',
    roomSize: 3,
    server: { kind: 'web-app', url: 'https://meet.example' },
    players: { kind: 'visiting', ...visited },
    timing,
  };
  const order = { cores: 8, server, parts, playersMb, signal, onStep: () => undefined };
  const steps = await measureSessions({ ...order, plan: planSchema.parse(of), scenario: visit(3, visited) });
  expect(steps.filter(({ probes }) => probes % 3 !== 0)).toEqual([]);
  const { carries, tooMany, coresPerProbe } = calibrationOf(steps);
  // A simulated host gives ten full sessions of two their CPU.
  expect([carries <= 20, (tooMany ?? 0) > 20]).toEqual([true, true]);
  expect(coresPerProbe).toBeCloseTo((steps.find(({ probes }) => probes === carries)?.probeCores ?? 0) / carries, 9);
});

test('each number of probes is a trial: a clean server before it, and all undone after it', async () => {
  const { steps, told } = await calibrated({ probeLimit: 3 });
  const [first] = steps;
  expect(first).toMatchObject({ probes: 4, carried: true, pssMb: 320 });
  expect(told.calls.slice(0, 8)).toEqual([
    'reset',
    'join',
    'open 1',
    'open 2',
    'leave',
    'close 1',
    'close 2',
    'browsers end',
  ]);
  expect(told.calls.filter((call) => call === 'reset')).toHaveLength(steps.length);
});

test('what a step cost is the mean of the readings of its window alone', async () => {
  const [first] = (await calibrated({ probeLimit: 3 })).steps;
  // A simulated probe host: half a core and a hundredth for each probe, 95 % of it the browsers'.
  expect(first?.probeCores).toBeCloseTo(0.95 * (0.5 + 0.04), 6);
  expect(first?.serverCores).toBeGreaterThan(0);
});

test('settling takes all of its time: a picture may still freeze when rates have stopped growing', async () => {
  const { steps, tookMs } = await calibrated({ probeLimit: 1 });
  expect(tookMs).toBeGreaterThanOrEqual(steps.length * 24_000);
});

test('a server that goes away ends calibrating with what it said, and is no number of probes', async () => {
  const died = calibrated({ diesAbove: 3 });
  await expect(died).rejects.toBeInstanceOf(LoadlineError);
  await expect(died).rejects.toMatchObject({ code: 'E_SERVER_LOST' });
});

test('native probes join at a pace of the cores, beside the servers that are named, and none is to be in a browser', async () => {
  const asked: { readonly pace: number; readonly encoded: boolean }[] = [];
  const { parts } = aSimulatedRun({ capacity: 1000, probeLimit: 3 });
  const { signal } = new AbortController();
  const server = await parts.server.start(signal);
  const tried = async (kind: KindOrder['kind'], cores: number) => {
    const startFleet: typeof parts.startFleet = (options, listener) => {
      const fleet = parts.startFleet(options, listener);
      const join: typeof fleet.join = (participants, joining) => {
        asked.push({ pace: joining.pacePerSecond, encoded: options.encoded !== undefined });
        return fleet.join(participants, joining);
      };
      return Object.assign(Object.create(fleet) as typeof fleet, { join });
    };
    const layout = { probesPerPage: 4, pagesPerBrowser: 4 };
    const plan = { server: { kind: 'embedded' } };
    const order = { kind, cores, plan, server, layout, playersMb, signal, onStep: () => undefined };
    await measureKind({ ...order, parts: { ...parts, startFleet } });
    return asked.splice(0)[0];
  };
  expect(await tried('encoded', 4)).toEqual({ pace: 6, encoded: true });
  expect(await tried('native', 1)).toEqual({ pace: 6, encoded: false });
  expect(await tried('native', 4)).toEqual({ pace: 12, encoded: false });
  expect(await tried('native', 64)).toEqual({ pace: 20, encoded: false });
});

test('an interruption ends calibrating, after everything was undone', async () => {
  let calls: readonly string[] = [];
  const stopped = calibrated({}, (abort) => (call) => {
    calls = [...calls, call];
    if (call === 'open 2') abort.abort(new Error('stopped'));
  });
  await expect(stopped).rejects.toThrow('stopped');
  expect(calls).toEqual(expect.arrayContaining(['leave', 'close 1', 'browsers end']));
});
