import { expect, test } from '@playwright/test';
import { runCommandLine } from '../cli/command-line.js';
import { thresholdsOf } from '../cli/options/threshold-flags.js';
import { networkSchema } from '../model/network.js';
import type { Plan } from '../model/plan.js';
import type { RecordingsRecord } from '../model/trial.js';
import { scenarioOf, scenarios } from '../scenarios/index.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { readRun } from '../store/run-directory/read-run.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { findLimit } from '../trial/find-limit.js';
import type { Parts } from '../trial/parts.js';
import { fakeProcess } from './cli/fake-process.js';
import { disordered } from './disordered-fleet.js';
import { long } from './effort.js';
import { logged } from './logged-parts.js';
import { aPlan, aSimulatedRun, startMs } from './simulated-run.js';
import { withReportsEvery } from './sparse-reports.js';
import { recordedRun, withRunFolder } from './stored-runs.js';

/** A run whose every stored trial is to get the same verdict again: reasons, thresholds and all their figures. */
interface Story {
  readonly server?: Partial<SimulationOptions>;
  readonly plan?: Partial<Plan>;
  readonly search?: Partial<Plan['search']>;
  readonly timing?: Partial<Plan['timing']>;
  /** Called before each call that the conductor makes, with the number of fleets that have joined. */
  readonly interfere?: (call: string, joined: number, abort: AbortController) => void;
  readonly parts?: (parts: Parts) => Partial<Parts>;
  /** What is said of the recordings of each trial. */
  readonly recordings?: RecordingsRecord;
  /** In the long suite alone: another story is told alike. */
  readonly isLong?: true;
  /** The run is searched; absent: a size that holds and one that does not are tried. */
  readonly isSearched?: true;
  /** What the story is called by is among the reasons of its trials. */
  readonly among?: string;
}

interface Trial {
  readonly trial: number;
  readonly before: string;
  readonly after: string;
  readonly same: boolean;
  readonly reasons: readonly { readonly code: string; readonly probe?: string }[];
}

async function judgedAgain(runDirectory: string): Promise<readonly Trial[]> {
  const tool = fakeProcess({ args: ['judge', runDirectory, '--format', 'json'] });
  const exitCode = await runCommandLine(tool);
  const { trials }: { trials: readonly Trial[] } = JSON.parse(tool.written.stdout());
  expect(exitCode, tool.written.stderr()).toBe(trials.every(({ after }) => after === 'void') ? 4 : 0);
  return trials;
}

/** Conducts the run into a folder and judges it again from there. */
async function conducted(story: Story, folder: string): Promise<readonly Trial[]> {
  const { server: simulated, plan: changes, search, timing, interfere, parts, recordings, isSearched } = story;
  const tried: Story['search'] = isSearched ? {} : { strategy: 'fixed', sizes: [2, 5], confirm: 1 };
  const plan: Plan = {
    ...aPlan({ max: 8, ...tried, ...search }, { measureMs: 12_000, settleMs: 12_000, pacePerSecond: 20, ...timing }),
    ...changes,
  };
  const scenario = scenarioOf(plan);
  if (!scenario) throw new Error(`no scenario ${plan.scenario}`);
  const place = { parent: folder, scenario: scenario.name, server: 'simulated', startedAtMs: startMs };
  const runDirectory = await createRunDirectory(place);
  const stored = { sinks: [runDirectorySink(runDirectory)], runDirectory };
  const run = aSimulatedRun({ scenario, capacity: 3, seed: 3, ...simulated }, stored);
  const abort = new AbortController();
  let joined = 0;
  const told = logged({ ...run.parts, ...parts?.(run.parts) }, (call) => {
    if (call === 'join') joined += 1;
    interfere?.(call, joined, abort);
  });
  const checked = recordings && { recordings: { stop: async () => undefined, check: async () => recordings } };
  const server = { ...told.parts.server, ...checked };
  await findLimit({ plan, scenario }, { ...told.parts, ...stored, server }, abort.signal);
  return judgedAgain(runDirectory);
}

const network = (name: string, sharePercent: number, lossPercent: number) => {
  const link = { delayMs: 40, loss: { kind: 'random', percent: lossPercent } };
  return networkSchema.parse({ name, sharePercent, up: link, down: link, steps: [] });
};

const stories: Readonly<Record<string, Story>> = {
  'with sizes that fail in many ways, and trials that ended early': { isSearched: true },
  'with trials that were screened, joined at another pace': {
    isLong: true,
    isSearched: true,
    timing: { autoPace: true, measureMs: 30_000 },
  },
  'without early ends': { isLong: true, timing: { earlyStop: false } },
  'of slow pictures': { isLong: true, server: { symptom: 'slow' } },
  'of lost packets': { isLong: true, server: { symptom: 'loss' } },
  'in which browsers crash': { isSearched: true, server: { voidRate: 0.3, seed: 11 }, search: { voidRepeats: 4 } },
  'whose probe host is out of CPU': { server: { capacity: 20, probeLimit: 3 }, among: 'probe-cpu' },
  'whose server refuses': { isLong: true, server: { capacity: 20, refusesAbove: 3 } },
  'whose server dies': { server: { capacity: 20, diesAbove: 3 }, among: 'server-lost' },
  'that was interrupted while participants joined': {
    isLong: true,
    interfere: (call, joined, abort) => call.startsWith('open') && joined === 3 && abort.abort(),
    among: 'interrupted',
  },
  'that climbed in small steps': { search: { strategy: 'ramp' }, isSearched: true },
  'on two networks, counted from what one call has on them': {
    plan: { networks: [network('clean', 50, 0), network('poor', 50, 2)] },
  },
  'on two networks, with limits as they are written': {
    isLong: true,
    plan: { networks: [network('clean', 50, 0), network('poor', 50, 2)], absoluteLimits: true },
  },
  'whose receivers report every fifth second': {
    isLong: true,
    server: { symptom: 'loss' },
    parts: ({ startFleet }) => ({ startFleet: withReportsEvery(5, startFleet) }),
  },
  'whose samples come in any order, late and twice': {
    server: { symptom: 'loss' },
    parts: ({ startFleet }) => ({ startFleet: disordered(5, startFleet) }),
  },
  'with limits of its own and some bad probes': {
    isLong: true,
    plan: {
      thresholds: thresholdsOf({
        preset: undefined,
        tolerate: undefined,
        threshold: ['video.loss.mean <= 0.5%', 'received.video.bitrate >= 400 kbit/s', 'bad probes <= 20%'],
      }),
    },
  },
  'whose recordings are whole': { isLong: true, plan: { record: true }, recordings: { files: 2, faults: [] } },
  'whose recordings are broken': {
    plan: { record: true },
    recordings: { files: 2, faults: [{ participant: '1b', detail: 'is empty (0 bytes)' }] },
    among: 'recording',
  },
  'on two hosts with clocks 2 s apart, one of them out of CPU': {
    isLong: true,
    server: {
      capacity: 20,
      hosts: [{ id: 'a' }, { id: 'b', clockAheadMs: 2000, clockBoundMs: 20, probeLimit: 3 }],
    },
  },
  'on two hosts of which one goes away': {
    server: { capacity: 20, hosts: [{ id: 'a' }, { id: 'b', clockAheadMs: 2000, lostInSecond: 12 }] },
  },
  'on a host that was calibrated': {
    isLong: true,
    parts: ({ host }) => ({ host: { ...host, tooManyProbes: { full: 6 } } }),
  },
};

for (const [name, story] of Object.entries(stories)) {
  test(
    `a run ${name} is judged again from its folder to the same verdicts, byte for byte`,
    story.isLong ? long : {},
    async () => {
      await withRunFolder(async (folder) => {
        const trials = await conducted(story, folder);
        expect(trials.length).toBeGreaterThan(0);
        expect(trials.filter(({ same }) => !same)).toEqual([]);
        const codes = trials.flatMap(({ reasons }) => reasons.map(({ code }) => code));
        if (story.among !== undefined) expect(codes).toContain(story.among);
      });
    },
  );
}

for (const [nth, { name }] of scenarios.entries()) {
  test(
    `a run of ${name} is judged again from its folder to the same verdicts, byte for byte`,
    nth < 2 ? {} : long,
    async () => {
      await withRunFolder(async (folder) => {
        const trials = await conducted({ plan: { scenario: name } }, folder);
        expect(new Set(trials.map(({ before }) => before))).toEqual(new Set(['stable', 'unstable']));
        expect(trials.filter(({ same }) => !same)).toEqual([]);
      });
    },
  );
}

test('the run of real browsers that an earlier version stored is judged again to the same verdicts, for the same reasons', async () => {
  const trials = await judgedAgain(recordedRun);
  const { records } = await readRun(recordedRun);
  const summed = (kind: string, reasons: readonly { readonly code: string; readonly probe?: string }[]) => ({
    kind,
    // Which of them is worst is told by figures that later versions measure otherwise.
    reasons: reasons.map(({ code, probe }) => `${code} ${probe}`).sort(),
  });
  expect(trials.map(({ after, reasons }) => summed(after, reasons))).toEqual(
    records.map(({ verdict }) => summed(verdict.kind, verdict.reasons)),
  );
});
