/**
 * What probes on many hosts cost the machine that conducts: 100 simulated probes on each host, which tell a sample of
 * four streams each second through a real nats-server. The hosts are real agents with a connection and a clock of their
 * own, several to a process; conductor, judge and run directory are the real ones, and so is time. Prints the table of
 * docs/lab/fleet-scale.md. Run with `npm run build && node dist/bench/fleet-scale.js [probes …]`; `--seconds` sets
 * the length of the window.
 */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process, { argv, env, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { type LocalBus, startLocalBus } from '../cli/hosts/local-bus.js';
import { wallClock } from '../cli/wiring/wall-clock.js';
import { keepHeapSmall } from '../host/small-heap.js';
import { sharesOfOne } from '../model/calibration.js';
import { HostPool } from '../probes/hosts/host-pool.js';
import { hostFleets } from '../probes/hosts/hosts-fleet.js';
import { openNatsBus } from '../probes/hosts/nats-bus.js';
import { oneToOne } from '../scenarios/one-to-one.js';
import { createRunDirectory } from '../store/run-directory/run-directory.js';
import { runDirectorySink } from '../store/run-directory/run-directory-sink.js';
import { aPlan, aSimulatedRun } from '../tests/simulated-run.js';
import { tryOnce } from '../trial/find-limit.js';
import { benchBuild, startBusHosts } from './stage/bus-hosts.js';
import { FleetMeter } from './stage/fleet-meter.js';
import { childOf, configFolderOf, folderBytes } from './stage/process-use.js';

const probesPerHost = 100;
const processes = 2;
const self = fileURLToPath(import.meta.url);

const { values, positionals } = parseArgs({
  args: argv.slice(2),
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '60' },
    row: { type: 'boolean', default: false },
    hosts: { type: 'string' },
    bus: { type: 'string' },
  },
});

const columns = [
  'hosts',
  'probes',
  'CPU of the conductor',
  'memory after a tenth of the window',
  'at its end',
  'highest',
  'CPU of the bus',
  'bytes to the bus',
  'disk of the bus, most',
  'CPU of all hosts',
  'samples told',
  'of them lost',
  'last sample to verdict',
  'on disk',
  'report made in',
  'verdict',
];

/** One row; this process is the conductor. */
async function measureRow(probes: number, seconds: number): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'loadline-bench-fleet-'));
  const bus = await startLocalBus(env, { temporaryRoot: folder });
  const hosts = Math.ceil(probes / probesPerHost);
  const children = hostProcesses(hosts, bus);
  try {
    const busPid = await childOf(bus.pid ?? 0);
    const meter = new FleetMeter(busPid, await configFolderOf(busPid), children);
    const runDirectory = await conducted({ folder, bus, hosts, probes, seconds, meter });
    const told = await samplesTold(children);
    const beganMs = performance.now();
    const reported = spawn(execPath, [join(self, '../../loadline.js'), 'report', runDirectory], { stdio: 'ignore' });
    await once(reported, 'close');
    const reportSeconds = (performance.now() - beganMs) / 1000;
    const { conductor, bus: ofBus, hosts: ofHosts, verdictTook, verdict } = await meter.cells(seconds);
    const onDisk = `${((await folderBytes(runDirectory)) / 1e6).toFixed(1)} MB`;
    const counts = [told.toLocaleString('en'), String(told - meter.samples)];
    const ends = [verdictTook, onDisk, `${reportSeconds.toFixed(1)} s`, verdict];
    return lineOf([hosts, probes.toLocaleString('en'), ...conductor, ...ofBus, ofHosts, ...counts, ...ends]);
  } finally {
    const ended = Promise.all(children.map((child) => once(child, 'exit')));
    for (const child of children) child.kill();
    await ended;
    await bus.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Row {
  readonly folder: string;
  readonly bus: LocalBus;
  readonly hosts: number;
  readonly probes: number;
  readonly seconds: number;
  readonly meter: FleetMeter;
}

/** A run of one trial, whose size is its own baseline. Returns its folder. */
async function conducted({ folder, bus: { url, token }, hosts, probes, seconds, meter }: Row): Promise<string> {
  // As every run does.
  keepHeapSmall();
  const bus = await openNatsBus({ url, token, name: 'bench conductor' });
  const { build, version } = benchBuild;
  const wanted = { build, version, boot: 'conductor' };
  const patience = { atLeast: hosts, waitMs: 60_000 };
  const pool = await HostPool.open({
    bus,
    by: 'the bench',
    wanted,
    spread: 'even',
    probes: sharesOfOne('full'),
    ...patience,
  });
  try {
    const place = { parent: folder, scenario: oneToOne.name, server: 'simulated', startedAtMs: Date.now() };
    const runDirectory = await createRunDirectory(place);
    const size = probes / 2;
    const scenario = { ...oneToOne, baselineSize: size };
    const startFleet = meter.counted(hostFleets(pool));
    const { parts } = aSimulatedRun(
      { scenario, capacity: 1_000_000, seed: 7, clock: wallClock },
      { startFleet, sinks: [runDirectorySink(runDirectory)], runDirectory, listener: meter.onEvent },
    );
    const plan = aPlan({ max: size }, { measureMs: seconds * 1000, pacePerSecond: 5000, settleMs: 20_000 });
    await tryOnce({ plan, scenario }, size, parts, new AbortController().signal);
    return runDirectory;
  } finally {
    await pool.close();
    await bus.close();
  }
}

function hostProcesses(hosts: number, { url, token }: LocalBus): readonly ChildProcess[] {
  const each = Math.ceil(hosts / processes);
  const firsts = Array.from({ length: Math.ceil(hosts / each) }, (_, nth) => nth * each);
  return firsts.map((first) => {
    const flags = ['--hosts', `${first},${Math.min(each, hosts - first)}`, '--bus', url];
    return fork(self, flags, { env: { ...env, LOADLINE_BUS_TOKEN: token } });
  });
}

async function samplesTold(children: readonly ChildProcess[]): Promise<number> {
  const counts = await Promise.all(
    children.map(async (child) => {
      const told = once(child, 'message');
      child.send('how many');
      return Number((await told)[0]);
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

/** These hosts, until whoever started them lets go. */
async function playHosts(which: string, url: string): Promise<void> {
  const [first = 0, count = 0] = which.split(',').map(Number);
  const hosts = await startBusHosts({ url, token: env.LOADLINE_BUS_TOKEN ?? '', first, count, clock: wallClock });
  process.on('message', () => process.send?.(hosts.samplesTold()));
  process.on('disconnect', () => void hosts.close().finally(() => process.exit()));
}

const lineOf = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |\n`;

const counts = positionals.length > 0 ? positionals.map(Number) : [100, 1000, 10_000];
const [first = 100] = counts;
if (values.hosts !== undefined) await playHosts(values.hosts, values.bus ?? '');
else if (values.row) stdout.write(await measureRow(first, Number(values.seconds)));
else {
  stdout.write(lineOf(columns) + lineOf(columns.map(() => '---')));
  for (const probes of counts) {
    const row = spawn(execPath, [self, '--row', '--seconds', values.seconds, String(probes)], { stdio: 'inherit' });
    await once(row, 'close');
  }
}
