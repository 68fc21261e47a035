/**
 * What a trial costs the conductor, by how many probes it has: CPU, memory, the longest block of the event loop while
 * samples come and after them, the time from the last sample to the stored verdict, and the size on disk. Probes tell
 * their samples as text, as pages do; conductor, judge and run directory are the real ones; time is virtual, so that
 * ten minutes take as long as the work in them. Prints the table of docs/lab/scale.md. Run with
 * `npm run build && node dist/bench/scale.js [probes …]`; with 10,000 it takes some minutes of two cores. `--seconds`
 * sets the length of the window, `--rooms 2,10` the members of a room.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { argv, cpuUsage, execPath, memoryUsage, resourceUsage, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { keepHeapSmall } from '../host/small-heap.js';
import type { RunEvent } from '../model/run-event.js';
import type { Scenario } from '../model/scenario.js';
import { virtualClock } from '../simulation/simulated-parts.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { aPlan, aSimulatedRun, startMs } from '../tests/simulated-run.js';
import { tryOnce } from '../trial/find-limit.js';
import { pagedFleets } from './stage/paged-fleet.js';
import { ThreadBlocks } from './stage/thread-blocks.js';

interface Row {
  readonly probes: number;
  readonly members: number;
  readonly seconds: number;
}

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '600' },
    rooms: { type: 'string', default: '2,10' },
    row: { type: 'boolean', default: false },
    'not-again': { type: 'boolean', default: false },
  },
});

/** Rooms in which each member sends a video and receives that of every other, over one connection. */
function rooms(members: number): Scenario {
  const letters = Array.from({ length: members }, (_, index) => String.fromCharCode(97 + index));
  const video = ['video'] as const;
  return {
    name: 'rooms',
    unit: { one: 'room', many: 'rooms' },
    summary: `rooms of ${members}`,
    baselineSize: 1,
    sessions: (size) =>
      Array.from({ length: size }, (_, index) => {
        const room = String(index + 1);
        const others = (own: string) =>
          letters.filter((one) => one !== own).map((one) => ({ participant: room + one, kinds: video }));
        const participants = letters.map((letter) => {
          const id = room + letter;
          return {
            id,
            session: room,
            role: 'roommate',
            legs: [{ id, sends: video, receives: video, from: others(letter) }],
          };
        });
        return { id: room, shape: 'forward', participants };
      }),
  };
}

async function sizeOf(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(folder, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

const columns = [
  'probes',
  'in a room',
  'CPU while measuring',
  'memory after a tenth of the window',
  'at its end',
  'highest',
  'longest block while samples come',
  'longest block afterwards',
  'last sample to verdict',
  'judged again',
  'on disk',
  'verdict',
];

/** What is read of the process itself while a trial goes on; the last one to be measured counts. */
class Meter {
  private readonly blocks = new ThreadBlocks();
  private used = cpuUsage();
  /** While samples come: settling and measuring. Afterwards: judging and storing. */
  private blockMs = { meanwhile: 0, afterwards: 0 };
  private readonly rssMb: number[] = [];
  private trials = 0;
  private lastSampleMs = 0;
  private coreSeconds = 0;
  private verdictMs = 0;
  private verdict = '';

  readonly onSamples = (): void => {
    this.lastSampleMs = performance.now();
  };

  readonly onEvent = (event: RunEvent): void => {
    if (event.type === 'phase' && event.phase === 'settle') this.blocks.watch();
    if (event.type === 'phase' && event.phase === 'measure') {
      this.trials += 1;
      this.rssMb.length = 0;
      this.used = cpuUsage();
    }
    if (event.type === 'second' && event.progress.phase === 'measure') this.rssMb.push(memoryUsage.rss() / 1e6);
    if (event.type === 'phase' && event.phase === 'leave') {
      const { user, system } = cpuUsage(this.used);
      this.coreSeconds = (user + system) / 1e6;
      this.blockMs.meanwhile = this.blocks.longestMs();
      this.blocks.watch();
    }
    if (event.type === 'trial-ended') {
      this.blockMs.afterwards = this.blocks.longestMs();
      this.blocks.stop();
      this.verdictMs = performance.now() - this.lastSampleMs;
      this.verdict = event.record.verdict.kind;
    }
  };

  cells(seconds: number) {
    const { rssMb, blockMs, trials } = this;
    return {
      cpu: `${(this.coreSeconds / seconds).toFixed(3)} of a core`,
      memory: [rssMb[Math.floor(rssMb.length / 10)], rssMb.at(-1)].map((mb) => `${mb?.toFixed(0)} MB`),
      highest: `${((resourceUsage().maxRSS * 1024) / 1e6).toFixed(0)} MB`,
      blocks: [blockMs.meanwhile, blockMs.afterwards].map((ms) => `${ms.toFixed(0)} ms`),
      verdictTook: `${(this.verdictMs / 1000).toFixed(1)} s`,
      verdict: `${this.verdict}${trials === 2 ? '' : ', not measured'}`,
    };
  }
}

/** One row, in a process of its own, so that its memory is its own. */
async function measureRow({ probes, members, seconds }: Row): Promise<string> {
  // As every run does.
  keepHeapSmall();
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-scale-'));
  try {
    const scenario = rooms(members);
    const place = { parent: folder, scenario: 'rooms', server: 'simulated', startedAtMs: startMs };
    const runDirectory = await createRunDirectory(place);
    const clock = virtualClock(startMs);
    const meter = new Meter();
    const sink = runDirectorySink(runDirectory);
    const { parts } = aSimulatedRun(
      { scenario, capacity: 1_000_000, seed: 7 },
      { clock, startFleet: pagedFleets(clock, meter.onSamples), sinks: [sink], runDirectory, listener: meter.onEvent },
    );
    const plan = aPlan({ max: probes / members }, { measureMs: seconds * 1000, pacePerSecond: 1000, settleMs: 30_000 });
    const { signal } = new AbortController();
    await tryOnce({ plan: { ...plan, scenario: 'rooms' }, scenario }, probes / members, parts, signal);
    const bytes = await sizeOf(runDirectory);
    const cells = meter.cells(seconds);
    const again = values['not-again'] ? 'not measured' : `${((await judgedAgainMs(runDirectory)) / 1000).toFixed(1)} s`;
    const row = [probes.toLocaleString('en'), members, cells.cpu, ...cells.memory, cells.highest, ...cells.blocks];
    return lineOf([...row, cells.verdictTook, again, `${(bytes / 1e6).toFixed(1)} MB`, cells.verdict]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** By the command, in a process of its own, both trials of the run together. */
async function judgedAgainMs(runDirectory: string): Promise<number> {
  const began = performance.now();
  const loadline = fileURLToPath(new URL('../loadline.js', import.meta.url));
  const child = spawn(execPath, [loadline, 'judge', runDirectory], { stdio: 'ignore' });
  await new Promise((resolve) => child.once('close', resolve));
  return performance.now() - began;
}

const lineOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;

async function inOwnProcess({ probes, members, seconds }: Row): Promise<void> {
  const own = [
    '--row',
    '--seconds',
    String(seconds),
    '--rooms',
    String(members),
    String(probes),
    ...(values['not-again'] ? ['--not-again'] : []),
  ];
  const child = spawn(execPath, [fileURLToPath(import.meta.url), ...own], { stdio: 'inherit' });
  await new Promise((resolve) => child.once('close', resolve));
}

const counts = positionals.length > 0 ? positionals.map(Number) : [100, 1000, 10_000];
const rows = values.rooms
  .split(',')
  .flatMap((members) =>
    counts.map((probes) => ({ probes, members: Number(members), seconds: Number(values.seconds) })),
  );
const [row] = rows;
if (values.row && row) stdout.write(await measureRow(row));
else {
  stdout.write(lineOf(columns) + lineOf(columns.map(() => '---')));
  for (const one of rows) await inOwnProcess(one);
}
