import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processIds } from '../../host/processes.js';
import type { RunResult } from '../../model/run.js';
import type { PhaseName, TrialRecord } from '../../model/trial.js';
import { readRun, type StoredRun } from '../../store/run-directory/read-run.js';
import { type Ended, endOf, startLoadline } from '../cli/run-loadline.js';

/** A place of its own for one run of the whole tool: what is left in it afterwards was left behind. */
export interface Workshop {
  readonly temporaryFolder: string;
  readonly out: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): RunningTool;
  /** Goes on with a run of `find` to its end. */
  resume(runDirectory: string): Promise<EndedTool>;
  /** Processes of the run that are still there, each its command line; found by their environment. */
  processesLeft(): Promise<readonly string[]>;
  /** What the run left in its temporary folder. */
  filesLeft(): Promise<readonly string[]>;
  dispose(): Promise<void>;
}

export interface RunningTool {
  readonly pid: number;
  /** Resolves when trial `index` (from 1) has entered the phase; without it, when any trial has. */
  inPhase(phase: PhaseName, index?: number): Promise<void>;
  signal(name: NodeJS.Signals): void;
  /**
   * Asks the run to end once a trial was stable or unstable. A baseline that fails is made again and again, which takes
   * minutes and is tested with the search: here the first one is enough.
   */
  endedOnceDecided(): Promise<EndedTool>;
  /** Pids of the run's processes whose command line has `part`. */
  pidsOf(part: string): Promise<readonly number[]>;
  readonly ended: Promise<EndedTool>;
}

export interface EndedTool extends Ended {
  /** Parsed standard output; throws when it is not one JSON document. */
  result(): RunResult;
  storedRun(): Promise<StoredRun>;
}

export async function openWorkshop(): Promise<Workshop> {
  const root = await mkdtemp(join(tmpdir(), 'loadline-system-test-'));
  const temporaryFolder = await mkdtemp(join(root, 'tmp-'));
  // As /tmp is: browsers of root are another user's.
  await chmod(root, 0o711);
  await chmod(temporaryFolder, 0o1777);
  const out = join(root, 'runs');
  return {
    temporaryFolder,
    out,
    start: (args, env = {}) => startTool(args, { ...env, TMPDIR: temporaryFolder }, out),
    resume: (runDirectory) => resumeTool(runDirectory, { TMPDIR: temporaryFolder }),
    processesLeft: async () => (await processesOf(temporaryFolder)).map((one) => one.command),
    // Compile caches of the test runner's own loader are not ours.
    filesLeft: async () => (await readdir(temporaryFolder)).filter((name) => name.startsWith('loadline')),
    // Of a test that failed, the run may still be there.
    dispose: async () => {
      for (const { pid } of await processesOf(temporaryFolder)) endAtOnce(pid);
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function startTool(
  args: readonly string[],
  env: Readonly<Record<string, string>> & { readonly TMPDIR: string },
  out: string,
): RunningTool {
  const temporaryFolder = env.TMPDIR;
  const earlier = runsIn(out);
  const child = startLoadline([...args, '--out', out, '--format', 'json'], { ...usersCache(), ...env });
  child.stdin.end();
  const ended = endOf(child).then((end) => endedTool(end, async () => runSince(await earlier, out)));
  return {
    pid: child.pid ?? 0,
    ended,
    endedOnceDecided: async () => {
      while (child.exitCode === null && !(await hasDecided(await earlier, out))) await sleep(250);
      child.kill('SIGINT');
      return ended;
    },
    signal: (name) => void child.kill(name),
    pidsOf: async (part) =>
      (await processesOf(temporaryFolder)).filter((one) => one.command.includes(part)).map((one) => one.pid),
    inPhase: async (phase, index) => {
      const line = new RegExp(`"type":"phase","index":${index ?? '\\d+'},"phase":"${phase}"`);
      while (child.exitCode === null && !line.test(await eventsOf(await earlier, out))) await sleep(20);
      if (child.exitCode !== null) throw new Error(`the run ended before ${phase}: ${(await ended).stderr}`);
    },
  };
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

async function resumeTool(runDirectory: string, env: { readonly TMPDIR: string }): Promise<EndedTool> {
  const child = startLoadline(['find', '--resume', runDirectory, '--format', 'json'], { ...usersCache(), ...env });
  child.stdin.end();
  return endedTool(await endOf(child), async () => runDirectory);
}

/** The clips of the user's cache: to make them anew for each run would take the machine from what is measured. */
function usersCache() {
  return { XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? '' };
}

function endedTool(end: Ended, directory: () => Promise<string>): EndedTool {
  return {
    ...end,
    result: () => JSON.parse(end.stdout) as RunResult,
    storedRun: async () => readRun(await directory()),
  };
}

const runsIn = (out: string): Promise<readonly string[]> => readdir(out).catch(() => []);

/** The run that this start has made. */
async function runSince(earlier: readonly string[], out: string): Promise<string> {
  const made = (await runsIn(out)).find((name) => !earlier.includes(name));
  if (made === undefined) throw new Error(`no new run in ${out}`);
  return join(out, made);
}

async function eventsOf(earlier: readonly string[], out: string): Promise<string> {
  return runSince(earlier, out).then(
    (folder) => readFile(join(folder, 'events.jsonl'), 'utf8').catch(() => ''),
    () => '',
  );
}

/** Whether a trial that is stored was stable or unstable. */
async function hasDecided(earlier: readonly string[], out: string): Promise<boolean> {
  const records = await runSince(earlier, out)
    .then(async (folder) => (await readRun(folder)).records)
    // Not begun yet.
    .catch(() => []);
  return records.some(({ verdict }) => verdict.kind !== 'void');
}

interface FoundProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every process that was started with this TMPDIR, whoever its parent is by now (proc(5): /proc/PID/environ). */
async function processesOf(temporaryFolder: string): Promise<readonly FoundProcess[]> {
  const found = await Promise.all(
    (await processIds()).map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      if (!environment.split('\0').includes(`TMPDIR=${temporaryFolder}`)) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return command === '' ? [] : [{ pid, command: command.replaceAll('\0', ' ').trim() }];
    }),
  );
  return found.flat();
}

/** How many messages of each sender each participant lost, percent. */
export const messageLosses = (record: TrialRecord | undefined): readonly (number | undefined)[] =>
  (record?.streams ?? []).flatMap(({ kind, direction, values }) =>
    kind === 'data' && direction === 'receive' ? [values.lossPercent] : [],
  );
