import { cp, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { oneToOne } from '../scenarios/one-to-one.js';
import type { SimulationOptions } from '../simulation/simulated-parts.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { findLimit } from '../trial/find-limit.js';
import { aPlan, aSimulatedRun, startMs } from './simulated-run.js';

/** A run of real Chromium on the embedded server with an up-link of 4 Mbit/s: 3 calls, not 4; one trial void. */
export const recordedRun = fileURLToPath(new URL('recorded-run', import.meta.url));

/** A folder for stored runs that is gone afterwards. */
export async function withRunFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-stored-'));
  try {
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Conducts a whole search on a simulated server into a run directory, and returns its path. */
export async function storedSimulation(
  folder: string,
  options: Partial<SimulationOptions> = {},
  search: Parameters<typeof aPlan>[0] = {},
  timing: Parameters<typeof aPlan>[1] = {},
): Promise<string> {
  const place = { parent: folder, scenario: 'one-to-one', server: 'simulated', startedAtMs: startMs };
  const runDirectory = await createRunDirectory(place);
  const { parts } = aSimulatedRun(options, { sinks: [runDirectorySink(runDirectory)], runDirectory });
  const plan = aPlan(search, { measureMs: 20_000, settleMs: 12_000, pacePerSecond: 20, ...timing });
  await findLimit({ plan, scenario: oneToOne }, parts, new AbortController().signal);
  return runDirectory;
}

/** A stored run as an earlier version left it: without seals. */
export async function withoutSeals(runDirectory: string): Promise<string> {
  for (const name of ['manifest.json', 'result.json', 'trials.jsonl']) {
    const path = join(runDirectory, name);
    const texts =
      name === 'trials.jsonl' ? (await readFile(path, 'utf8')).trim().split('\n') : [await readFile(path, 'utf8')];
    const bare = texts.map((text) => {
      const { seal: _, chain: __, ...content } = JSON.parse(text);
      return `${JSON.stringify(content)}\n`;
    });
    await writeFile(path, bare.join(''));
  }
  return runDirectory;
}

/** What a kill leaves of a run: no answer, and a record that is torn. */
export async function killed(runDirectory: string): Promise<string> {
  await rm(join(runDirectory, 'result.json'));
  const trials = join(runDirectory, 'trials.jsonl');
  await truncate(trials, (await readFile(trials)).length - 100);
  return runDirectory;
}

/** The recorded run with one name, wherever it is a participant's, replaced by another. */
export async function renamedRun(folder: string, from: string, to: string): Promise<string> {
  const runDirectory = join(folder, 'renamed');
  await cp(recordedRun, runDirectory, { recursive: true });
  const trials = join(runDirectory, 'trials.jsonl');
  const quoted = JSON.stringify(to).slice(1, -1);
  await writeFile(
    trials,
    (await readFile(trials, 'utf8')).replaceAll(from, () => quoted),
  );
  return runDirectory;
}
