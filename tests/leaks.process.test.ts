import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@playwright/test';
import { memoryGrowth } from '../analysis/measure/server-load.js';
import { median } from '../analysis/statistics/statistics.js';
import { planSchema } from '../model/plan.js';
import type { Manifest, Step } from '../model/run.js';
import type { RunEvent } from '../model/run-event.js';
import type { Scenario } from '../model/scenario.js';
import type { TrialRecord } from '../model/trial.js';
import { onConnections } from '../scenarios/on-connections.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { EmbeddedProcess, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { JanusServer } from '../server-setup/janus/janus-server.js';
import { tokensBy } from '../server-setup/livekit/access-token.js';
import { LiveKitServer } from '../server-setup/livekit/livekit-server.js';
import type { MediaServer } from '../server-setup/media-server.js';
import { conductRun } from '../trial/conduct-run.js';
import { long } from './effort.js';
import { hasJanus, realJanus } from './real-janus.js';
import { hasLiveKit, noLiveKit, realLiveKit } from './real-livekit.js';
import { fastClock, negotiatingFleets } from './real-signalling.js';
import { writeTable } from './reliability-table.js';
import { aMemorySink, aSimulatedRun } from './simulated-run.js';

const built = fileURLToPath(new URL('../dist/loadline.js', import.meta.url));

/** 30 in CI; `npm run leaks` takes 200, and takes them with a real Janus and a real LiveKit, too. */
const trials = Number(process.env.LOADLINE_LEAK_TRIALS ?? 30);
const takesReal = process.env.LOADLINE_LEAK_REAL === '1';
const callsEach = 3;
const done = { outcome: 'found', stable: callsEach, unstable: null, flaky: [], because: 'done' } as const;
const speed = 20;

interface Footprint {
  readonly toolMb: number;
  readonly toolFiles: number;
  readonly serverMb: number;
  readonly serverFiles: number;
}

interface Watched {
  readonly footprints: readonly Footprint[];
  readonly manifest: Manifest | undefined;
  readonly records: readonly TrialRecord[];
}

const memoryAndFiles = `${trials} trials in a row leave the memory and the files of tool and server as they were after the tenth`;

test(memoryAndFiles, long, async () => {
  test.setTimeout(60_000 + 5000 * trials);
  const server = new EmbeddedProcess({ command: [process.execPath, ...steadyHeapFlags, built] });
  const { footprints } = await watched(server, 'embedded', oneToOne);
  assertFlat(footprints);
  tell('leaks', 'a real embedded server', footprints);
});

test(`${memoryAndFiles}, of a real Janus, or the report says what the server keeps`, long, async () => {
  test.skip(!takesReal, 'part of `npm run leaks` alone');
  test.skip(!(await hasJanus()), 'no janus is installed (apt-get install janus)');
  test.setTimeout(60_000 + 5000 * trials);
  const secrets = { api: 'only-for-tests', admin: 'only-for-tests-too' };
  const janus = await realJanus({ apiSecret: secrets.api, adminSecret: secrets.admin });
  try {
    const { url, adminUrl } = janus;
    const server = new JanusServer({ url, adminUrl, secrets, maxVideoKbps: 500, videoCodec: 'vp8' });
    const { footprints, manifest, records } = await watched(server, 'janus', onConnections(oneToOne, 'one'));
    const told = manifest && memoryGrowth({ manifest, records, answer: done, runDirectory: '' });
    assertFlat(footprints, told !== undefined);
    tell('leaks-janus', 'a real Janus, its Admin API asked after each', footprints);
  } finally {
    await janus.close();
  }
});

test(`${memoryAndFiles}, of a real LiveKit, or the report says what the server keeps`, long, async () => {
  test.skip(!takesReal, 'part of `npm run leaks` alone');
  test.skip(!hasLiveKit(), noLiveKit);
  test.setTimeout(60_000 + 5000 * trials);
  const livekit = await realLiveKit();
  try {
    const { url, env, pid } = livekit;
    const picture = { width: 640, height: 360, videoKbps: 500, codec: 'vp8' };
    const server = new LiveKitServer({ url, tokens: () => tokensBy(env, url), picture, process: String(pid) });
    const { footprints, manifest, records } = await watched(server, 'livekit', onConnections(oneToOne, 'one'));
    const told = manifest && memoryGrowth({ manifest, records, answer: done, runDirectory: '' });
    assertFlat(footprints, told !== undefined);
    tell('leaks-livekit', 'a real LiveKit, its rooms listed after each', footprints);
  } finally {
    await livekit.close();
  }
});

/** Conducts the trials, with probes that are simulated and sessions that are not. */
async function watched(server: MediaServer, kind: string, scenario: Scenario): Promise<Watched> {
  const clock = fastClock(speed);
  let manifest: Manifest | undefined;
  const footprints: Footprint[] = [];
  const records: TrialRecord[] = [];
  const { parts } = aSimulatedRun();
  const listener = (event: RunEvent) => {
    if (event.type === 'run-started') manifest = event.manifest;
    if (event.type !== 'trial-ended') return;
    records.push(event.record);
    footprints.push(footprintOf(manifest?.server.pid ?? 0, event.record));
  };
  const plan = planSchema.parse({
    scenario: 'one-to-one',
    server: { kind },
    timing: { pacePerSecond: 10, settleMs: 4000, measureMs: 10_000, earlyStop: false },
  });
  const step = (history: readonly unknown[]): Step =>
    history.length < trials
      ? { kind: 'try', size: history.length === 0 ? 1 : callsEach, why: 'fixed', text: 'again' }
      : { kind: 'done', answer: done };
  const startFleet = negotiatingFleets(clock);
  const its = { ...parts, server, clock, startFleet, sinks: [aMemorySink()], listener };
  await conductRun({ plan, scenario }, step, its, new AbortController().signal);
  expect(footprints).toHaveLength(trials);
  // On a machine that is busy, time that runs so fast is too short for some; what nobody joined would hold nothing.
  const joined = records.filter(({ probes, probesUp }) => probesUp === probes.length);
  expect(joined.length).toBeGreaterThan(0.9 * trials);
  return { footprints, manifest, records };
}

function assertFlat(footprints: readonly Footprint[], serverMayGrow = false): void {
  const of = (name: keyof Footprint, from: number, to?: number) =>
    median(footprints.slice(from, to).map((one) => one[name])) ?? 0;
  const words = JSON.stringify(footprints.filter((_, nth) => nth % 10 === 9));
  if (!serverMayGrow) expect(of('serverMb', -5), words).toBeLessThan(of('serverMb', 9, 14) * 1.15 + 10);
  expect(of('toolMb', -5), words).toBeLessThan(of('toolMb', 9, 14) * 1.15 + 0.05 * footprints.length + 10);
  expect(of('serverFiles', -5), words).toBeLessThanOrEqual(of('serverFiles', 9, 14) + 2);
  expect(of('toolFiles', -5), words).toBeLessThanOrEqual(of('toolFiles', 9, 14) + 2);
}

/** After a trial: what is held, not what waits to be collected. The server's memory is what its reset found. */
function footprintOf(pid: number, record: TrialRecord): Footprint {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return {
    toolMb: process.memoryUsage().heapUsed / 1e6,
    toolFiles: readdirSync('/proc/self/fd').length,
    serverMb: record.reset?.rssMb ?? 0,
    serverFiles: readdirSync(`/proc/${pid}/fd`).length,
  };
}

function tell(table: string, server: string, footprints: readonly Footprint[]): void {
  const at = (nth: number): string => {
    const one = footprints[nth];
    if (!one) return '';
    // A reading of all processes of the host that is under way has a file of each open for a moment.
    const toolFiles = Math.min(...footprints.slice(nth - 2, nth + 3).map((each) => each.toolFiles));
    return `| ${nth + 1} | ${one.toolMb.toFixed(1)} | ${toolFiles} | ${one.serverMb.toFixed(1)} | ${one.serverFiles} |`;
  };
  const shown = [9, 49, 99, 149, footprints.length - 1].filter(
    (nth, index, all) => nth < footprints.length && all.indexOf(nth) === index,
  );
  writeTable(table, [
    `${trials} trials of ${callsEach} calls in a row, probes simulated, sessions negotiated with ${server} (\`npm run leaks\`):`,
    '',
    '| after trial | tool, heap MB | tool, files | server, RSS MB | server, files |',
    '|---:|---:|---:|---:|---:|',
    ...shown.map(at),
  ]);
}
