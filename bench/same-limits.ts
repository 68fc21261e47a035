/**
 * Whether native probes find the limits that browsers find: searches of 1:1 calls with each kind of probe on a server
 * whose way out carries so much and no more, several times. The embedded server is held by its own `--egress-limit`,
 * and "embedded-cpu" to a share of a core; Debian's Janus runs in a network namespace whose link out is a token bucket
 * of that rate (tc-tbf(8)). Usage: node dist/bench/same-limits.js [SERVER,… [KIND,… [TIMES [RATE [CORES]]]]], of
 * embedded,embedded-cpu,janus and native,encoded,full; RATE as tc takes it, e.g. 5mbit. Needs root, a janus for that
 * row, and a quiet machine.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { argv } from 'node:process';
import type { RunResult } from '../model/run.js';
import { makeHostLinks } from '../server-setup/network/host-links.js';
import { groupNames } from '../server-setup/network/names.js';
import { runCommand } from '../server-setup/network/run-command.js';
import { runLoadline } from '../tests/cli/run-loadline.js';
import { hasJanus, realJanus } from '../tests/real-janus.js';

const windows = ['--settle', '15s', '--measure', '20s', '--max', '12'];
/** What waits for longer is dropped. */
const queue = ['burst', '16kb', 'latency', '100ms'];

const [, , servers = 'embedded,janus', kinds = 'native,encoded', times = '3', rate = '5mbit', cores = '0.12'] = argv;

interface HeldServer {
  /** Of the command line. */
  readonly words: readonly string[];
  close(): Promise<void>;
}

async function heldServer(name: string): Promise<HeldServer> {
  if (name === 'embedded')
    return { words: ['--server', 'embedded', '--egress-limit', rate], close: async () => undefined };
  if (name === 'embedded-cpu')
    return { words: ['--server', 'embedded', '--cpu-limit', cores], close: async () => undefined };
  if (name !== 'janus' || !(await hasJanus()))
    throw new Error(`a server is embedded, embedded-cpu, or janus where it is installed, not ${name}`);
  const links = await makeHostLinks({ count: 1, pid: process.pid, serverElsewhere: false });
  try {
    const { namespace, probeDevice, probeAddress } = groupNames(process.pid, 0);
    await runCommand([
      'tc',
      '-n',
      namespace,
      'qdisc',
      'add',
      'dev',
      probeDevice,
      'root',
      'tbf',
      'rate',
      rate,
      ...queue,
    ]);
    const janus = await realJanus({}, { address: probeAddress, inside: links.inside(0) });
    const close = async () => {
      await janus.close();
      await links.close();
    };
    return { words: ['--server', janus.url, '--no-record'], close };
  } catch (error) {
    await links.close();
    throw error;
  }
}

async function searchOnce(name: string, kind: string): Promise<void> {
  const server = await heldServer(name);
  const out = await mkdtemp(join(tmpdir(), 'loadline-bench-'));
  const startedMs = performance.now();
  try {
    const told = ['--format', 'json', '--out', out];
    const ended = await runLoadline(['find', 'one-to-one', '--media', kind, ...server.words, ...windows, ...told]);
    const minutes = (performance.now() - startedMs) / 60_000;
    if (ended.exitCode !== 0) throw new Error(ended.stderr);
    const { limit, outcome, trials } = JSON.parse(ended.stdout) as RunResult;
    const judged = (size: number | null): string => {
      const verdicts = trials.filter((trial) => trial.size === size && !trial.screened).map(({ verdict }) => verdict);
      const counts = [...new Set(verdicts)].map(
        (one) => `${verdicts.filter((verdict) => verdict === one).length} ${one}`,
      );
      return `${size}: ${counts.join(', ')}`;
    };
    const cells = [
      name,
      kind,
      outcome,
      judged(limit.stable),
      judged(limit.unstable),
      trials.length,
      minutes.toFixed(1),
    ];
    console.log(`| ${cells.join(' | ')} |`);
  } finally {
    await server.close();
    await rm(out, { recursive: true, force: true });
  }
}

console.log(`1:1 calls; ${rate} out of the server, or ${cores} of a core for it\n`);
console.log('| server | probes | outcome | stable calls | unstable calls | trials | minutes |');
console.log(`|${'---|'.repeat(7)}`);
for (const server of servers.split(',')) {
  for (const kind of kinds.split(','))
    for (let time = 0; time < Number(times); time += 1) await searchOnce(server, kind);
}
