import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from '@playwright/test';
import { median } from '../analysis/statistics/statistics.js';
import { planSchema } from '../model/plan.js';
import type { Step } from '../model/run.js';
import type { RunEvent } from '../model/run-event.js';
import type { TrialRecord } from '../model/trial.js';
import type { StartFleet } from '../probes/fleet.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { embeddedServer, steadyHeapFlags } from '../server-setup/embedded/embedded-process.js';
import { simulatedFleets } from '../simulation/simulated-fleet.js';
import { conductRun } from '../trial/conduct-run.js';
import type { Clock } from '../trial/parts.js';
import { long } from './effort.js';
import { offerSeed } from './fuzz/fuzz-seeds.js';
import { writeTable } from './reliability-table.js';
import { aMemorySink, aSimulatedRun } from './simulated-run.js';

const built = fileURLToPath(new URL('../dist/loadline.js', import.meta.url));

/** 30 in CI; `npm run leaks` takes 200. */
const trials = Number(process.env.LOADLINE_LEAK_TRIALS ?? 30);
const callsEach = 3;
/** Time runs so much faster for the tool than it does. */
const speed = 20;

interface Footprint {
  readonly toolMb: number;
  readonly toolFiles: number;
  readonly serverMb: number;
  readonly serverFiles: number;
}

test(
  `${trials} trials in a row leave the memory and the files of tool and server as they were after the tenth`,
  long,
  async () => {
    test.setTimeout(60_000 + 5000 * trials);
    const server = embeddedServer({ command: [process.execPath, ...steadyHeapFlags, built] });
    let pid = 0;
    const footprints: Footprint[] = [];
    const clock = fastClock();
    const { parts } = aSimulatedRun();
    const listener = (event: RunEvent) => {
      if (event.type === 'run-started') pid = event.manifest.server.pid ?? 0;
      if (event.type === 'trial-ended') footprints.push(footprintOf(pid, event.record));
    };
    const plan = planSchema.parse({
      scenario: 'one-to-one',
      server: { kind: 'embedded' },
      timing: { pacePerSecond: 10, settleMs: 4000, measureMs: 10_000, earlyStop: false },
    });
    const startFleet = negotiatingFleets(clock);
    const sinks = [aMemorySink()];
    const step = (history: readonly unknown[]): Step =>
      history.length < trials
        ? { kind: 'try', size: history.length === 0 ? 1 : callsEach, why: 'fixed', text: 'again' }
        : { kind: 'done', answer: { outcome: 'found', stable: callsEach, unstable: null, flaky: [], because: 'done' } };
    await conductRun(
      plan,
      oneToOne,
      { ...parts, server, clock, startFleet, sinks, listener },
      new AbortController().signal,
      step,
    );
    expect(footprints).toHaveLength(trials);
    assertFlat(footprints);
    tell(footprints);
  },
);

function assertFlat(footprints: readonly Footprint[]): void {
  const of = (name: keyof Footprint, from: number, to?: number) =>
    median(footprints.slice(from, to).map((one) => one[name])) ?? 0;
  const words = JSON.stringify(footprints.filter((_, nth) => nth % 10 === 9));
  expect(of('serverMb', -5), words).toBeLessThan(of('serverMb', 9, 14) * 1.15 + 10);
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

function fastClock(): Clock {
  const beganMs = Date.now();
  return {
    nowMs: () => beganMs + (Date.now() - beganMs) * speed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => {
          clearTimeout(timer);
          reject(signal.reason);
        };
        const timer = setTimeout(() => {
          signal.removeEventListener('abort', onAbort);
          resolve();
        }, ms / speed);
        if (signal.aborted) onAbort();
        else signal.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

/** Probes that exist in numbers only, but whose sessions are negotiated with the server: endpoints, sockets, ICE. */
function negotiatingFleets(clock: Clock): StartFleet {
  const conditions = { arrivingShare: 1, lossShare: 0, frozenMs: 0, rttMs: 20, jitterMs: 2 };
  const fakes = simulatedFleets({ clock, chance: () => 0.5, conditionsOf: () => conditions });
  return (options, listener) => {
    const fleet = fakes(options, listener);
    const join: typeof fleet.join = (participants, given) =>
      fleet.join(participants, {
        ...given,
        negotiate: async (request) => {
          const negotiated = await given.negotiate({ ...request, offer: offerSeed });
          const candidate = 'candidate:1 1 udp 2130706431 127.0.0.1 9 typ host generation 0';
          await negotiated.addCandidate({ candidate, sdpMid: '0', sdpMLineIndex: 0 });
          return negotiated;
        },
      });
    return {
      join,
      records: () => fleet.records(),
      hosts: () => fleet.hosts(),
      readHosts: () => fleet.readHosts(),
      leave: () => fleet.leave(),
      close: () => fleet.close(),
    };
  };
}

function tell(footprints: readonly Footprint[]): void {
  const at = (nth: number): string => {
    const one = footprints[nth];
    if (!one) return '';
    return `| ${nth + 1} | ${one.toolMb.toFixed(1)} | ${one.toolFiles} | ${one.serverMb.toFixed(1)} | ${one.serverFiles} |`;
  };
  const shown = [9, 49, 99, 149, footprints.length - 1].filter(
    (nth, index, all) => nth < footprints.length && all.indexOf(nth) === index,
  );
  writeTable('leaks', [
    `${trials} trials of ${callsEach} calls in a row, probes simulated, sessions negotiated with a real embedded server (\`npm run leaks\`):`,
    '',
    '| after trial | tool, heap MB | tool, files | server, RSS MB | server, files |',
    '|---:|---:|---:|---:|---:|',
    ...shown.map(at),
  ]);
}
